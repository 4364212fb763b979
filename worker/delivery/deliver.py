"""Delivery of one batch: claim and commit; send; judge; mark and commit. No call is made inside a transaction."""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from uuid import uuid4

from sqlalchemy import Engine

from leads.crm_state.permit import CallLimits, NotPermitted, Permit, hold_permit
from leads.crm_state.workers import Worker
from leads.ids import short_id
from leads.lifecycle import LOST_LEASES_ALONE, Deferred, Delivered
from leads.outbox.lease import Mark, claim, mark
from leads.outbox.repeats import choose_merges
from leads.outbox.rows import Claimed, Lane
from worker.crash import CrashPoint, crash
from worker.crm.port import Crm
from worker.delivery.fields import MappingConfig
from worker.delivery.outcomes import judge
from worker.delivery.send import prepare, send

log = logging.getLogger(__name__)

# How long a row that is sent alone waits for the other calls of its process, at most: as long as a call may take.
# Most take a fraction of a second.
ALONE_PATIENCE_SECONDS = 25.0
MAX_ROWS_NAMED = 10
NOT_ALONE = Deferred("NOT_ALONE", "not sent, other calls of the process did not end", 30.0)


@dataclass(frozen=True, slots=True)
class DeliveryContext:
    """What the deliveries of one process share. `stopping` is set when the process was asked to end.

    `retry_turns`: retries use at most half of the threads, so that fresh rows keep the other half. `spare_turns`:
    while no fresh row is due, all threads of that other half but one deliver retries too. A turn lasts
    `turn_seconds`.
    """

    engine: Engine
    crm: Crm
    worker: Worker
    limits: CallLimits
    mapping: MappingConfig
    batch_rows: int
    lease_seconds: float
    merge_repeats: bool
    turn_seconds: float
    retry_turns: threading.Semaphore
    spare_turns: threading.Semaphore
    stopping: threading.Event


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of one delivery, as Flower shows it; the counts of rows are those of `leads.outbox.lease.Tally`.

    `codes`: why rows were not sent, with their number. `rows`: the beginnings of the ids of the first of these.
    `gate`: why nothing was sent when no call was permitted.
    """

    lane: str
    claimed: int = 0
    sent: int = 0
    retrying: int = 0
    dead: int = 0
    deferred: int = 0
    fenced: int = 0
    codes: dict[str, int] | None = None
    rows: tuple[str, ...] = ()
    gate: str | None = None
    full: bool = False

    def as_result(self) -> dict[str, object]:
        """The summary without its zeros, for a task's result."""
        return {name: value for name, value in asdict(self).items() if value}


def deliver(context: DeliveryContext, lane: Lane, *, spare: bool = False, seconds: float = 0.0) -> Summary:
    """Claim a batch of a lane, send it, and mark the results; under one permit, on to the next for so many seconds.

    The next follows only a full batch that was delivered whole: what else happened is for the next permit to see.

    Args:
        context: What the deliveries of this process share.
        lane: Whose rows to deliver.
        spare: See `acquire_call_slot`.
        seconds: How long to go on; 0 for one batch.

    Returns:
        The summary of the last batch.
    """
    if context.stopping.is_set():
        return Summary(str(lane), gate="stopping")
    until = time.monotonic() + seconds
    try:
        with hold_permit(context.engine, context.limits, lane, spare=spare, may_probe=True) as permit:
            summary = _deliver_batch(context, permit, lane)
            if not _goes_on(context, permit, summary, until):
                return summary
            with ThreadPoolExecutor(1, "mate") as mate:
                beside = mate.submit(_deliver_beside, context, permit, lane, until)
                summary = _go_on(context, permit, lane, until)
            # The one that says more: what was not delivered, that more rows wait, or that there were any.
            return max(
                summary, beside.result(), key=lambda each: (each.sent < each.claimed, each.full, each.claimed)
            )
    except NotPermitted as refusal:
        return Summary(str(lane), gate=refusal.gate_reason or str(refusal))


def _deliver_beside(context: DeliveryContext, permit: Permit, lane: Lane, until: float) -> Summary:
    """Deliver on a second thread: one claims, maps and marks while the other's call is under way.

    Rows that must be sent alone are for the first thread: it can wait until this one has ended.
    """
    with context.limits.process.join() as is_free:
        return _go_on(context, permit, lane, until, alone=False) if is_free else Summary(str(lane))


def _go_on(context: DeliveryContext, permit: Permit, lane: Lane, until: float, *, alone: bool = True) -> Summary:
    summary = _deliver_batch(context, permit, lane, alone=alone)
    while _goes_on(context, permit, summary, until):
        summary = _deliver_batch(context, permit, lane, alone=alone)
    return summary


def _goes_on(context: DeliveryContext, permit: Permit, summary: Summary, until: float) -> bool:
    is_whole = summary.full and summary.sent == summary.claimed
    return is_whole and time.monotonic() < until and not context.stopping.is_set() and not permit.is_asked_to_end


def deliver_fresh(context: DeliveryContext) -> Summary:
    """Deliver fresh rows, batch after batch for a tick's time; return the last summary."""
    return deliver(context, Lane.FRESH, seconds=context.turn_seconds)


def deliver_retries(context: DeliveryContext) -> Summary:
    """Deliver retries on one of this process's turns, batch after batch for a tick's time; return the last summary.

    Ringing for each next batch instead would often be in vain: a bell is lost where all turns are taken.
    """
    for turns, deliver_next in (
        (context.retry_turns, _deliver_retry),
        (context.spare_turns, _deliver_on_spare),
    ):
        if turns.acquire(blocking=False):
            try:
                return _repeat_while_full(context, deliver_next)
            finally:
                turns.release()
    return Summary(str(Lane.RETRY), gate="every turn is busy")


def _repeat_while_full(context: DeliveryContext, deliver_next: Callable[[DeliveryContext], Summary]) -> Summary:
    until = time.monotonic() + context.turn_seconds
    summary = deliver_next(context)
    while summary.full and time.monotonic() < until:
        summary = deliver_next(context)
    return summary


def _deliver_retry(context: DeliveryContext) -> Summary:
    return deliver(context, Lane.RETRY, seconds=context.turn_seconds)


def _deliver_on_spare(context: DeliveryContext) -> Summary:
    """Deliver a batch of retries on a thread that fresh rows leave idle; due fresh rows go first, every time."""
    fresh = deliver(context, Lane.FRESH)
    return fresh if fresh.full else deliver(context, Lane.RETRY, spare=True)


def _deliver_batch(context: DeliveryContext, permit: Permit, lane: Lane, *, alone: bool = True) -> Summary:
    engine, crm = context.engine, context.crm
    max_rows = 1 if permit.is_probe else min(context.batch_rows, crm.capabilities.max_rows)
    crash(CrashPoint.BEFORE_CLAIM)
    call_id = uuid4().hex
    deadline = time.monotonic() + context.lease_seconds / 2
    claimed = claim(
        engine,
        lane,
        rows=max_rows,
        lease_seconds=context.lease_seconds,
        call_id=call_id,
        requeued=not permit.credits_are_scarce,
        alone=alone,
        while_open=not permit.is_probe,
    )
    if not claimed:
        return Summary(str(lane))
    crash(CrashPoint.AFTER_CLAIM)
    marks, is_answered = _send(context, permit, claimed, call_id, deadline)
    crash(CrashPoint.BEFORE_MARK)
    tally = mark(engine, marks)
    crash(CrashPoint.AFTER_MARK)
    # After the mark: if the database fails here, the gate is updated some seconds later, and no result is lost.
    if is_answered:
        permit.report_answer(crm.credits_left)
    # A row that is sent alone does not show how many others wait.
    full = not permit.is_probe and (len(claimed) >= max_rows or _goes_alone(claimed))
    failed = [(mark.row.id, mark.outcome.code) for mark in marks if not isinstance(mark.outcome, Delivered)]
    summary = Summary(
        str(lane),
        claimed=len(claimed),
        full=full,
        codes=dict(Counter(code for _, code in failed)),
        rows=tuple(short_id(row_id) for row_id, _ in failed[:MAX_ROWS_NAMED]),
        **asdict(tally),
    )
    _log(summary, call_id, claimed)
    return summary


def _log(summary: Summary, call_id: str, claimed: Sequence[Claimed]) -> None:
    """Name the call as the CRM's own log does, and the rows as far as `show` needs it."""
    ids = [short_id(row.id) for row in claimed]
    extra = {"call": call_id, "rows": ids}
    log.info("delivered %s, call %s, rows %s", summary.as_result(), call_id, " ".join(ids), extra=extra)


def _send(
    context: DeliveryContext, permit: Permit, claimed: Sequence[Claimed], call_id: str, deadline: float
) -> tuple[list[Mark], bool]:
    """Send what was claimed; return the marks, and whether the CRM answered about any row."""
    rows = choose_merges(context.engine, claimed, call_id) if context.merge_repeats else claimed
    items = prepare(rows, context.mapping)
    must_be_alone = _goes_alone(claimed)
    patience = max(0.0, min(ALONE_PATIENCE_SECONDS, deadline - time.monotonic()))
    with permit.alone(patience) if must_be_alone else nullcontext(enter_result=False) as is_alone:
        if must_be_alone and not is_alone:
            return [Mark(item.row, NOT_ALONE, call_id) for item in items], False
        with permit.calling:
            # From here on a lost lease is held against the rows.
            context.worker.begin_call(call_id, alone=is_alone)
            # A generator: each answer is judged before the next call is made.
            answers = send(context.crm, items, context.mapping, call_id=call_id, deadline=deadline)
            return judge(answers, permit)


def _goes_alone(claimed: Sequence[Claimed]) -> bool:
    return claimed[0].sync.lost_leases >= LOST_LEASES_ALONE
