"""The objects that one worker process or command needs, made once: engine, CRM, destinations. Wiring only."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial

from sqlalchemy import Engine

from leads.db import connect_engine
from leads.destinations import STAFF_MAIL, STAFF_WEBHOOK, VISITOR
from leads.lifecycle import Outcome
from leads.outbox.claim import Claimed
from leads.settings import Settings, read_settings
from worker.connect import connect_crm, crm_problems, record_url
from worker.crm.access import CrmAccess
from worker.crm.fields import fields_of
from worker.crm.port import Crm
from worker.deliver import Deliveries
from worker.destinations.crm import CrmDestination
from worker.destinations.mail import acknowledge, send_mail
from worker.destinations.port import Call, Destination
from worker.destinations.staff_notice import make_mail, make_payload
from worker.destinations.webhook import post_webhook

# Required in production: without it an erased person could not be recognised.
NEEDED = ("ERASURE_KEY",)


@dataclass(frozen=True, slots=True)
class Messages:
    """A destination of messages: at least once with one id, two at once in a process."""

    name: str
    deliver: Callable[[Claimed], Outcome]
    calls: int = 2

    def send(self, row: Claimed, call: Call) -> Outcome:  # noqa: ARG002 - the port's signature
        """Send a message."""
        return self.deliver(row)


def make_destinations(settings: Settings, engine: Engine, crm: Crm) -> dict[str, Destination]:
    """Return the adapters of all that are owed something by these settings, by name."""

    def post(row: Claimed) -> Outcome:
        return post_webhook(settings, make_payload(row, settings), message_id=str(row.id))

    adapters: list[Destination] = [
        CrmDestination(crm, fields_of(settings), partial(record_url, settings)),
        Messages(VISITOR, partial(acknowledge, settings, engine)),
        Messages(STAFF_MAIL, lambda row: send_mail(settings, make_mail(row, settings))),
        Messages(STAFF_WEBHOOK, post),
    ]
    known = {each.name: each for each in adapters}
    return {name: known[name] for name in settings.lead_destinations}


@dataclass(frozen=True, slots=True)
class WorkerContext:
    """The objects of one process."""

    settings: Settings
    engine: Engine
    access: CrmAccess
    deliveries: Deliveries

    def close(self) -> None:
        """Close the connections to the database and to the CRM."""
        self.access.crm.close()
        self.engine.dispose()


def make_context(settings: Settings) -> WorkerContext:
    """Make the objects, for settings without `crm_problems`. Opens no connection."""
    # One connection for each thread, and for each destination's fallback.
    pool = settings.crm_concurrency + 4
    engine = connect_engine(settings.database_url, pool=pool, name="worker")
    access = CrmAccess(connect_crm(settings, engine), engine)
    destinations = make_destinations(settings, engine, access.crm)
    return WorkerContext(
        settings=settings,
        engine=engine,
        access=access,
        deliveries=Deliveries(engine, destinations, threading.Event(), settings.crm_lease_seconds),
    )


def _problems(settings: Settings) -> Iterator[str]:
    """Yield what only a worker needs, to send what the site stores as owed."""
    yield from crm_problems(settings)
    if bool(settings.mail_from) != bool(settings.smtp_url):
        yield "MAIL_FROM and SMTP_URL go together: the sender, and the server that takes the mail"
    if settings.lead_webhook_url and not settings.lead_webhook_secret:
        yield "LEAD_WEBHOOK_URL needs LEAD_WEBHOOK_SECRET, which signs what is sent there"


def read_worker_settings() -> Settings:
    """Read the settings; `SettingsError` lists all that a worker lacks or cannot use."""
    return read_settings(needed=NEEDED, check=_problems)


@cache
def get_context() -> WorkerContext:
    """This worker's context, made at first use; raises as `read_worker_settings`."""
    return make_context(read_worker_settings())
