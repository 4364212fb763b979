"""What the CRM's answers mean: one outcome for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from leads.lifecycle import Outcome, Reason, Refused, Retry, Sent, Unavailable
from leads.outbox.pause import TRIAL_SECONDS
from worker.crm.port import OVERWROTE, CallFailed, FailureClass, RowResult

OVERWROTE_SECONDS = 4 * 3600.0  # each trial may overwrite one more record


def outcome_of(answer: RowResult | CallFailed, moved: Sequence[str] = ()) -> Outcome:
    """Return what an answer means for its row. `moved`: refused fields whose values are in the description."""
    code, detail, status = answer.code, answer.detail, answer.http_status
    if isinstance(answer, RowResult):
        if answer.ok and answer.record_id:
            without = f"without {', '.join(moved)}" if moved else ""
            return Sent(code="SENT", detail=without, record_id=answer.record_id, http_status=status)
        detail = f"{answer.field}: {detail}".removesuffix(": ") if answer.field else detail
        asked = None
    else:
        asked = answer.retry_after_seconds
    match answer.failure:
        case FailureClass.RECORD | FailureClass.REQUEST | FailureClass.DUPLICATE:
            return Refused(code=code, detail=detail, http_status=status)
        case FailureClass.TRANSIENT | FailureClass.UNKNOWN | FailureClass.GONE | None:
            # None is a success without an id: it is not trusted, and the row is looked for.
            is_heard = isinstance(answer, RowResult)
            return Retry(code=code, detail=detail, wait=asked or 0.0, answered=is_heard, http_status=status)
        case FailureClass.AUTH:
            reason = Reason.AUTH
        case FailureClass.RATE:
            reason = Reason.RATE
        case FailureClass.CREDITS:
            reason = Reason.CREDITS
        case FailureClass.CONFIGURATION:
            reason = Reason.CONFIGURATION
            asked = OVERWROTE_SECONDS if code == OVERWROTE else asked
        case _:
            assert_never(answer.failure)
    wait = TRIAL_SECONDS[reason] if asked is None else asked
    return Unavailable(reason=reason, code=code, detail=detail, wait=wait, http_status=status)
