"""Rows that need a person: held, refused and dead ones; and which of them a way to staff was not told of yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Engine, Row, case, func, or_, select, text

from leads.db import exclusively
from leads.destinations import CRM
from leads.lifecycle import Status
from leads.outbox.rows import Kind
from leads.outbox.selection import FOUND, ROW, STOPPED
from leads.outbox.stats import IS_WAITING
from leads.tables import leads, whatsapp_clicks

TELL_MINUTES = 30  # staff are told of further ones at most so often; of another reason of the CRM's at once
MAX_LISTED = 1000  # the newest; a flood has more
_HELD = (ROW.status == "held") & ROW.judged_at.is_not(None)
_REFUSED = IS_WAITING & ROW.refused_at.is_not(None)
_STOPPED = or_(_HELD, _REFUSED, (ROW.status == "dead") & (func.now() - timedelta(days=1) < STOPPED))
_ROWS = select(
    ROW.kind,
    func.coalesce(leads.c.reference, whatsapp_clicks.c.unique_code).label("reference"),
    ROW.status,
    case(
        (_HELD, func.coalesce(leads.c.held_reason, whatsapp_clicks.c.held_reason)),
        else_=func.coalesce(ROW.last_error, ROW.status),
    ).label("reason"),
    func.coalesce(leads.c.created_at, whatsapp_clicks.c.created_at).label("created_at"),
    case((_HELD, ROW.judged_at), (ROW.status == "dead", STOPPED), else_=ROW.refused_at).label("stopped_at"),
).select_from(FOUND)
# Until a moment ago: what another worker is just writing has an earlier time than it becomes visible.
_DUE = text(f"""
SELECT told_at AS since, now() - interval '5 seconds' AS until,
    coalesce(told_at < now() - interval '{TELL_MINUTES} minutes', true) AS has_rested
FROM destinations WHERE name = :destination AND reason IS NULL
""")  # noqa: S608 - constants of this project
_NOTE = text("UPDATE destinations SET told_at = :until WHERE name = :destination")


@dataclass(frozen=True, slots=True)
class Stopped:
    """A row that does not go by itself: its kind, its reference or code, why, stored when, and stopped when.

    reason: of `leads.outbox.holds.Held`, or the code and the words with which the CRM refuses it.
    """

    kind: Kind
    reference: str
    status: Status
    reason: str
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
    with exclusively(engine, f"telling {destination}") as is_ours:
        with engine.connect() as connection:
            due = connection.execute(_DUE, {"destination": destination}).first() if is_ours else None
        rows = _untold(engine, due) if due else []
        yield rows
        if due and rows:
            with engine.connect() as connection:
                connection.execute(_NOTE, {"until": due.until, "destination": destination})


def _untold(engine: Engine, due: Row[Any]) -> list[Stopped]:
    rows = [row for row in _read(engine, _STOPPED) if row.stopped_at <= due.until]
    news = [row for row in rows if due.since is None or row.stopped_at > due.since]
    known = {row.reason for row in rows if row not in news}
    is_urgent = any(row.status is not Status.HELD and row.reason not in known for row in news)
    return news if due.has_rested or is_urgent else []


def _read(engine: Engine, which: ColumnElement[bool]) -> list[Stopped]:
    newest = _ROWS.where(ROW.destination == CRM, which).order_by(text("created_at DESC")).limit(MAX_LISTED)
    with engine.connect() as connection:
        found = connection.execute(newest)
        return [Stopped(Kind(kind), reference, Status(status), *more) for kind, reference, status, *more in found]


def in_words(rows: Sequence[Stopped]) -> str:
    """Return how many for which reason: "3 flood, 1 honeypot"."""
    return ", ".join(f"{count} {code}" for code, count in Counter(row.code for row in rows).most_common())
