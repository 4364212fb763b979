"""From the CRM client's words to the lifecycle's: one function for a row's verdict, one for a failed call. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from leads.crm_state.gate import Reason
from leads.lifecycle import Deferred, Delivered, Outcome, Rejected, Retryable
from worker.zoho.errors import FailureClass

if TYPE_CHECKING:
    from worker.zoho.errors import CallFailed, Verdict

# What concerns the whole CRM, and the gate's word for it.
GATE_REASONS = {
    FailureClass.AUTH: Reason.AUTH,
    FailureClass.CONFIGURATION: Reason.CONFIGURATION,
    FailureClass.RATE: Reason.RATE,
    FailureClass.CREDITS: Reason.CREDITS,
}
OUTAGE = frozenset({FailureClass.TRANSIENT, FailureClass.UNKNOWN})


@dataclass(frozen=True, slots=True)
class Shut:
    """Shut the gate: why, what the CRM said, and the seconds it asked for (None: the reason's own spacing)."""

    reason: Reason
    detail: str
    seconds: float | None = None


def judge_row(verdict: Verdict) -> Outcome:
    """What one row's verdict means for the row. A whole-CRM failure on a row defers it (see `shut_for_row`)."""
    if verdict.ok and verdict.record_id:
        return Delivered(verdict.record_id, verdict.action or "insert")
    match verdict.failure:
        case FailureClass.RECORD | FailureClass.REQUEST | FailureClass.DUPLICATE:
            return Rejected(verdict.code, _about(verdict), verdict.field)
        case FailureClass.AUTH | FailureClass.CONFIGURATION | FailureClass.RATE | FailureClass.CREDITS:
            return Deferred(verdict.code, verdict.detail)
        case _:
            # Also a success without an id: never believed, never dropped.
            return Retryable(verdict.code, verdict.detail)


def _about(verdict: Verdict) -> str:
    return f"{verdict.field}: {verdict.detail}" if verdict.field else verdict.detail


def shut_for_row(verdict: Verdict) -> Shut | None:
    """The gate's order when a row's verdict concerns the whole CRM."""
    reason = GATE_REASONS.get(verdict.failure) if verdict.failure else None
    return None if reason is None else Shut(reason, f"{verdict.code} {verdict.detail}".strip())


def shut_for_call(failure: CallFailed) -> Shut | None:
    """The gate's order when a whole call failed for a reason of the CRM as a whole; None for an outage."""
    reason = GATE_REASONS.get(failure.failure)
    if reason is None:
        return None
    return Shut(reason, f"{failure.code} {failure.detail}".strip(), failure.retry_after_seconds)


def judge_call(failure: CallFailed, *, gate_shut: bool) -> Outcome:
    """What a failed call means for each of its rows: while the gate is shut it costs nothing."""
    if gate_shut:
        return Deferred(failure.code, failure.detail, wait=0.0)
    if failure.failure is FailureClass.REQUEST:
        return Rejected(failure.code, failure.detail)
    return Retryable(failure.code, failure.detail, failure.retry_after_seconds or 0.0)
