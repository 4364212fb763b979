"""Counting: what waits in which lane, how old the oldest due row is. Read-only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import text

from leads.columns import NEW, REQUEUED
from leads.outbox.kinds import Kind, Lane

if TYPE_CHECKING:
    from sqlalchemy import Engine

_DUE = """
SELECT count(*) FROM (SELECT 1 FROM {table} WHERE {pile} AND next_retry_at <= now() LIMIT :most) AS due
"""
# Pile by pile, in the words of the partial indexes; only the sent rows have to be counted one by one.
_BACKLOG = """
SELECT zoho_status AS status, count(*) AS rows,
       extract(epoch FROM now() - min(next_retry_at) FILTER (WHERE next_retry_at <= now()))::float8 AS oldest_due
FROM (
    SELECT zoho_status, next_retry_at FROM {table} WHERE zoho_status IN ('sending', 'retrying')
    UNION ALL SELECT zoho_status, next_retry_at FROM {table} WHERE {new}
    UNION ALL SELECT zoho_status, next_retry_at FROM {table} WHERE {requeued}
) AS owed GROUP BY zoho_status
UNION ALL
SELECT zoho_status, count(*), NULL FROM {table} WHERE zoho_status IN ('dead', 'held') GROUP BY zoho_status
UNION ALL
SELECT zoho_status, count(*), NULL FROM {table} WHERE zoho_status = 'sent' GROUP BY zoho_status
"""


@dataclass(frozen=True, slots=True)
class Pile:
    """The rows of one kind in one status. `oldest_due`: seconds the oldest has been due; None when none is."""

    kind: Kind
    status: str
    rows: int
    oldest_due: float | None


def count_due(engine: Engine, lane: Lane, *, most: int) -> int:
    """How many rows of a lane are due now, counting no further than `most` of each kind and pile."""
    with engine.connect() as connection:
        return sum(
            connection.execute(text(_DUE.format(table=kind.table.name, pile=pile)), {"most": most}).scalar_one()
            for kind in Kind
            for pile in lane.piles
        )


def read_backlog(engine: Engine) -> list[Pile]:
    """Every pile of rows there is, by kind and status."""
    with engine.connect() as connection:
        return [
            Pile(kind, row.status, row.rows, row.oldest_due)
            for kind in Kind
            for row in connection.execute(text(_BACKLOG.format(table=kind.table.name, new=NEW, requeued=REQUEUED)))
        ]
