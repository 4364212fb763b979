"""The lifecycle (state machine) of a row that owes the CRM a call. Pure: no clock, no database, no randomness.

pending ─claim─► sending ─Delivered─► sent          retrying/pending ◄─Deferred─ sending
sending ─Retryable─► retrying (tries left) or dead   sending ─Rejected─► dead
sending ─lease lost─► retrying, then alone; dead when it killed three workers
dead/held ─redrive/release─► pending ◄─not in the CRM─ sent
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

# Waits between tries in seconds: 10 s, 30 s, 2, 5, 15, 30 min, 1 h, 2 h, then 4 h.
WAITS = (10.0, 30.0, 120.0, 300.0, 900.0, 1800.0, 3600.0, 7200.0, 14400.0)
# A row is given up when it is 72 h old and has made as many tries as fit into 72 h. Age alone buries nobody: a row
# that waits behind a shut gate makes no tries. Tries alone do not either: the end of an outage makes tries early.
MIN_AGE_DEAD = 72 * 3600.0
MIN_TRIES_DEAD = len(WAITS) + math.ceil((MIN_AGE_DEAD - sum(WAITS)) / WAITS[-1])
JITTER = 0.2
LOST_LEASES_ALONE = 2  # from the second loss on, a row is sent by itself so that it takes no other row down
# Waits of a row that is sent by itself, before its next try: no storm and no crash loop outlasts them.
WAITS_ALONE = (30.0, 900.0, 3600.0, 14400.0)
WORKERS_KILLED_DEAD = 3


class Status(StrEnum):
    """The state of a row, stored as `zoho_status`."""

    PENDING = "pending"
    SENDING = "sending"
    RETRYING = "retrying"
    SENT = "sent"
    DEAD = "dead"
    HELD = "held"


@dataclass(frozen=True, slots=True)
class Delivered:
    """The CRM has the record. `action` is what it did: insert or update."""

    record_id: str
    action: str = "insert"


@dataclass(frozen=True, slots=True)
class Retryable:
    """A later try may succeed; one try is spent. `not_before`: the minimum wait in seconds the CRM asked for."""

    code: str
    detail: str = ""
    not_before: float = 0.0


@dataclass(frozen=True, slots=True)
class Deferred:
    """The CRM as a whole cannot take rows now; no try is spent. `wait` is in seconds."""

    code: str
    detail: str = ""
    wait: float = 30.0


@dataclass(frozen=True, slots=True)
class Rejected:
    """The CRM will never take this row as it is. `field` is the CRM's name for the field at fault, if any."""

    code: str
    detail: str = ""
    field: str | None = None


Outcome = Delivered | Retryable | Deferred | Rejected


@dataclass(frozen=True, slots=True)
class Sync:
    """What the lifecycle needs of a row.

    Tries spent, leases lost, seconds since it entered the queue, and workers whose death only this row explains.
    """

    retry_count: int = 0
    lost_leases: int = 0
    age: float = 0.0
    workers_killed: int = 0

    @property
    def waiting_status(self) -> Status:
        """The state in which the row waits when no try was spent: a row that failed before is in the retry lane."""
        return Status.RETRYING if self.retry_count else Status.PENDING


@dataclass(frozen=True, slots=True)
class Loss:
    """What is known of a lost lease.

    `began`: the call to the CRM had begun. `is_proof`: only the row explains the loss, because it was alone in its
    process, its claimer is gone, and no other worker died in that time.
    """

    began: bool
    is_proof: bool


@dataclass(frozen=True, slots=True)
class Settled:
    """What to write to the row. `wait` is in seconds from the database's now; None when nothing is due any more."""

    status: Status
    retry_count: int
    wait: float | None
    record_id: str | None = None
    error: str | None = None

    @property
    def tried(self) -> bool:
        """True when a try was spent, which sets `last_retry_at`."""
        return self.status in {Status.RETRYING, Status.DEAD} and self.error is not None


def back_off(retry_count: int, jitter: float) -> float:
    """Return the seconds to wait after the `retry_count`-th failed try (from 1), ±20 % by `jitter` in [-1, 1]."""
    return _spread(WAITS[min(retry_count, len(WAITS)) - 1], jitter)


def _spread(wait: float, jitter: float) -> float:
    return wait * (1 + JITTER * jitter)


def settle(sync: Sync, outcome: Outcome, jitter: float) -> Settled:
    """Return what an outcome means for a row that is being sent. The caller draws `jitter` from [-1, 1]."""
    match outcome:
        case Delivered():
            return Settled(Status.SENT, sync.retry_count, None, record_id=outcome.record_id)
        case Rejected():
            return Settled(Status.DEAD, sync.retry_count + 1, None, error=_reason(outcome.code, outcome.detail))
        case Deferred():
            return Settled(sync.waiting_status, sync.retry_count, outcome.wait)
        case Retryable():
            return _retry(sync, outcome, jitter)


def _retry(sync: Sync, outcome: Retryable, jitter: float) -> Settled:
    count = sync.retry_count + 1
    wait = max(back_off(count, jitter), outcome.not_before)
    if sync.age >= MIN_AGE_DEAD and count >= MIN_TRIES_DEAD:
        reason = _reason(outcome.code, f"{outcome.detail} (no tries left after {count})".strip())
        return Settled(Status.DEAD, count, None, error=reason)
    return Settled(Status.RETRYING, count, wait, error=_reason(outcome.code, outcome.detail))


def lose_lease(sync: Sync, loss: Loss, jitter: float) -> Settled:
    """Return what becomes of a row whose worker was lost: due at once the first time, then alone after a wait.

    The lease that expired was the first wait: the death of a worker must not delay its rows any longer. A row that
    was not sent yet loses nothing. Only proof counts towards death: a crash loop must not bury what it carries.
    """
    if not loss.began:
        return Settled(sync.waiting_status, sync.retry_count, 0.0)
    count = sync.retry_count + 1
    if sync.workers_killed + loss.is_proof >= WORKERS_KILLED_DEAD:
        error = "WORKER_LOST: three workers died while they sent this row alone"
        return Settled(Status.DEAD, count, None, error=error)
    wait = _spread(WAITS_ALONE[min(sync.lost_leases, len(WAITS_ALONE)) - 1], jitter) if sync.lost_leases else 0.0
    return Settled(Status.RETRYING, count, wait, error="WORKER_LOST: the lease ran out")


def _reason(code: str, detail: str) -> str:
    return f"{code}: {detail}" if detail else code
