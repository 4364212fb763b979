"""What the CRM's failures mean: one outcome for each."""

from __future__ import annotations

from typing import assert_never

from leads.lifecycle import Outcome, Reason, Refused, Retry, Unavailable
from leads.outbox.pause import TRIAL_SECONDS
from worker.crm.port import OVERWROTE, CallFailed, FailureClass

OVERWROTE_SECONDS = 4 * 3600.0  # each trial may overwrite one more record


def outcome_of(failure: CallFailed) -> Outcome:
    """Return what a failed call means for its row."""
    code, status, asked = failure.code, failure.http_status, failure.retry_after_seconds
    detail = f"{failure.field}: {failure.detail}".removesuffix(": ") if failure.field else failure.detail
    match failure.failure:
        case FailureClass.REFUSED | FailureClass.DUPLICATE:
            return Refused(code=code, detail=detail, http_status=status)
        case FailureClass.TRANSIENT | FailureClass.UNKNOWN | FailureClass.GONE:
            wait = asked or 0.0
            return Retry(code=code, detail=detail, wait=wait, answered=failure.answered, http_status=status)
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
            assert_never(failure.failure)
    wait = TRIAL_SECONDS[reason] if asked is None else asked
    return Unavailable(reason=reason, code=code, detail=detail, wait=wait, http_status=status)
