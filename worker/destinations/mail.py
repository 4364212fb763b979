"""Two destinations by mail: the visitor's acknowledgement, and the notice to staff. At least once, with one id."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage

from sqlalchemy import Engine

from leads.call_times import call_of, promise
from leads.destinations import STAFF_MAIL, VISITOR
from leads.lifecycle import Outcome, Refused, Skipped
from leads.outbox.budgets import find_beyond
from leads.outbox.claim import Claimed
from leads.settings import Settings
from worker.destinations.port import Call
from worker.destinations.smtp import make_acknowledgement, send_mail
from worker.destinations.staff_notice import make_mail

CONNECTIONS = 2  # at once in one process


@dataclass(frozen=True, slots=True)
class Acknowledgements:
    """The e-mail to the visitor, within budgets: whose address it is, is not known."""

    settings: Settings
    engine: Engine
    name: str = VISITOR
    calls: int = CONNECTIONS

    def send(self, row: Claimed, call: Call) -> Outcome:  # noqa: ARG002 - the port's signature
        """Send the e-mail. One that is beyond its mailbox's budget, or cannot be addressed, is never sent."""
        if (beyond := find_beyond(self.engine).get(row.id)) is not None:
            return beyond
        try:
            message = self._compose(row)
        except ValueError:
            return Skipped(code="ADDRESS", detail="cannot be used in a header")
        outcome = send_mail(self.settings, message)
        # The address is another person's, or nobody's.
        return Skipped(code=outcome.code, detail=outcome.detail) if isinstance(outcome, Refused) else outcome

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
    """The e-mail to staff."""

    settings: Settings
    name: str = STAFF_MAIL
    calls: int = CONNECTIONS

    def send(self, row: Claimed, call: Call) -> Outcome:  # noqa: ARG002 - the port's signature
        """Send the e-mail."""
        return send_mail(self.settings, make_mail(row, self.settings))
