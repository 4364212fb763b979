"""Translation of the CRM's answers: the lifecycle's outcome for each row, and what to report to the gate."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from leads.crm_state.gate import Reason
from leads.lifecycle import Deferred, Delivered, Outcome, Rejected, Retryable
from leads.outbox.lease import Mark
from worker.crm.port import CallFailed, FailureClass

if TYPE_CHECKING:
    from leads.crm_state.permit import Permit
    from worker.crm.port import RowResult
    from worker.delivery.send import Answer

log = logging.getLogger(__name__)

# Failures of the CRM as a whole, with the gate's reason for each.
GATE_REASONS = {
    FailureClass.AUTH: Reason.AUTH,
    FailureClass.CONFIGURATION: Reason.CONFIGURATION,
    FailureClass.RATE: Reason.RATE,
    FailureClass.CREDITS: Reason.CREDITS,
}
OUTAGE = frozenset({FailureClass.TRANSIENT, FailureClass.UNKNOWN})
LEASE_SHORT = Deferred("LEASE_SHORT", "not sent, too little of the lease was left", 0.0)


@dataclass(frozen=True, slots=True)
class Shut:
    """An order to shut the gate: the reason, the failure's code and detail, the seconds until the first probe.

    seconds is what the CRM asked for; None for the reason's own spacing.
    """

    reason: Reason
    detail: str
    seconds: float | None = None


def judge(answer: Answer, permit: Permit) -> list[Mark]:
    """Return a mark for each row of an answer; a failure of the whole CRM is reported to the gate at once."""
    result = answer.result
    if result is None:
        outcome: Outcome = LEASE_SHORT
    elif isinstance(result, CallFailed):
        outcome = outcome_of_call(result, gate_shut=_report_call(answer, result, permit))
    else:
        outcome = outcome_of_row(result)
        _shut(shut_for_row(result), permit)
    status = None if result is None else result.http_status
    return [
        Mark(item.row, outcome, answer.call_id, status, f"without {', '.join(item.moved)}" if item.moved else None)
        for item in answer.items
    ]


def outcome_of_row(result: RowResult) -> Outcome:
    """The outcome of a row's result. A failure of the whole CRM defers the row (see `shut_for_row`)."""
    if result.ok and result.record_id:
        return Delivered(result.record_id, result.action or "insert")
    match result.failure:
        case FailureClass.RECORD | FailureClass.REQUEST | FailureClass.DUPLICATE:
            return Rejected(result.code, _detail(result), result.field)
        case FailureClass.AUTH | FailureClass.CONFIGURATION | FailureClass.RATE | FailureClass.CREDITS:
            return Deferred(result.code, result.detail)
        case _:
            # Includes a success without an id: it is not trusted, and the row is sent again.
            return Retryable(result.code, result.detail)


def outcome_of_call(failure: CallFailed, *, gate_shut: bool) -> Outcome:
    """The outcome of a failed call for each of its rows; while the gate is shut it costs them no attempt."""
    if gate_shut:
        return Deferred(failure.code, failure.detail, wait=0.0)
    if failure.failure is FailureClass.REQUEST:
        return Rejected(failure.code, failure.detail)
    return Retryable(failure.code, failure.detail, failure.retry_after_seconds or 0.0)


def shut_for_row(result: RowResult) -> Shut | None:
    """The order to shut the gate when a row's result is a failure of the whole CRM; else None."""
    reason = GATE_REASONS.get(result.failure) if result.failure else None
    return None if reason is None else Shut(reason, f"{result.code} {result.detail}".strip())


def shut_for_call(failure: CallFailed) -> Shut | None:
    """The order to shut the gate when a call failed for a reason of the CRM as a whole; None for an outage."""
    reason = GATE_REASONS.get(failure.failure)
    if reason is None:
        return None
    return Shut(reason, f"{failure.code} {failure.detail}".strip(), failure.retry_after_seconds)


def _report_call(answer: Answer, failure: CallFailed, permit: Permit) -> bool:
    """Report a failed call to the gate; return whether the gate is shut now."""
    if failure.failure in OUTAGE:
        log.warning("call %s failed: %s", answer.call_id, failure)
        return permit.report_failure([item.row.id for item in answer.items], str(failure))
    return _shut(shut_for_call(failure), permit)


def _shut(order: Shut | None, permit: Permit) -> bool:
    if order is None:
        return False
    level = logging.ERROR if order.reason in {Reason.CONFIGURATION, Reason.CREDITS} else logging.WARNING
    log.log(level, "shutting the gate (%s): %s", order.reason, order.detail)
    permit.shut(order.reason, order.detail, order.seconds)
    return True


def _detail(result: RowResult) -> str:
    return f"{result.field}: {result.detail}" if result.field else result.detail
