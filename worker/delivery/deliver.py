"""One batch from claim to mark: claim and commit; call; settle; mark and commit. Never a call in a transaction."""

from __future__ import annotations

import logging
import time
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING
from uuid import uuid4

from leads.crm_state.concurrency import take_slot
from leads.crm_state.gate import read_gate, report_success, take_probe
from leads.lifecycle import LOST_LEASES_ALONE, Status
from leads.outbox.lease import claim
from leads.outbox.rows import Lane
from leads.outbox.stats import count_due
from worker.crash import CrashPoint, crash
from worker.delivery.marking import mark_patiently
from worker.delivery.repeats import know_repeats
from worker.delivery.send import send

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leads.crm_state.gate import Gate
    from leads.outbox.lease import Verdict
    from worker.context import Crm

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Summary:
    """What one delivery did, as Flower shows it. `gate`: why nothing was sent, when that was the gate."""

    lane: str
    claimed: int = 0
    sent: int = 0
    retrying: int = 0
    dead: int = 0
    deferred: int = 0
    fenced: int = 0
    gate: str | None = None
    full: bool = False

    def as_result(self) -> dict[str, object]:
        """The summary without its zeros, for a task's result."""
        return {name: value for name, value in asdict(self).items() if value}


def deliver(crm: Crm, lane: Lane, *, spare: bool = False) -> Summary:
    """Claim one batch of a lane, send it, and write down what became of it. `spare`: see `take_slot`."""
    if crm.stopping.is_set():
        return Summary(str(lane), gate="stopping")
    gate = read_gate(crm.engine)
    if lane is Lane.RETRY and _is_scarce(crm, gate):
        return Summary(str(lane), gate="credits are kept for fresh leads")
    cap = min(crm.settings.crm_calls_in_flight, gate.concurrency or crm.settings.crm_calls_in_flight)
    with take_slot(crm.engine, lane, cap=cap, spare=spare) as free:
        if not free:
            return Summary(str(lane), gate="every slot is busy")
        if not gate.is_open and not _may_probe(crm, lane, gate):
            return Summary(str(lane), gate=gate.reason)
        return _deliver(crm, lane, gate)


def deliver_retries(crm: Crm) -> Summary:
    """Deliver retries on one of this process's turns, batch after batch for a tick's time; gives the last batch.

    A turn that rang for each next batch would often ring in vain: the bell is lost wherever all turns are taken.
    """
    for turns, deliver_next in ((crm.retry_turns, _deliver_retry), (crm.spare_turns, _deliver_on_spare)):
        if turns.acquire(blocking=False):
            try:
                until = time.monotonic() + crm.settings.crm_tick_seconds
                summary = deliver_next(crm)
                while summary.full and time.monotonic() < until:
                    summary = deliver_next(crm)
                return summary
            finally:
                turns.release()
    return Summary(str(Lane.RETRY), gate="every turn is busy")


def _deliver_retry(crm: Crm) -> Summary:
    return deliver(crm, Lane.RETRY)


def _deliver_on_spare(crm: Crm) -> Summary:
    """A retry, where fresh rows leave a thread idle: whatever of them is due goes first, before each batch."""
    fresh = deliver(crm, Lane.FRESH)
    return fresh if fresh.full else deliver(crm, Lane.RETRY, spare=True)


def _deliver(crm: Crm, lane: Lane, gate: Gate) -> Summary:
    rows = 1 if not gate.is_open else crm.settings.crm_batch_rows
    crash(crm.settings.crash_at, CrashPoint.BEFORE_CLAIM)
    call_id = uuid4().hex
    started = time.monotonic()
    claimed = claim(
        crm.engine,
        lane,
        rows=rows,
        lease_seconds=crm.settings.crm_lease_seconds,
        call_id=call_id,
        requeued=not _is_scarce(crm, gate),
        while_open=gate.is_open,
    )
    if not claimed:
        return Summary(str(lane))
    crash(crm.settings.crash_at, CrashPoint.AFTER_CLAIM)
    sending = send(
        crm, know_repeats(crm, claimed, call_id), call_id, deadline=started + crm.settings.crm_lease_seconds / 2
    )
    crash(crm.settings.crash_at, CrashPoint.BEFORE_MARK)
    marked = mark_patiently(crm, sending.verdicts)
    crash(crm.settings.crash_at, CrashPoint.AFTER_MARK)
    # After the mark: a database that fails here costs the gate some seconds, and no verdict.
    if sending.answered and _worth_reporting(crm, gate):
        report_success(
            crm.engine,
            cap=crm.settings.crm_calls_in_flight,
            probed=None if gate.is_open else gate.reason,
            credits_left=crm.client.credits_left,
        )
    # A row that goes alone says nothing of how many others wait.
    full = gate.is_open and (len(claimed) >= rows or claimed[0].sync.lost_leases >= LOST_LEASES_ALONE)
    summary = _summarize(lane, sending.verdicts, claimed=len(claimed), marked=marked, full=full)
    log.info("delivered %s", summary.as_result())
    return summary


def _summarize(lane: Lane, verdicts: Sequence[Verdict], *, claimed: int, marked: int, full: bool) -> Summary:
    ended = Counter(verdict.settled.status for verdict in verdicts)
    dead = Status.DEAD
    return Summary(
        str(lane),
        claimed=claimed,
        sent=ended[Status.SENT],
        retrying=sum(verdict.event == "retryable" and verdict.settled.status != dead for verdict in verdicts),
        dead=ended[dead],
        deferred=sum(verdict.event == "deferred" for verdict in verdicts),
        fenced=claimed - marked,
        full=full,
    )


def _is_scarce(crm: Crm, gate: Gate) -> bool:
    """Whether the day's last credits are kept for fresh rows."""
    return gate.credits_left is not None and gate.credits_left < crm.settings.crm_credits_reserve


def _worth_reporting(crm: Crm, gate: Gate) -> bool:
    """Whether a success changes anything: most successes follow a success, and then nothing is written."""
    troubled = bool(gate.failures) or not gate.is_open or gate.concurrency is not None
    return troubled or crm.client.credits_left is not None or gate.credits_left is not None


def _may_probe(crm: Crm, lane: Lane, gate: Gate) -> bool:
    """Whether this worker may send one row through the shut gate; a probe is not spent on an empty lane."""
    if not gate.probe_due or not count_due(crm.engine, lane, most=1):
        return False
    return take_probe(crm.engine, gate.reason)
