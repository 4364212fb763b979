"""Held rows that look real: who they are, and whose turn it is to tell staff. No personal data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine, text

from leads.outbox.rows import Kind
from leads.tables.delivery import STOPPED_AT

TELL_MINUTES = 15  # staff are told of further ones at most so often
_REAL = f"""
destination = 'zoho' AND kind = '{{kind}}' AND status = 'held' AND looks_real
    AND {STOPPED_AT} > now() - interval '1 day'
"""
_LIST = """
SELECT '{kind}' AS kind, {reference} AS reference, held_reason AS reason, created_at FROM {rows} WHERE {real}
"""
# The turn is taken and given back by what stood there before.
_IS_DUE = f"""
SELECT told_held_at FROM gates WHERE destination = :destination AND state = 'open'
    AND coalesce(told_held_at, '-infinity') < now() - interval '{TELL_MINUTES} minutes'
    AND EXISTS (
        SELECT FROM deliveries WHERE judged_at > coalesce(told_held_at, '-infinity') AND ({{real}})
    )
"""  # noqa: S608 - constants of this project
_TAKE = text("""
UPDATE gates SET told_held_at = now()
WHERE destination = :destination AND told_held_at IS NOT DISTINCT FROM :before
""")
_GIVE_BACK = text("UPDATE gates SET told_held_at = :before WHERE destination = :destination")


@dataclass(frozen=True, slots=True)
class HeldReal:
    """A held row of the last day that looks real: its kind, its reference or code, why it is held, since when."""

    kind: Kind
    reference: str
    reason: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is to tell a destination; `before`: when it was told last."""

    destination: str
    before: datetime | None


def read_held_real(engine: Engine) -> list[HeldReal]:
    """Return the rows, the newest first."""
    found: list[HeldReal] = []
    with engine.connect() as connection:
        for kind in Kind:
            statement = _LIST.format(
                kind=kind, reference=kind.reference, rows=kind.with_delivery, real=_REAL.format(kind=kind)
            )
            found += [HeldReal(Kind(row.kind), *row[1:]) for row in connection.execute(text(statement))]
    return sorted(found, key=lambda row: row.created_at, reverse=True)


def in_words(rows: Sequence[HeldReal]) -> str:
    """Return how many for which reason: "3 person, 1 honeypot"."""
    return ", ".join(f"{count} {reason}" for reason, count in Counter(row.reason for row in rows).most_common())


def take_turn(engine: Engine, destination: str) -> Turn | None:
    """Return the turn to tell staff of new ones, which no other worker has then; None: it is not due."""
    real = " OR ".join(f"({_REAL.format(kind=kind)})" for kind in Kind)
    with engine.connect() as connection:
        found = connection.execute(text(_IS_DUE.format(real=real)), {"destination": destination}).first()
        if found is None:
            return None
        turn = Turn(destination, found.told_held_at)
        taken = connection.execute(_TAKE, {"destination": destination, "before": turn.before})
        return turn if taken.rowcount else None


def give_back(engine: Engine, turn: Turn) -> None:
    """Undo a turn in which nobody could be told."""
    with engine.connect() as connection:
        connection.execute(_GIVE_BACK, {"destination": turn.destination, "before": turn.before})
