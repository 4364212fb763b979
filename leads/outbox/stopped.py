"""Rows that need a person: held, refused and dead ones; and which of them a way to staff was not told of yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, Row, text

from leads.destinations import CRM
from leads.exclusive import exclusively
from leads.lifecycle import Status
from leads.outbox.rows import Kind
from leads.tables.delivery import STOPPED_AT, WAITING

TELL_MINUTES = 30  # staff are told of further ones at most so often; of another reason of the CRM's at once
MAX_LISTED = 1000  # of each kind, the newest; a flood has more
_HELD = "status = 'held' AND judged_at IS NOT NULL"
_STOPPED = f"""
({_HELD} OR {WAITING} AND refused_at IS NOT NULL
    OR status = 'dead' AND {STOPPED_AT} > now() - interval '1 day')
"""
_LIST = f"""
SELECT {{reference}} AS reference, status, created_at,
    CASE status WHEN 'held' THEN held_reason ELSE coalesce(last_error, status) END AS reason,
    CASE status WHEN 'held' THEN judged_at WHEN 'dead' THEN {STOPPED_AT} ELSE refused_at END AS stopped_at
FROM {{rows}} WHERE destination = '{CRM}' AND kind = '{{kind}}' AND {{which}}
ORDER BY created_at DESC LIMIT {MAX_LISTED}
"""  # noqa: S608 - constants of this project
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


def _read(engine: Engine, which: str) -> list[Stopped]:
    found: list[Stopped] = []
    with engine.connect() as connection:
        for kind in Kind:
            of = {"kind": kind, "reference": kind.reference, "rows": kind.with_delivery, "which": which}
            rows = connection.execute(text(_LIST.format(**of))).mappings()
            found += [Stopped(kind, **{**row, "status": Status(row["status"])}) for row in rows]
    return sorted(found, key=lambda row: row.created_at, reverse=True)


def in_words(rows: Sequence[Stopped]) -> str:
    """Return how many for which reason: "3 flood, 1 honeypot"."""
    return ", ".join(f"{count} {code}" for code, count in Counter(row.code for row in rows).most_common())
