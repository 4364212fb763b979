"""The destinations that these settings name. A new one is a line here, and how it sends in a module of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from sqlalchemy import Engine

from leads.destinations import STAFF_MAIL, STAFF_WEBHOOK, VISITOR
from leads.lifecycle import Outcome
from leads.outbox.claim import Claimed
from leads.settings import Settings
from worker.connect import record_url
from worker.crm.fields import fields_of
from worker.crm.port import Crm
from worker.destinations.crm import CrmDestination
from worker.destinations.mail import acknowledge, send_mail
from worker.destinations.port import Call, Destination
from worker.destinations.staff_notice import make_mail, make_payload
from worker.destinations.webhook import post_webhook


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

    known: list[Destination] = [
        CrmDestination(crm, fields_of(settings), partial(record_url, settings)),
        Messages(VISITOR, partial(acknowledge, settings, engine)),
        Messages(STAFF_MAIL, lambda row: send_mail(settings, make_mail(row, settings))),
        Messages(STAFF_WEBHOOK, post),
    ]
    owed = settings.lead_destinations
    return {each.name: each for each in known if each.name in owed}
