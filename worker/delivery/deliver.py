"""Delivery of a batch to a destination: claim and commit; send; judge; mark and commit.

The calls to a destination are few, and take long. So a thread holds a slot for its calls alone, and others claim
and mark meanwhile. No call is made inside a transaction. The destination's adapter makes the calls
(`worker.destinations.port`).
"""

from __future__ import annotations

import logging
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import asdict, dataclass, field, fields, replace
from operator import attrgetter
from uuid import UUID, uuid4

from sqlalchemy import Engine

from leads.db import DATABASE_ERRORS, error_name
from leads.ids import short_id
from leads.lifecycle import LOST_LEASES_ALONE, Deferred, Delivered, Retryable
from leads.outbox.due import SEARCHES, Search, find_due
from leads.outbox.gate import Reason
from leads.outbox.lease import Mark, Tally, begin, claim, mark
from leads.outbox.permit import NotPermitted, Permit, hold_permit
from leads.outbox.rows import Claimed, Lane
from worker.delivery.judge import Judge
from worker.destinations.port import NOT_TRIED, Answer, Call, Destination

log = logging.getLogger(__name__)

MAX_ROWS_NAMED = 10
# Until the next try of a call that the database failed.
PAUSE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class DeliveryContext:
    """What the deliveries of one process share. `stopping` is set when the process was asked to end.

    retry_turns: retries use all threads but one. turn_seconds: how long one goes on, batch after batch. arrived: is
    called with what was delivered, and to whom.
    """

    engine: Engine
    stopping: threading.Event
    retry_turns: threading.Semaphore
    turn_seconds: float
    arrived: Callable[[str, Sequence[UUID]], None]


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of one delivery, as Flower shows it; the counts of rows are those of `leads.outbox.lease.Tally`.

    `codes`: why rows were not sent, with their number. `rows`: the beginnings of the ids of the first of these.
    `gate`: why nothing was sent when no call was permitted. `full`: more rows may be due.
    """

    lane: str
    claimed: int = 0
    sent: int = 0
    retrying: int = 0
    dead: int = 0
    deferred: int = 0
    fenced: int = 0
    skipped: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    rows: tuple[str, ...] = ()
    gate: str | None = None
    full: bool = False

    def as_result(self) -> dict[str, object]:
        """The summary without its zeros, for a task's result."""
        # Not `asdict`, which counts the items of a Counter.
        return {each.name: value for each in fields(self) if (value := getattr(self, each.name))}

    def with_next(self, last: Summary) -> Summary:
        """The summary of this and the next batch."""
        counts = ("claimed", "sent", "retrying", "dead", "deferred", "fenced", "skipped")
        return replace(
            last,
            **{name: getattr(self, name) + getattr(last, name) for name in counts},
            codes=self.codes + last.codes,
            rows=(self.rows + last.rows)[:MAX_ROWS_NAMED],
        )


def deliver(context: DeliveryContext, destination: Destination, lane: Lane, *, seconds: float = 0.0) -> Summary:
    """Claim a batch of a lane, send it, and mark the results; go on while batches are full, for so many seconds.

    Each batch has a permit of its own, so that the gate, credits and slots are looked at before each.

    Returns:
        The summary of all batches.
    """
    until = time.monotonic() + seconds
    summary = _deliver_batch(context, destination, lane)
    while summary.full and time.monotonic() < until:
        summary = summary.with_next(_deliver_batch(context, destination, lane))
    return summary


def deliver_on_turn(context: DeliveryContext, destination: Destination, lane: Lane) -> Summary:
    """Deliver for one turn. A thread stays free of retries, so that a fresh row never waits for all of them."""
    if lane is Lane.FRESH:
        return deliver(context, destination, lane, seconds=context.turn_seconds)
    if not context.retry_turns.acquire(blocking=False):
        return Summary(str(lane), gate="every turn is busy")
    try:
        return deliver(context, destination, lane, seconds=context.turn_seconds)
    finally:
        context.retry_turns.release()


def _deliver_batch(context: DeliveryContext, destination: Destination, lane: Lane) -> Summary:
    if context.stopping.is_set():
        return Summary(str(lane), gate="stopping")
    chosen = destination.choose(lane, destination.max_rows)
    if chosen is not None and not chosen:
        return Summary(str(lane))
    # What wakes a worker is mostly a new lead: it is claimed without a question.
    newest = SEARCHES[lane][0]
    if lane is Lane.FRESH:
        summary = _claim_and_send(context, destination, lane, chosen, [newest])
        if summary.claimed:
            return summary
    lanes = find_due(context.engine, destination.name)
    due = lanes.get(lane, [])
    if lane is Lane.FRESH and due and newest not in due:  # else the gate is shut
        summary = _claim_and_send(context, destination, lane, chosen, due)
        if summary.claimed:
            return summary
    return _send_under_permit(context, destination, lane, chosen, lanes) if due else Summary(str(lane))


def _send_under_permit(
    context: DeliveryContext,
    destination: Destination,
    lane: Lane,
    chosen: Sequence[UUID] | None,
    lanes: Mapping[Lane, Sequence[Search]],
) -> Summary:
    """Not ahead of its slot: a retry takes only one that is free, and a probe is a single row."""
    due = lanes[lane]
    # A probe must come back: rows that may end their worker leave it to the other lane, or come last in this one.
    has_better = len(lanes) > 1 and all(search.alone for search in due)
    probe_of = None if has_better else destination.name
    try:
        with hold_permit(context.engine, destination.limits, lane, probe_of=probe_of) as permit:
            searches = sorted(due, key=attrgetter("alone")) if permit.is_probe else due
            return _claim_and_send(context, destination, lane, chosen, searches, permit)
    except NotPermitted as refusal:
        return Summary(str(lane), gate=refusal.gate_reason or str(refusal))


def _claim_and_send(  # noqa: PLR0913, PLR0917 - what one batch is made of
    context: DeliveryContext,
    destination: Destination,
    lane: Lane,
    chosen: Sequence[UUID] | None,
    searches: Sequence[Search],
    permit: Permit | None = None,
) -> Summary:
    """Send a batch under the permit, or under one that is waited for once the batch is ready."""
    engine, limits, judge = context.engine, destination.limits, Judge()
    is_probe = permit is not None and permit.is_probe
    # A wrong configuration refuses a batch as it refuses one row, and a bad row must not stand for all that wait.
    is_narrow = permit is not None and is_probe and permit.gate.reason != Reason.CONFIGURATION
    max_rows = 1 if is_narrow else destination.max_rows
    deadline = time.monotonic() + destination.lease_seconds / 2
    begun = set[UUID]()

    def begin_call(rows: Sequence[Claimed]) -> list[Claimed]:
        ours = begin(engine, rows)
        begun.update(row.id for row in ours)
        return ours

    def take_slot() -> None:
        nonlocal permit
        if permit is None:
            permit = slot.enter_context(hold_permit(engine, limits, lane, may_wait=call.may_begin))
        judge.permit = permit

    slot = ExitStack()
    call = Call(uuid4().hex, deadline, begin_call, take_slot, context.stopping.is_set, begun)
    claimed = claim(
        engine,
        lane,
        rows=max_rows,
        lease_seconds=destination.lease_seconds,
        call_id=call.id,
        destination=destination.name,
        gate=limits.destination,
        among=chosen,
        while_open=not is_probe,
        searches=searches,
    )
    if not claimed:
        return Summary(str(lane))
    tally, marks = _send(context, destination, judge, claimed, call, slot)
    # A row that is sent alone does not show how many others wait.
    is_full = len(claimed) >= max_rows or claimed[0].sync.lost_leases >= LOST_LEASES_ALONE
    failed = [(mark.row.id, mark.outcome.code) for mark in marks if not isinstance(mark.outcome, Delivered)]
    summary = Summary(
        str(lane),
        len(claimed),
        **asdict(tally),
        codes=Counter(code for _, code in failed),
        rows=tuple(short_id(row_id) for row_id, _ in failed[:MAX_ROWS_NAMED]),
        full=is_full and not is_probe,
    )
    _log(destination, summary, call.id, claimed)
    return summary


def _send(  # noqa: PLR0913, PLR0917 - the parts of one batch
    context: DeliveryContext,
    destination: Destination,
    judge: Judge,
    claimed: Sequence[Claimed],
    call: Call,
    slot: AbstractContextManager[object],
) -> tuple[Tally, list[Mark]]:
    """Send what was claimed, and mark the results: together, or each at once where a repeat would be noticed."""
    engine = context.engine
    written, marks = Tally(), list[Mark]()
    waiting = list[Mark]()
    with slot:
        for portion in judge.marks_of(_answers(destination, claimed, call)):
            waiting += portion
            if not destination.is_repeatable:
                written, marks, waiting = written + mark(engine, waiting), marks + waiting, []
    waiting += [Mark(row, NOT_TRIED, call.id) for row in claimed if row.id not in judge.rows]
    waiting, is_refused = judge.excuse(waiting)
    written += mark(engine, waiting)
    # After the mark: if the database fails here, the gate is updated some seconds later, and no result is lost.
    if judge.is_answered and not is_refused and not judge.is_stopped:
        judge.permit.report_answer(after_failure=judge.has_failed)
    marks += waiting
    if delivered := [mark.row.id for mark in marks if isinstance(mark.outcome, Delivered)]:
        context.arrived(destination.name, delivered)
    return written, marks


def _answers(destination: Destination, claimed: Sequence[Claimed], call: Call) -> Iterator[Answer]:
    """The adapter's answers. A row on which its code fails is tried again by itself, and the others go on.

    That row is the one whose call had begun. Where several had, they are left to their lease: each goes alone then.
    A failure of the database costs no row anything.
    """
    left = list(claimed)
    while left:
        answered = set[UUID]()
        try:
            for answer in destination.send(left, call):
                answered.update(row.id for row in answer.rows)
                yield answer
        except NotPermitted as refusal:
            rows = [row for row in left if row.id not in answered]
            yield Answer(rows, NOT_TRIED, call.id, answered=False, note=str(refusal))
            return
        except DATABASE_ERRORS as error:
            log.warning("the database failed a call to %s (%s)", destination.name, error_name(error))
            rows = [row for row in left if row.id not in answered]
            yield Answer(
                rows, Deferred("DATABASE_FAILED", error_name(error), PAUSE_SECONDS), call.id, answered=False
            )
            return
        except Exception as error:
            left = [row for row in left if row.id not in answered]
            failed = [row for row in left if row.id in call.begun]
            if len(failed) != 1:
                raise
            # Not the error's message: it may quote what a person wrote.
            frame = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{type(error).__name__} in {frame.name}, line {frame.lineno}"
            log.error("%s %s fails the code for %s: %s", failed[0].kind, failed[0].id, destination.name, where)  # noqa: TRY400
            left.remove(failed[0])
            yield Answer(failed, Retryable("ADAPTER_FAILED", where), call.id, answered=False)
        else:
            return


def _log(destination: Destination, summary: Summary, call_id: str, claimed: Sequence[Claimed]) -> None:
    """Name the call as the CRM's own log does, and the rows as far as `show` needs it."""
    ids = [short_id(row.id) for row in claimed]
    extra = {"call": call_id, "rows": ids, "destination": destination.name}
    words = "delivered to %s %s, call %s, rows %s"
    log.info(words, destination.name, summary.as_result(), call_id, " ".join(ids), extra=extra)
