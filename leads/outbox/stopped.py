"""Rows that need a person: held, refused and dead ones; and which of them a way to staff was not told of yet."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Engine, case, func, or_, select, update

from leads.db import exclusively, run
from leads.destinations import CRM
from leads.lifecycle import Status
from leads.outbox.selection import FOUND, HELD_REASON, IS_WAITING, REFERENCE, ROW, STOPPED, STORED_AT
from leads.tables import Kind, destinations

# Staff are told of further ones at most so often; of another reason of the CRM's at once.
TELL_EVERY = timedelta(minutes=30)
MAX_LISTED = 1000  # the newest; a flood has more
_HELD = (ROW.status == "held") & ROW.judged_at.is_not(None)
_REFUSED = IS_WAITING & ROW.refused_at.is_not(None)
_STOPPED = or_(_HELD, _REFUSED, (ROW.status == "dead") & (func.now() - timedelta(days=1) < STOPPED))
_REASON = case((_HELD, HELD_REASON), else_=func.coalesce(ROW.last_error, ROW.status))
_AT = case((_HELD, ROW.judged_at), (ROW.status == "dead", STOPPED), else_=ROW.refused_at)
_ROWS = select(ROW.kind, REFERENCE, ROW.status, _REASON, STORED_AT, _AT).select_from(FOUND)


@dataclass(frozen=True, slots=True)
class Stopped:
    """A row that does not go by itself."""

    kind: Kind
    reference: str  # or the code of a WhatsApp message
    status: Status
    reason: str  # of `leads.outbox.holds.Held`, or the code and the words with which the CRM refuses it
    created_at: datetime
    stopped_at: datetime

    @property
    def code(self) -> str:
        """The reason in a word."""
        return self.reason.partition(":")[0]


class NotTold(Exception):
    """Staff could not be told; it is tried again."""


def read_held(engine: Engine) -> list[Stopped]:
    """Return held rows that wait for a person, the newest first."""
    return _read(engine, _HELD)


@contextmanager
def telling(engine: Engine, destination: str) -> Iterator[list[Stopped]]:
    """Give what a destination is to be told of, the newest first; the block tells it, or raises.

    Nothing is given while it is not due, or another worker does it.
    """
    table = destinations.c
    # Not the last seconds: another worker may still be committing a row with an earlier time.
    until = (func.now() - timedelta(seconds=5)).label("until")
    due = select(table.told_at, until).where(table.name == destination, table.reason.is_(None))
    with exclusively(engine, f"telling {destination}") as is_ours:
        found = next(iter(run(engine, due)), None) if is_ours else None
        rows = _untold(engine, *found) if found else []
        yield rows
        if found and rows:
            run(engine, update(destinations).where(table.name == destination).values(told_at=found.until))


def _untold(engine: Engine, since: datetime | None, until: datetime) -> list[Stopped]:
    rows = [row for row in _read(engine, _STOPPED) if row.stopped_at <= until]
    news = [row for row in rows if since is None or row.stopped_at > since]
    known = {row.reason for row in rows if row not in news}
    is_urgent = any(row.status is not Status.HELD and row.reason not in known for row in news)
    has_rested = since is None or until - since > TELL_EVERY
    return news if has_rested or is_urgent else []


def _read(engine: Engine, which: ColumnElement[bool]) -> list[Stopped]:
    newest = _ROWS.where(ROW.destination == CRM, which).order_by(STORED_AT.desc()).limit(MAX_LISTED)
    found = run(engine, newest)
    return [Stopped(Kind(kind), reference, Status(status), *more) for kind, reference, status, *more in found]


def in_words(rows: Sequence[Stopped]) -> str:
    """Return how many for which reason: "3 flood, 1 honeypot"."""
    return ", ".join(f"{count} {code}" for code, count in Counter(row.code for row in rows).most_common())
