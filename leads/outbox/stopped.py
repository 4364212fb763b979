"""Rows that wait for a person, held ones and dead ones; and which of them a way to staff was not told of yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine, text

from leads.destinations import CRM
from leads.outbox.rows import Kind
from leads.tables.delivery import STOPPED_AT

TELL_MINUTES = 30  # staff are told of further ones at most so often
MAX_LISTED = 1000  # of each kind, the newest; a flood has more
_HELD = "status = 'held' AND judged_at IS NOT NULL"
_STOPPED = f"({_HELD} OR status = 'dead' AND {STOPPED_AT} > now() - interval '1 day')"
_LIST = f"""
SELECT {{reference}} AS reference, coalesce(held_reason, status) AS reason, created_at
FROM {{rows}} WHERE destination = '{CRM}' AND kind = '{{kind}}' AND {{which}}
    AND greatest(judged_at, last_retry_at) > coalesce(cast(:since AS timestamptz), '-infinity')
    AND greatest(judged_at, last_retry_at) <= cast(:until AS timestamptz)
ORDER BY created_at DESC LIMIT {MAX_LISTED}
"""  # noqa: S608 - constants of this project
_LOCK, _UNLOCK = (text(f"SELECT {name}(hashtext(:key))") for name in ("pg_try_advisory_lock", "pg_advisory_unlock"))
# A moment ago: what another worker is just writing has an earlier time than it becomes visible.
_DUE = text(f"""
SELECT told_held_at AS since, now() - interval '5 seconds' AS until FROM gates
WHERE destination = :destination AND state = 'open'
    AND coalesce(told_held_at, '-infinity') < now() - interval '{TELL_MINUTES} minutes'
""")  # noqa: S608 - constants of this project
_NOTE = text("UPDATE gates SET told_held_at = :until WHERE destination = :destination")


@dataclass(frozen=True, slots=True)
class Stopped:
    """A row that does not go by itself: its kind, its reference or code, why, stored when.

    reason: of `leads.outbox.holds.Held`, or "dead".
    """

    kind: Kind
    reference: str
    reason: str
    created_at: datetime


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
    lock = {"key": f"telling {destination}"}
    with engine.connect() as connection:
        if not connection.execute(_LOCK, lock).scalar_one():
            yield []
            return
        try:
            due = connection.execute(_DUE, {"destination": destination}).first()
            rows = _read(engine, _STOPPED, due.since, due.until) if due else []
            yield rows
            if due and rows:
                connection.execute(_NOTE, {"until": due.until, "destination": destination})
        finally:
            connection.execute(_UNLOCK, lock)


def _read(
    engine: Engine, which: str, since: datetime | None = None, until: datetime | str = "infinity"
) -> list[Stopped]:
    found: list[Stopped] = []
    with engine.connect() as connection:
        for kind in Kind:
            of = {"kind": kind, "reference": kind.reference, "rows": kind.with_delivery, "which": which}
            rows = connection.execute(text(_LIST.format(**of)), {"since": since, "until": until})
            found += [Stopped(kind, *row) for row in rows]
    return sorted(found, key=lambda row: row.created_at, reverse=True)


def in_words(rows: Sequence[Stopped]) -> str:
    """Return how many for which reason: "3 flood, 1 honeypot"."""
    return ", ".join(f"{count} {reason}" for reason, count in Counter(row.reason for row in rows).most_common())
