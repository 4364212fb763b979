"""The lifecycle (state machine) of a row of the outbox. Pure: no clock, no database, no randomness.

pending ─claim─► sending ─Delivered─► sent          retrying/pending ◄─Deferred─ sending
sending ─Retryable─► retrying (tries left) or dead   sending ─Rejected─► dead
sending ─lease lost─► retrying; from the second loss on alone and rarely, for as long as it takes
dead/held ─redrive/release─► pending ◄─not in the CRM─ sent
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

# Waits between tries in seconds: 10 s, 30 s, 2, 5, 15, 30 min, 1 h, 2 h, then 4 h.
WAITS = (10.0, 30.0, 120.0, 300.0, 900.0, 1800.0, 3600.0, 7200.0, 14400.0)
# A row is given up when it is 72 h old and has made as many tries as fit into 72 h. Age alone is not enough: a
# row that waits behind a shut gate makes no tries. Nor is the number of tries enough: when an outage ends, retries
# are pulled forward.
MIN_AGE_DEAD = 72 * 3600.0
MIN_TRIES_DEAD = len(WAITS) + math.ceil((MIN_AGE_DEAD - sum(WAITS)) / WAITS[-1])
JITTER = 0.2
LOST_LEASES_ALONE = 2  # from the second loss on, a row is sent by itself so that it takes no other row down
# Waits of a row that is sent by itself, before its next try: no storm and no crash loop outlasts them.
WAITS_ALONE = (30.0, 900.0, 3600.0, 14400.0)
# Seconds after a call whose reply was lost: longer than the CRM may still work on it, and write older words last.
LOST_CALL_WAIT = 120.0
LOST_LEASES_ALARM = 5  # from then on an operator is told: one of the row's calls may kill its worker


class Status(StrEnum):
    """The state of a row. On the way to Zoho it is the specification's zohoStatus of the lead or click."""

    PENDING = "pending"
    SENDING = "sending"
    RETRYING = "retrying"
    SENT = "sent"
    DEAD = "dead"
    HELD = "held"
    SKIPPED = "skipped"  # a message beyond its budget, which is never sent


@dataclass(frozen=True, slots=True)
class Delivered:
    """The destination has it. `record_id`: the record there, where there is one; `action`: insert or update.

    `code`: FOUND where an earlier call had delivered it, whose answer was lost.
    """

    record_id: str | None = None
    action: str = "insert"
    code: str | None = None


@dataclass(frozen=True, slots=True)
class Retryable:
    """A later try may succeed; one try is spent. `not_before`: the minimum wait in seconds that was asked for."""

    code: str
    detail: str = ""
    not_before: float = 0.0


@dataclass(frozen=True, slots=True)
class Deferred:
    """The destination as a whole cannot take rows now; no try is spent. `wait` is in seconds."""

    code: str
    detail: str = ""
    wait: float = 30.0


@dataclass(frozen=True, slots=True)
class Rejected:
    """The destination will never take this row as it is. `field`: the CRM's name of the one at fault."""

    code: str
    detail: str = ""
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A message that is never sent, as it is beyond a budget."""

    code: str
    detail: str = ""


Outcome = Delivered | Retryable | Deferred | Rejected | Skipped


@dataclass(frozen=True, slots=True)
class Sync:
    """What the lifecycle needs of a row: tries spent, leases lost, and seconds since it entered the queue."""

    retry_count: int = 0
    lost_leases: int = 0
    age: float = 0.0

    @property
    def waiting_status(self) -> Status:
        """The state in which the row waits when no try was spent: a row that failed before is in the retry lane."""
        return Status.RETRYING if self.retry_count else Status.PENDING


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
        return self.error is not None


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
        case Skipped():
            return Settled(Status.SKIPPED, sync.retry_count, None, error=_reason(outcome.code, outcome.detail))
        case Retryable():
            return _retry(sync, outcome, jitter)
    assert_never(outcome)


def _retry(sync: Sync, outcome: Retryable, jitter: float) -> Settled:
    count = sync.retry_count + 1
    wait = max(back_off(count, jitter), outcome.not_before)
    # A lost lease is no answer: a crash loop must not use up the tries of what it carries.
    if sync.age >= MIN_AGE_DEAD and count - sync.lost_leases >= MIN_TRIES_DEAD:
        reason = _reason(outcome.code, f"{outcome.detail} (no tries left after {count})".strip())
        return Settled(Status.DEAD, count, None, error=reason)
    return Settled(Status.RETRYING, count, wait, error=_reason(outcome.code, outcome.detail))


def lose_lease(sync: Sync, jitter: float, *, charged: bool) -> Settled:
    """Return what becomes of a row whose worker was lost: due at once the first time, then alone after a wait.

    The lease that expired was the first wait: the death of a worker must not delay its rows any longer. A row that
    is not charged, as its call had not begun, loses nothing. No number of losses ends a row: another row may have
    caused the crashes.
    """
    if not charged:
        return Settled(sync.waiting_status, sync.retry_count, 0.0)
    wait = _spread(WAITS_ALONE[min(sync.lost_leases, len(WAITS_ALONE)) - 1], jitter) if sync.lost_leases else 0.0
    return Settled(Status.RETRYING, sync.retry_count + 1, wait, error="WORKER_LOST: the lease ran out")


def _reason(code: str, detail: str) -> str:
    return f"{code}: {detail}" if detail else code
