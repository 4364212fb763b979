"""The objects that one worker process or command needs, made once: engine, CRM, deliveries, mail. Wiring only."""

from __future__ import annotations

import os
import platform
import threading
from dataclasses import dataclass
from functools import cache
from uuid import uuid4

from sqlalchemy import Engine

from leads.crm_state.permit import CallLimits
from leads.crm_state.workers import Worker
from leads.db import connect_engine
from leads.settings import Settings, SettingsError, read_settings
from leads.tables.delivery import WORKER_NAME_LENGTH
from worker.crash import arm
from worker.crm.access import CrmAccess
from worker.crm.connect import connect_crm
from worker.delivery.deliver import DeliveryContext
from worker.delivery.fields import mapping_config
from worker.jobs.acknowledgements import MailContext

# What production must not lack: without it an erased person could not be recognised.
NEEDED = ("ERASURE_KEY",)
# A slot outlives the lease of its rows by as much, so that its holder has given up before another takes it.
SLOT_GRACE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class WorkerContext:
    """The objects of one process. `stopping` is set when the process was asked to end."""

    settings: Settings
    engine: Engine
    access: CrmAccess
    worker: Worker
    delivery: DeliveryContext
    mail: MailContext
    notices: MailContext
    stopping: threading.Event

    def close(self) -> None:
        """Close the connections to the database and to the CRM."""
        self.access.crm.close()
        self.engine.dispose()


def make_context(settings: Settings) -> WorkerContext:
    """Make the objects; `SettingsError` when settings of the CRM or of mail are missing. Opens no connection."""
    arm(settings.crash_at)
    _check_messages(settings)
    threads = settings.crm_concurrency
    # One connection for each thread, its mate, the tick and messages. The engine opens up to twice as many.
    pool = max(settings.database_pool, 2 * threads + 2)
    engine = connect_engine(
        settings.database_url, pool=pool, name="worker", pooler=settings.database_pooler, by_index=True
    )
    stopping = threading.Event()
    crm = connect_crm(settings, engine)
    slot_seconds = settings.crm_lease_seconds + SLOT_GRACE_SECONDS
    limits = CallLimits(settings.crm_calls_in_flight, settings.crm_credits_reserve, slot_seconds)
    worker = Worker(engine, uuid4(), f"{platform.node()}:{os.getpid()}"[:WORKER_NAME_LENGTH])
    half = max(1, threads // 2)
    delivery = DeliveryContext(
        engine=engine,
        crm=crm,
        worker=worker,
        limits=limits,
        mapping=mapping_config(settings),
        batch_rows=settings.crm_batch_rows,
        lease_seconds=settings.crm_lease_seconds,
        merge_repeats=settings.crm_repeat == "merge" and crm.capabilities.notes,
        turn_seconds=settings.crm_tick_seconds,
        retry_turns=threading.BoundedSemaphore(half),
        spare_turns=threading.BoundedSemaphore(max(0, threads - half - 1)),
        stopping=stopping,
    )
    access = CrmAccess(crm, engine, limits)
    mail, notices = (MailContext(settings, engine, stopping) for _ in range(2))
    return WorkerContext(settings, engine, access, worker, delivery, mail, notices, stopping)


def _check_messages(settings: Settings) -> None:
    """Raise `SettingsError` for what only a worker needs, to send what the site stores as owed."""
    problems = []
    if bool(settings.mail_from) != bool(settings.smtp_url):
        problems.append("MAIL_FROM and SMTP_URL go together: the sender, and the server that takes the mail")
    if settings.lead_webhook_url and not settings.lead_webhook_secret:
        problems.append("LEAD_WEBHOOK_URL needs LEAD_WEBHOOK_SECRET, which signs what is sent there")
    if problems:
        raise SettingsError("; ".join(problems))


@cache
def get_context() -> WorkerContext:
    """This process's context, made at first use."""
    return make_context(read_settings(needed=NEEDED))
