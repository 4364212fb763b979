"""The life of one row as data: which event leads from which state to which.

replay.py follows this table along the log of attempts of real rows.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from enum import StrEnum

from leads.lifecycle import LOST_LEASES_ALONE, MIN_TRIES_DEAD, Status

HELD, PENDING, SENDING, RETRYING = Status.HELD, Status.PENDING, Status.SENDING, Status.RETRYING
SENT, DEAD = Status.SENT, Status.DEAD
ERASED = "erased"  # the row no longer exists here
STATUSES = (HELD, PENDING, SENDING, RETRYING, SENT, DEAD, ERASED)
MANY = 10**6


class By(StrEnum):
    """Who may cause an event."""

    WORKER = "worker"  # any worker, when it claims
    HOLDER = "holder"  # the worker whose claim is the row's last one, and whose lease was not taken back
    ANSWERED = "answered"  # any worker that had the row: success is kept whatever became of the lease
    SWEEP = "sweep"
    OPERATOR = "operator"


@dataclass(frozen=True, slots=True)
class Counts:
    """A row's counters: tries spent, and leases lost in a call, each of which spent a try too."""

    tries: int = 0
    losses: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """A row between two events."""

    status: str = PENDING
    counts: Counts = field(default_factory=Counts)


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of the table: in a state in `before`, with counters in the bounds, `event` leads to `after`.

    `adds` is added to the counters; `resets` sets them to zero.
    """

    event: str
    by: By
    before: tuple[str, ...]
    after: str
    at_least: Counts = Counts()
    at_most: Counts = Counts(MANY, MANY)
    adds: Counts = Counts()
    resets: bool = False

    def fits(self, row: Row) -> bool:
        """Whether the rule applies to the row."""
        return row.status in self.before and all(
            getattr(self.at_least, name) <= getattr(row.counts, name) <= getattr(self.at_most, name)
            for name in COUNTERS
        )

    def apply(self, row: Row) -> Row:
        """The row after the event."""
        counts = Counts() if self.resets else _added(row.counts, self.adds)
        return replace(row, status=self.after, counts=counts)


COUNTERS = tuple(item.name for item in fields(Counts))
TRY, LOSS = Counts(1), Counts(1, 1)
IS_ALONE = Counts(losses=LOST_LEASES_ALONE)
NEVER_TRIED, TRIED = Counts(0, MANY), Counts(1)
NOT_IN_CRM = (PENDING, SENDING, RETRYING, DEAD)
BUT_ERASED = tuple(status for status in STATUSES if status != ERASED)


RULES = (
    Rule("claimed", By.WORKER, (PENDING, RETRYING), SENDING),
    Rule("delivered", By.ANSWERED, NOT_IN_CRM, SENT),
    Rule("retryable", By.HOLDER, (SENDING,), RETRYING, adds=TRY),
    Rule("exhausted", By.HOLDER, (SENDING,), DEAD, at_least=Counts(MIN_TRIES_DEAD - 1), adds=TRY),
    Rule("rejected", By.HOLDER, (SENDING,), DEAD, adds=TRY),
    Rule("deferred", By.HOLDER, (SENDING,), PENDING, at_most=NEVER_TRIED),
    Rule("deferred", By.HOLDER, (SENDING,), RETRYING, at_least=TRIED),
    Rule("lost_uncharged", By.SWEEP, (SENDING,), PENDING, at_most=NEVER_TRIED),
    Rule("lost_uncharged", By.SWEEP, (SENDING,), RETRYING, at_least=TRIED),
    Rule("lost", By.SWEEP, (SENDING,), RETRYING, adds=LOSS),
    Rule("redriven", By.OPERATOR, (DEAD,), PENDING, resets=True),
    Rule("hurried", By.OPERATOR, (RETRYING,), RETRYING),
    Rule("released", By.OPERATOR, (HELD,), PENDING, resets=True),
    Rule("requeued", By.OPERATOR, (SENT,), PENDING, resets=True),
    Rule("erased", By.OPERATOR, BUT_ERASED, ERASED, resets=True),
)
EVENTS = tuple(dict.fromkeys(rule.event for rule in RULES))


def step(row: Row, event: str) -> Row | None:
    """The row after an event; None when the table has no such transition."""
    return next((rule.apply(row) for rule in RULES if rule.event == event and rule.fits(row)), None)


def by_of(event: str) -> By:
    """Who may cause the event."""
    return next(rule.by for rule in RULES if rule.event == event)


def _added(counts: Counts, more: Counts) -> Counts:
    return Counts(*(getattr(counts, name) + getattr(more, name) for name in COUNTERS))
