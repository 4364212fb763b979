"""Pauses: whether calls to a destination may be made, one row for each. Operators and failures pause alike.

While it is paused nothing is claimed, and no row spends a try. When the time is over one row goes as a trial; its
answer, whatever it says, ends the pause.
"""

from dataclasses import dataclass, fields
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Connection, Engine, Select, case, func, select, update

from leads.db import run, seconds, seconds_of
from leads.destinations import CRM
from leads.lifecycle import Answer, Outcome, Reason, Retry, Status, Unavailable
from leads.tables import deliveries, destinations

FAILURES_TO_PAUSE = 3  # calls in a row without an answer
# Seconds until a row goes as a trial, where the destination asked for no wait of its own.
TRIAL_SECONDS = {
    Reason.OUTAGE: 30.0,
    Reason.RATE: 5.0,
    Reason.CREDITS: 900.0,
    Reason.AUTH: 90.0,  # Zoho mints 10 access tokens in 10 minutes at most
    Reason.CONFIGURATION: 300.0,
}


class Paused(Exception):
    """No call may be made now; the message is the reason."""


@dataclass(frozen=True, slots=True)
class Destination:
    """A destination's row; times are the database's."""

    name: str
    reason: Reason | None  # why it is paused; None: it is not
    detail: str | None  # the reason in more words, without personal data
    until_at: datetime | None  # when the next trial is due; None while paused: when an operator resumes
    failures: int  # calls in a row without an answer
    failing_since: datetime | None
    changed_by: str | None
    changed_at: datetime
    trial_is_due: bool
    seen_seconds: float | None  # since a worker last looked for due rows; None: none has


TABLE = destinations.c
# A trial may go: the time is over, and it is no operator's pause.
TRIAL_IS_DUE = TABLE.reason.is_not(None) & (TABLE.until_at <= func.now())
IS_OPEN = TABLE.reason.is_(None)
_FAILING = func.coalesce(TABLE.failing_since, func.now())


def _change(name: Any) -> Any:
    return update(destinations).where(TABLE.name == name)


def read_destinations(engine: Engine) -> dict[str, Destination]:
    """Return all destinations by name, the CRM first."""
    rows = run(engine, _all())
    return {row.name: Destination(**row._asdict() | {"reason": row.reason and Reason(row.reason)}) for row in rows}


@cache  # every look and every task asks
def _all() -> Select[Any]:
    shown = (column for column in TABLE if column.name not in {"seen_at", "told_at"})
    is_due = func.coalesce(TRIAL_IS_DUE, False).label("trial_is_due")
    seen = seconds_of(func.now() - TABLE.seen_at)
    return select(*shown, is_due, seen.label("seen_seconds")).order_by(TABLE.name != CRM, TABLE.name)


def note_seen(engine: Engine, name: str) -> None:
    """Note that a worker looks for what is due to a destination."""
    run(engine, _change(name).values(seen_at=func.now()))


def pause(  # noqa: PLR0913 - keywords, one per column
    engine: Engine, name: str, reason: Reason, detail: str, *, by: str, wait: float | None = None
) -> None:
    """Stop all calls to a destination. An operator's pause outranks every other.

    wait: seconds until the first trial; None: the reason's own. Of two pauses the longer wait counts.
    """
    if reason is not Reason.PAUSED and wait is None:
        wait = TRIAL_SECONDS[reason]
    until = None if wait is None else func.greatest(TABLE.until_at, func.now() + seconds(wait))
    is_new = TABLE.reason.is_distinct_from(reason.value)
    paused = _change(name).values(reason=reason.value, detail=detail, until_at=until, failing_since=_FAILING)
    paused = paused.values(
        changed_by=case((is_new, by), else_=TABLE.changed_by),
        changed_at=case((is_new, func.now()), else_=TABLE.changed_at),
    )
    if reason is not Reason.PAUSED:
        paused = paused.where(TABLE.reason.is_distinct_from(Reason.PAUSED.value))
    run(engine, paused)


def resume(engine: Engine, name: str, *, by: str) -> None:
    """Let calls flow again, for an operator, and make all rows due that wait for a retry, for whatever reason."""
    with engine.connect() as connection:
        connection.execute(_opened(name, by))
        _make_due(connection, name)


def note_failure(engine: Engine, name: str, detail: str) -> bool:
    """Note a call without an answer; return whether the destination is paused (now), so that no try is spent."""
    counted = _change(name).values(failures=TABLE.failures + 1, failing_since=_FAILING)
    (found,) = run(engine, counted.returning(TABLE.reason, TABLE.failures))
    if found.reason == Reason.OUTAGE or (found.reason is None and found.failures >= FAILURES_TO_PAUSE):
        pause(engine, name, Reason.OUTAGE, detail, by="worker")
        return True
    return found.reason is not None


def note_answer(engine: Engine, name: str, trial: Reason | None) -> None:
    """Note an answer, whatever it says. That to a trial ends the pause, and what failed meanwhile is due at once.

    trial: why the destination was paused when the row was claimed. An answer to a call from before the pause ends
    none: it proves nothing about what the destination has asked for since.
    """
    with engine.connect() as connection:
        if trial is None:
            connection.execute(_change(name).where(IS_OPEN).values(failures=0, failing_since=None))
            return
        opened = _opened(name, "trial").where(TABLE.reason == trial.value)
        since = connection.execute(opened.returning(TABLE.failing_since)).scalar()
        if since is not None:
            _make_due(connection, name, since)


def note_outcome(
    engine: Engine, name: str, outcome: Outcome, trial: Reason | None, *, is_troubled: bool = False
) -> Outcome:
    """Note what an outcome says of the destination as a whole. trial: see `note_answer`.

    is_troubled: earlier calls were not answered. Returns the outcome; a failure that finds the destination paused,
    or pauses it, costs the row no try.
    """
    match outcome:
        case Unavailable():
            pause(engine, name, outcome.reason, outcome.words, by="worker", wait=outcome.wait)
        case Retry(answered=None):
            pass
        case Retry(answered=False):
            if note_failure(engine, name, outcome.words):
                words = {each.name: getattr(outcome, each.name) for each in fields(Answer)}
                return Unavailable(reason=Reason.OUTAGE, wait=0.0, is_lost=True, **words)
        case _ if trial is not None or is_troubled:
            note_answer(engine, name, trial)
    return outcome


def _opened(name: str, by: str) -> Any:
    """`failing_since` stays until what failed is due; a process that dies before leaves it to the next answer."""
    values = {"reason": None, "detail": None, "until_at": None, "failures": 0, "changed_by": by}
    return _change(name).values(**values, changed_at=func.now())


def _make_due(connection: Connection, name: str, since: datetime | None = None) -> None:
    """Make due what failed since then, or all that waits for a retry; then no call fails any more."""
    row = deliveries.c
    late = (row.destination == name) & (row.status == Status.RETRYING.value) & (row.next_retry_at > func.now())
    is_meant = late if since is None else late & (row.last_retry_at >= since)
    connection.execute(update(deliveries).where(is_meant).values(next_retry_at=func.now()))
    connection.execute(_change(name).where(IS_OPEN, TABLE.failures == 0).values(failing_since=None))


def due_trial(name: Any) -> Any:
    """Return what takes the due trial: it changes the row for one caller among all. The next is due later."""
    spacing = case(TRIAL_SECONDS, value=TABLE.reason, else_=0.0)
    return _change(name).where(TRIAL_IS_DUE).values(until_at=func.now() + seconds(spacing))


def take_call(engine: Engine, name: str) -> Reason | None:
    """Return why a call without a row is a trial, or None when calls flow; raises `Paused`.

    No such call is the trial of a configuration error: only a row shows whether the CRM takes leads again.
    """
    with engine.connect() as connection:
        found = connection.execute(select(TABLE.reason).where(TABLE.name == name)).scalar_one()
        if found is None:
            return None
        if found != Reason.CONFIGURATION and connection.execute(due_trial(name)).rowcount == 1:
            return Reason(found)
    raise Paused(f"calls to {name} are paused ({found})")
