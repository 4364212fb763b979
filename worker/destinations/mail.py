"""Two destinations by mail: the visitor's acknowledgement, and the notice to staff.

At least once, with one Message-ID. Several messages go over one connection.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.message import EmailMessage
from uuid import UUID

from sqlalchemy import Engine

from leads.call_times import call_of, promise
from leads.destinations import STAFF_MAIL, VISITOR
from leads.lifecycle import Deferred, Outcome, Rejected, Retryable
from leads.outbox.budgets import find_beyond
from leads.outbox.permit import CallLimits
from leads.outbox.rows import Claimed, Lane
from leads.settings import Settings
from worker.destinations.port import MESSAGE_LEASE_SECONDS, Answer, Call
from worker.destinations.smtp import (
    MailServerUnavailable,
    connect_mail,
    lost_with,
    make_acknowledgement,
    send_mail,
)
from worker.destinations.staff_notice import make_mail, notice_of

# Connections at once, over all workers: one for what is fresh, while another tries again what failed.
CONNECTIONS = 2
MESSAGES_A_CONNECTION = 20
# Wait after the server could not be reached; many failures shut the gate.
UNAVAILABLE_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Acknowledgements:
    """The e-mail to the visitor, within budgets: whose address it is, is not known."""

    settings: Settings
    engine: Engine
    limits: CallLimits
    name: str = VISITOR
    max_rows: int = MESSAGES_A_CONNECTION
    is_repeatable: bool = False
    lease_seconds: float = MESSAGE_LEASE_SECONDS

    def choose(self, lane: Lane, rows: int) -> Sequence[UUID] | None:  # noqa: ARG002 - the port's signature
        """Any may be claimed."""
        return None

    def send(self, rows: Sequence[Claimed], call: Call) -> Iterator[Answer]:
        """Send the e-mails that are within the budgets."""
        beyond = find_beyond(self.engine)
        for row in rows:
            if row.id in beyond:
                yield Answer([row], beyond[row.id], call.id, answered=False)
        if kept := [row for row in rows if row.id not in beyond]:
            yield from _send(self.settings, kept, call, self._compose)

    def _compose(self, row: Claimed) -> EmailMessage:
        values = row.values
        call = promise(
            call_of(values),
            accepted_at=values["created_at"],
            now=datetime.now(UTC),
            timezone=values["timezone"],
            phone=self.settings.clinic_phone,
        )
        return make_acknowledgement(
            self.settings, lead_id=row.id, reference=values["reference"], to=values["email"], call=call
        )


@dataclass(frozen=True, slots=True)
class StaffMail:
    """The e-mail to staff. A refusal is never the lead's fault: it is tried again, and an alarm rings."""

    settings: Settings
    limits: CallLimits
    name: str = STAFF_MAIL
    max_rows: int = MESSAGES_A_CONNECTION
    is_repeatable: bool = False
    lease_seconds: float = MESSAGE_LEASE_SECONDS

    def choose(self, lane: Lane, rows: int) -> Sequence[UUID] | None:  # noqa: ARG002 - the port's signature
        """Any may be sent."""
        return None

    def send(self, rows: Sequence[Claimed], call: Call) -> Iterator[Answer]:
        """Send the e-mails."""
        settings = self.settings
        for answer in _send(settings, rows, call, lambda row: make_mail(settings, notice_of(row, settings))):
            yield replace(answer, outcome=_tried_again(answer.outcome))


def _tried_again(outcome: Outcome) -> Outcome:
    return Retryable(outcome.code, outcome.detail) if isinstance(outcome, Rejected) else outcome


def _send(
    settings: Settings, rows: Sequence[Claimed], call: Call, compose: Callable[[Claimed], EmailMessage]
) -> Iterator[Answer]:
    """Send messages over one connection, which ends with the first that is lost; the others were not tried."""
    call.take_slot()
    try:
        with connect_mail(settings) as server:
            for row in rows:
                if not call.may_begin() or not call.begin([row]):
                    continue
                try:
                    message = compose(row)
                except ValueError:
                    yield Answer([row], Rejected("ADDRESS", "cannot be used in a header"), call.id)
                    continue
                outcome = send_mail(server, message)
                lost = lost_with(outcome)
                yield Answer([row], outcome, call.id, answered=lost is None, outage=lost)
                if lost:
                    return
    except MailServerUnavailable as error:
        # Nothing was sent, so it costs no message a try.
        yield Answer(
            rows, Deferred(str(error), wait=UNAVAILABLE_SECONDS), call.id, answered=False, outage=str(error)
        )
