"""Translation of the CRM's replies: the lifecycle's outcome for each row, and what to report to the gate."""

from __future__ import annotations

from typing import assert_never

from leads.lifecycle import Deferred, Delivered, Outcome, Rejected, Retryable
from leads.outbox.gate import Reason
from worker.crm.port import FOUND, OVERWROTE, CallFailed, FailureClass, RowResult
from worker.crm.send import Item, Reply
from worker.destinations.port import Answer, Shut

# Each trial may overwrite another record: rarely, until an operator has mended the field and runs `resume`.
OVERWROTE_SECONDS = 4 * 3600.0
LEASE_SHORT = Deferred("LEASE_SHORT", "not sent, too little of the lease was left", 0.0)


def answer_of(reply: Reply) -> Answer:
    """Return what a reply means for its rows and for the gate."""
    result, rows = reply.result, [item.row for item in reply.items]
    if result is None:
        return Answer(rows, LEASE_SHORT, reply.call_id, answered=False)
    return Answer(
        rows,
        outcome_of_call(result) if isinstance(result, CallFailed) else outcome_of_row(result),
        reply.call_id,
        answered=isinstance(result, RowResult),
        outage=_cause(result) if _is_outage(result) else None,
        shut=shut_for(result),
        http_status=result.http_status,
        note=_note(reply.items[0]) if len(reply.items) == 1 else None,
    )


def _note(item: Item) -> str | None:
    return f"without {', '.join(item.moved)}" if item.moved else None


def _is_outage(result: RowResult | CallFailed) -> bool:
    is_silence = result.failure in {FailureClass.TRANSIENT, FailureClass.UNKNOWN}
    return isinstance(result, CallFailed) and is_silence


def outcome_of_row(result: RowResult) -> Outcome:
    """The outcome of a row's result. A failure of the whole CRM defers the row (see `shut_for`)."""
    if result.ok and result.record_id:
        return Delivered(result.record_id, result.action or "insert", FOUND if result.code == FOUND else None)
    match result.failure:
        case FailureClass.RECORD | FailureClass.REQUEST | FailureClass.DUPLICATE:
            return Rejected(result.code, _detail(result), result.field)
        case FailureClass.AUTH | FailureClass.CONFIGURATION | FailureClass.RATE | FailureClass.CREDITS:
            return Deferred(result.code, result.detail)
        case FailureClass.TRANSIENT | FailureClass.UNKNOWN | FailureClass.GONE | None:
            # None is a success without an id: it is not trusted, and the row is sent again.
            return Retryable(result.code, result.detail)
    assert_never(result.failure)


def outcome_of_call(failure: CallFailed) -> Outcome:
    """The outcome of a failed call for each of its rows. A failure of the whole CRM costs them no attempt."""
    match failure.failure:
        case FailureClass.AUTH | FailureClass.CONFIGURATION | FailureClass.RATE | FailureClass.CREDITS:
            return Deferred(failure.code, failure.detail, wait=0.0)
        case FailureClass.REQUEST:
            return Rejected(failure.code, failure.detail)
        case (
            FailureClass.TRANSIENT
            | FailureClass.UNKNOWN
            | FailureClass.RECORD
            | FailureClass.DUPLICATE
            | FailureClass.GONE
        ):
            return Retryable(failure.code, failure.detail, failure.retry_after_seconds or 0.0)
    assert_never(failure.failure)


def shut_for(result: RowResult | CallFailed) -> Shut | None:
    """The order to shut the gate after a failure of the whole CRM; None after any other, and after an outage."""
    reason = None if result.failure is None else _reason(result.failure)
    if reason is None:
        return None
    if isinstance(result, CallFailed):
        return Shut(reason, _cause(result), result.retry_after_seconds)
    return Shut(reason, _cause(result), OVERWROTE_SECONDS if result.code == OVERWROTE else None)


def _reason(failure: FailureClass) -> Reason | None:
    match failure:
        case FailureClass.AUTH:
            return Reason.AUTH
        case FailureClass.CONFIGURATION:
            return Reason.CONFIGURATION
        case FailureClass.RATE:
            return Reason.RATE
        case FailureClass.CREDITS:
            return Reason.CREDITS
        case (
            FailureClass.RECORD
            | FailureClass.REQUEST
            | FailureClass.TRANSIENT
            | FailureClass.UNKNOWN
            | FailureClass.DUPLICATE
            | FailureClass.GONE
        ):
            return None
    assert_never(failure)


def _cause(result: RowResult | CallFailed) -> str:
    """The failure as the gate keeps it, for operators."""
    return f"{result.code} {result.detail}".strip()


def _detail(result: RowResult) -> str:
    return f"{result.field}: {result.detail}" if result.field else result.detail
