"""The lifecycle (state machine) of a delivery: what each outcome means for its row. Pure: values in, values out.

No clock, no database, no randomness: the caller draws the jitter, and the database decides what is due.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

# Waits between tries in seconds: 10 s, 30 s, 2, 5, 15, 30 min, 1 h, 2 h, then 4 h.
WAITS = (10.0, 30.0, 120.0, 300.0, 900.0, 1800.0, 3600.0, 7200.0, 14400.0)
JITTER = 0.2
# A row that is refused waits for operators to mend what refuses it: another field that became mandatory.
REFUSED_FIRST_WAIT, REFUSED_WAIT = 900.0, 14400.0
# A row is given up when it is old enough and was tried as often as fits into that time. Age alone is not enough: a
# paused destination costs no tries. Nor are tries: when a pause ends, rows are due early.
MIN_AGE_DEAD = 72 * 3600.0
MIN_TRIES_DEAD = 26
MIN_REFUSALS_DEAD = 18
# Each lost lease doubles the next one, so that a row that kills its worker goes rarely, for as long as it takes.
LEASE_SECONDS, LONGEST_LEASE_SECONDS = 60.0, 14400.0
LOST_LEASES_ALARM = 5  # from then on an operator is told: the row may kill its workers
# Seconds after a call whose reply was lost: the CRM may still work on it, and write older words last.
LOST_CALL_SECONDS = 120.0


class Status(StrEnum):
    """The state of a row. On the way to Zoho it is the specification's zohoStatus of the lead or click."""

    PENDING = "pending"
    SENDING = "sending"
    RETRYING = "retrying"
    SENT = "sent"
    DEAD = "dead"
    HELD = "held"
    SKIPPED = "skipped"  # a message that is never sent, such as one beyond its budget


# What is still owed. A row that is being sent is due again when its lease ends.
WAITING = (Status.PENDING, Status.SENDING, Status.RETRYING)


class Reason(StrEnum):
    """Why a destination is paused."""

    PAUSED = "paused"  # by an operator, until resumed
    OUTAGE = "outage"
    RATE = "rate"  # too many calls
    CREDITS = "credits"  # the day's allowance is spent
    AUTH = "auth"  # no access token
    CONFIGURATION = "configuration"  # an operator must change something


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a log says of an outcome; no personal data."""

    code: str
    detail: str = ""
    http_status: int | None = None

    @property
    def words(self) -> str:
        """Code and detail."""
        return f"{self.code}: {self.detail}" if self.detail else self.code


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent(Answer):
    """The destination has it."""

    code: str = "SENT"
    record_id: str | None = None  # the record in the CRM


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry(Answer):
    """This try failed; a later one may succeed."""

    wait: float = 0.0  # the least number of seconds until then
    # Whether the destination answered; None: it was not asked.
    answered: bool | None = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused(Answer):
    """The destination does not take this row as it is; it may once an operator has mended something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unavailable(Answer):
    """The destination as a whole takes nothing now: it is paused, and no try is spent."""

    reason: Reason
    wait: float  # seconds until a row goes as a trial
    is_lost: bool = False  # no answer came: the row may have arrived


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped(Answer):
    """The message is never sent."""


Outcome = Sent | Retry | Refused | Unavailable | Skipped


@dataclass(frozen=True, slots=True)
class State:
    """What the lifecycle needs to know of a row that is being sent."""

    retry_count: int = 0
    lost_leases: int = 0
    age: float = 0.0  # seconds since it entered the queue
    was_tried: bool = False  # since its last success; the call may have arrived
    is_refused: bool = False  # before
    is_added_to: bool = False  # the visitor added something after sending
    is_changed: bool = False  # the visitor did so during the call


@dataclass(frozen=True, slots=True)
class Settled:
    """What to write to the row."""

    status: Status
    retry_count: int
    lost_leases: int
    wait: float | None = None  # seconds until it is due; None: it is not
    error: str | None = None  # set when a try was spent
    is_refused: bool = False


def back_off(retry_count: int, jitter: float) -> float:
    """Return the seconds to wait after the `retry_count`-th failed try (from 1), ±20 % by `jitter` in [-1, 1]."""
    return _spread(WAITS[min(retry_count, len(WAITS)) - 1], jitter)


def _spread(wait: float, jitter: float) -> float:
    return wait * (1 + JITTER * jitter)


def settle(state: State, outcome: Outcome, jitter: float) -> Settled:
    """Return what an outcome means for a row that is being sent. The caller draws `jitter` from [-1, 1]."""
    match outcome:
        case Sent():
            return _sent(state)
        case Skipped():
            return Settled(Status.SKIPPED, state.retry_count, state.lost_leases, error=outcome.words)
        case Unavailable():
            status = Status.RETRYING if state.retry_count else Status.PENDING
            return Settled(status, state.retry_count, state.lost_leases, 0.0, is_refused=state.is_refused)
        case Refused():
            wait = _spread(REFUSED_WAIT if state.is_refused else REFUSED_FIRST_WAIT, jitter)
            return _failed(state, outcome, wait, MIN_REFUSALS_DEAD, is_refused=True)
        case Retry():
            wait = max(back_off(state.retry_count + 1, jitter), outcome.wait)
            return _failed(state, outcome, wait, MIN_TRIES_DEAD, is_refused=state.is_refused)
    assert_never(outcome)


def _sent(state: State) -> Settled:
    """What was added is sent after a call that may still write older words, and what was added during this one."""
    if state.is_added_to and state.was_tried:
        return Settled(Status.PENDING, 0, 0, LOST_CALL_SECONDS)
    if state.is_changed:
        return Settled(Status.PENDING, 0, 0, 0.0)
    return Settled(Status.SENT, state.retry_count, state.lost_leases)


def _failed(state: State, outcome: Retry | Refused, wait: float, tries: int, *, is_refused: bool) -> Settled:
    """The worker lived to tell, so the row's next lease is a short one again."""
    count = state.retry_count + 1
    if state.age >= MIN_AGE_DEAD and count >= tries:
        error = f"{outcome.words} (no tries left after {count})"
        return Settled(Status.DEAD, count, 0, error=error, is_refused=is_refused)
    return Settled(Status.RETRYING, count, 0, wait, outcome.words, is_refused)
