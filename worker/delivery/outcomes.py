"""Translation of the CRM's answers: the lifecycle's outcome for each row, and what to report to the gate."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeGuard

from leads.crm_state.gate import Reason
from leads.crm_state.permit import Permit
from leads.lifecycle import Deferred, Delivered, Outcome, Rejected, Retryable
from leads.outbox.lease import Mark
from worker.crm.port import CallFailed, FailureClass, RowResult
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


def judge(answers: Iterable[Answer], permit: Permit) -> tuple[list[Mark], bool]:
    """Return a mark for each row, and whether the CRM answered about any row.

    Each answer is judged before the next call is made; a failure of the whole CRM is reported to the gate at once.
    """
    marks: list[Mark] = []
    is_answered, has_shut = False, None
    for answer in answers:
        result, outcome = answer.result, _outcome(answer, permit)
        # A CRM that has just answered about other rows is not unavailable: these rows are the cause. And the parts
        # of a batch that was halved are one failure.
        if _is_outage(result) and not is_answered:
            if has_shut is None:
                has_shut = permit.report_failure([item.row.id for item in answer.items], _cause(result))
            outcome = _without_charge(result) if has_shut else outcome
        status = None if result is None else result.http_status
        for item in answer.items:
            note = f"without {', '.join(item.moved)}" if item.moved else None
            marks.append(Mark(item.row, outcome, answer.call_id, status, note))
        is_answered = is_answered or isinstance(result, RowResult)
    return marks, is_answered


def _is_outage(result: RowResult | CallFailed | None) -> TypeGuard[CallFailed]:
    return isinstance(result, CallFailed) and result.failure in OUTAGE


def _without_charge(failure: CallFailed) -> Deferred:
    """The outcome of a call that has shut the gate: it costs the rows no attempt."""
    return Deferred(failure.code, failure.detail, wait=0.0)


def _outcome(answer: Answer, permit: Permit) -> Outcome:
    result = answer.result
    if result is None:
        return LEASE_SHORT
    outcome = outcome_of_call(result) if isinstance(result, CallFailed) else outcome_of_row(result)
    order = shut_for(result)
    if order is not None:
        level = logging.ERROR if order.reason in {Reason.CONFIGURATION, Reason.CREDITS} else logging.WARNING
        log.log(level, "shutting the gate (%s): %s", order.reason, order.detail)
        permit.shut(order.reason, order.detail, order.seconds)
    elif _is_outage(result):
        log.warning("call %s failed: %s", answer.call_id, result)
    return outcome


def outcome_of_row(result: RowResult) -> Outcome:
    """The outcome of a row's result. A failure of the whole CRM defers the row (see `shut_for`)."""
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


def outcome_of_call(failure: CallFailed) -> Outcome:
    """The outcome of a failed call for each of its rows. A failure of the whole CRM costs them no attempt."""
    if failure.failure in GATE_REASONS:
        return Deferred(failure.code, failure.detail, wait=0.0)
    if failure.failure is FailureClass.REQUEST:
        return Rejected(failure.code, failure.detail)
    return Retryable(failure.code, failure.detail, failure.retry_after_seconds or 0.0)


def shut_for(result: RowResult | CallFailed) -> Shut | None:
    """The order to shut the gate after a failure of the whole CRM; None after any other, and after an outage."""
    reason = GATE_REASONS.get(result.failure) if result.failure else None
    if reason is None:
        return None
    seconds = result.retry_after_seconds if isinstance(result, CallFailed) else None
    return Shut(reason, _cause(result), seconds)


def _cause(result: RowResult | CallFailed) -> str:
    """The failure as the gate keeps it, for operators."""
    return f"{result.code} {result.detail}".strip()


def _detail(result: RowResult) -> str:
    return f"{result.field}: {result.detail}" if result.field else result.detail
