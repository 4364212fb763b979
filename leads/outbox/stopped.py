"""Rows that a person must see to, held ones that look real and dead ones; and whose turn it is to tell staff."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine, text

from leads.destinations import CRM
from leads.outbox.rows import Kind
from leads.tables.delivery import STOPPED_AT

TELL_MINUTES = 15  # staff are told of further ones at most so often
_HELD = f"""
destination = '{CRM}' AND kind = '{{kind}}' AND status = 'held' AND looks_real
    AND {STOPPED_AT} > now() - interval '1 day'
"""
_DEAD = f"""
destination = '{CRM}' AND kind = '{{kind}}' AND status = 'dead' AND {STOPPED_AT} > now() - interval '1 day'
"""
_LIST = """
SELECT '{kind}' AS kind, {reference} AS reference, coalesce(held_reason, status) AS reason, created_at
FROM {rows} WHERE {which}
"""
# The turn is taken and given back by what stood there before.
_IS_DUE = f"""
SELECT told_held_at FROM gates WHERE destination = :destination AND state = 'open'
    AND coalesce(told_held_at, '-infinity') < now() - interval '{TELL_MINUTES} minutes'
    AND EXISTS (
        SELECT FROM deliveries
        WHERE greatest(judged_at, last_retry_at) > coalesce(told_held_at, '-infinity') AND ({{which}})
    )
"""  # noqa: S608 - constants of this project
_TAKE = text("""
UPDATE gates SET told_held_at = now()
WHERE destination = :destination AND told_held_at IS NOT DISTINCT FROM :before
""")
_GIVE_BACK = text("UPDATE gates SET told_held_at = :before WHERE destination = :destination")


@dataclass(frozen=True, slots=True)
class Stopped:
    """A row of the last day that does not go by itself: its kind, its reference or code, why, stored when.

    reason: of `leads.outbox.holds.Held`, or "dead".
    """

    kind: Kind
    reference: str
    reason: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is to tell a destination; `before`: when it was told last."""

    destination: str
    before: datetime | None


def read_held_real(engine: Engine) -> list[Stopped]:
    """Return held rows of the last day that look real, the newest first."""
    return _read(engine, _HELD)


def read_stopped(engine: Engine) -> list[Stopped]:
    """Return these and what was given up within the last day, the newest first."""
    return _read(engine, _HELD, _DEAD)


def _read(engine: Engine, *conditions: str) -> list[Stopped]:
    found: list[Stopped] = []
    with engine.connect() as connection:
        for kind in Kind:
            of = {"kind": kind, "reference": kind.reference, "rows": kind.with_delivery}
            for condition in conditions:
                statement = _LIST.format(**of, which=condition.format(kind=kind))
                found += [Stopped(Kind(row.kind), *row[1:]) for row in connection.execute(text(statement))]
    return sorted(found, key=lambda row: row.created_at, reverse=True)


def in_words(rows: Sequence[Stopped]) -> str:
    """Return how many for which reason: "3 person, 1 honeypot"."""
    return ", ".join(f"{count} {reason}" for reason, count in Counter(row.reason for row in rows).most_common())


def take_turn(engine: Engine, destination: str) -> Turn | None:
    """Return the turn to tell staff of new ones, which no other worker has then; None: it is not due."""
    which = " OR ".join(f"({condition.format(kind=kind)})" for kind in Kind for condition in (_HELD, _DEAD))
    with engine.connect() as connection:
        found = connection.execute(text(_IS_DUE.format(which=which)), {"destination": destination}).first()
        if found is None:
            return None
        turn = Turn(destination, found.told_held_at)
        taken = connection.execute(_TAKE, {"destination": destination, "before": turn.before})
        return turn if taken.rowcount else None


def give_back(engine: Engine, turn: Turn) -> None:
    """Undo a turn in which nobody could be told."""
    with engine.connect() as connection:
        connection.execute(_GIVE_BACK, {"destination": turn.destination, "before": turn.before})
