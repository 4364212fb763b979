"""The visitor's acknowledgement as a message: within budgets, as whose address it is, is not known."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Engine

from leads.call_times import call_of, promise
from leads.lifecycle import Outcome, Refused, Skipped
from leads.outbox.budgets import find_beyond
from leads.outbox.claim import Claimed
from leads.settings import Settings
from worker.destinations.smtp import make_acknowledgement, send_mail


def acknowledge(settings: Settings, engine: Engine, row: Claimed) -> Outcome:
    """Send the e-mail. One that is beyond its mailbox's budget, or cannot be addressed, is never sent."""
    if (beyond := find_beyond(engine).get(row.id)) is not None:
        return beyond
    values = row.values
    call = promise(
        call_of(values),
        accepted_at=values["created_at"],
        now=datetime.now(UTC),
        timezone=values["timezone"],
        phone=settings.clinic_phone,
    )
    try:
        message = make_acknowledgement(
            settings, lead_id=row.id, reference=values["reference"], to=values["email"], call=call
        )
    except ValueError:
        return Skipped(code="ADDRESS", detail="cannot be used in a header")
    outcome = send_mail(settings, message)
    # The address is another person's, or nobody's.
    return Skipped(code=outcome.code, detail=outcome.detail) if isinstance(outcome, Refused) else outcome
