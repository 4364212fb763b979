"""The objects that one worker process or command needs, made once: engine, CRM, destinations. Wiring only."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from uuid import UUID, uuid4

from sqlalchemy import Engine

from leads.db import connect_engine
from leads.destinations import CRM, DETAILS
from leads.outbox.lease import hurry_messages
from leads.outbox.workers import Worker
from leads.settings import Settings, SettingsError, read_settings
from worker.connect import connect_crm
from worker.crm.access import CrmAccess
from worker.delivery.deliver import DeliveryContext
from worker.delivery.threads import DestinationThread
from worker.destinations.crm import CrmDestination
from worker.destinations.port import Destination
from worker.destinations.registry import crm_destination, crm_details, crm_limits, message_destinations

# Required in production: without it an erased person could not be recognised.
NEEDED = ("ERASURE_KEY",)


@dataclass(frozen=True, slots=True)
class WorkerContext:
    """The objects of one process. `stopping` is set when the process was asked to end."""

    settings: Settings
    engine: Engine
    access: CrmAccess
    worker: Worker
    delivery: DeliveryContext
    crm: CrmDestination
    messages: tuple[DestinationThread, ...]
    stopping: threading.Event

    @property
    def gates(self) -> list[str]:
        """The names of the gates of all destinations that this worker delivers to."""
        return list(dict.fromkeys(each.limits.destination for each in (self.crm, *self._others)))

    @property
    def _others(self) -> list[Destination]:
        return [thread.destination for thread in self.messages]

    def wake_details(self) -> None:
        """Look for what visitors have added."""
        for thread in self.messages:
            if thread.destination.name == DETAILS:
                thread.wake()

    def close(self) -> None:
        """Close the connections to the database and to the CRM."""
        self.access.crm.close()
        self.engine.dispose()


def make_context(settings: Settings) -> WorkerContext:
    """Make the objects; `SettingsError` when settings of the CRM are missing. Opens no connection."""
    threads = settings.crm_concurrency
    # One connection for each thread, each destination, what visitors add, and the tick; twice, since some hold one
    # while they take another.
    pool = 2 * (threads + len(settings.lead_destinations) + 1)
    engine = connect_engine(settings.database_url, pool=pool, name="worker")
    stopping = threading.Event()
    access = CrmAccess(connect_crm(settings, engine), engine, crm_limits(settings))
    messages: list[DestinationThread] = []

    def wake(destinations: Sequence[str]) -> None:
        for thread in messages:
            if thread.destination.name in destinations:
                thread.wake()

    def tell(destination: str, ids: Sequence[UUID]) -> None:
        """Staff are told as soon as there is a record to link to."""
        if destination == CRM and messages:
            wake(hurry_messages(engine, ids))

    delivery = DeliveryContext(
        engine=engine,
        stopping=stopping,
        retry_turns=threading.BoundedSemaphore(max(1, threads - 1)),
        turn_seconds=settings.crm_tick_seconds,
        arrived=tell,
    )
    others = [crm_details(settings, access), *message_destinations(settings, engine)]
    messages += [DestinationThread(delivery, each) for each in others]
    return WorkerContext(
        settings=settings,
        engine=engine,
        access=access,
        worker=Worker(engine, uuid4()),
        delivery=delivery,
        crm=crm_destination(settings, access),
        messages=tuple(messages),
        stopping=stopping,
    )


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
    """This worker's context, made at first use; `SettingsError` when a setting is missing that a worker needs."""
    settings = read_settings(needed=NEEDED)
    _check_messages(settings)
    return make_context(settings)
