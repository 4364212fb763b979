"""Statistics: rows by state and since when they wait, the results of attempts. Read-only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, text

from leads.destinations import CRM, STAFF_MAIL
from leads.outbox.rows import Kind
from leads.tables.delivery import WAITING

# One query per pile, with the conditions of the partial indexes.
_BACKLOG = text(f"""
SELECT destination, kind, status, count(*) AS rows,
       min(queued_at) AS waits_since
FROM (
    SELECT * FROM deliveries WHERE {WAITING}
) AS owed GROUP BY destination, kind, status
UNION ALL
SELECT destination, kind, status, count(*), NULL FROM deliveries
WHERE status IN ('dead', 'held', 'skipped') GROUP BY 1, 2, 3
""")  # noqa: S608 - constants of this project
# Finished rows are in no index. Counting them one by one takes longer with each year, so a large table's are
# estimated from the planner's statistics, which are of all rows and a few per cent old.
_SENT = text("""
SELECT destination, kind, status, count(*) AS rows FROM deliveries
WHERE status = 'sent' AND (SELECT reltuples FROM pg_class WHERE oid = 'deliveries'::regclass) < :exact
GROUP BY 1, 2, 3
""")
_ESTIMATE = text("SELECT reltuples::bigint FROM pg_class WHERE oid = cast(:table AS regclass)")
MAX_ROWS_COUNTED = 100_000
_REFUSALS = text(f"""
SELECT destination, last_error, count(*) AS rows FROM deliveries WHERE {WAITING} AND refused_at IS NOT NULL
GROUP BY 1, 2 ORDER BY rows DESC, 1, 2
""")  # noqa: S608 - constants of this project
_SIZE = text("SELECT pg_database_size(current_database())")
_REFUSED = text(f"""
SELECT count(*) FROM deliveries AS row
JOIN attempts AS line ON line.row_id = row.id AND line.destination = row.destination
WHERE row.destination = '{STAFF_MAIL}' AND row.queued_at > now() - interval '1 day'
  AND line.event = 'sent' AND line.code <> 'SENT'
""")  # noqa: S608 - a constant of this project


@dataclass(frozen=True, slots=True)
class Pile:
    """The rows of one kind in one status that a destination is owed, or got.

    `waits_since`: when the first of them entered the queue; None: they do not wait.
    """

    kind: Kind
    status: str
    rows: int
    destination: str = CRM
    waits_since: datetime | None = None


def read_backlog(engine: Engine) -> list[Pile]:
    """Return every pile of rows. Above MAX_ROWS_COUNTED, of the finished ones only the CRM's, as an estimate."""
    with engine.connect() as connection:
        piles = [_pile(row) for row in connection.execute(_BACKLOG)]
        finished = [_pile(row) for row in connection.execute(_SENT, {"exact": MAX_ROWS_COUNTED})]
        return piles + (finished or [sent for kind in Kind if (sent := _estimate(connection, kind, piles)).rows])


def _pile(row: Any) -> Pile:
    return Pile(Kind(row.kind), row.status, row.rows, row.destination, getattr(row, "waits_since", None))


def _estimate(connection: Connection, kind: Kind, others: Sequence[Pile]) -> Pile:
    unsent = sum(pile.rows for pile in others if pile.kind is kind and pile.destination == CRM)
    stored = int(connection.execute(_ESTIMATE, {"table": kind.table.name}).scalar_one())
    return Pile(kind, "sent", max(0, stored - unsent))


class Refusal(NamedTuple):
    """What a destination refuses and tries again: its words, with code and field, and of how many rows."""

    destination: str
    words: str
    rows: int


def read_refusals(engine: Engine) -> list[Refusal]:
    """Return what is refused now, that of the most rows first."""
    with engine.connect() as connection:
        return [Refusal(*row) for row in connection.execute(_REFUSALS)]


def read_database_size(engine: Engine) -> int:
    """Return the size of the whole database in bytes."""
    with engine.connect() as connection:
        return int(connection.execute(_SIZE).scalar_one())


# The log's ids are assigned before their rows are committed, so rows younger than this wait for the next read. A
# statement that records attempts takes milliseconds.
SETTLED_SECONDS = 5.0

# Both bounds are read from the end of the primary key's index, so no query reads the whole log.
_FIRST = text("SELECT coalesce(max(id), 0) FROM attempts")
_LAST = text("""
SELECT coalesce(max(id), :after) FROM attempts
WHERE id > :after AND at < clock_timestamp() - make_interval(secs => :settled)
""")
_COUNTS = text("""
SELECT destination, kind, event, coalesce(code, '') AS code, count(*) AS times FROM attempts
WHERE id > :after AND id <= :last GROUP BY 1, 2, 3, 4
""")
_WAITED = text("""
SELECT attempt.destination, attempt.kind,
       extract(epoch FROM attempt.at - coalesce(lead.created_at, click.created_at))::float8 AS seconds
FROM attempts AS attempt
LEFT JOIN leads AS lead ON lead.id = attempt.row_id
LEFT JOIN whatsapp_clicks AS click ON click.id = attempt.row_id
WHERE attempt.id > :after AND attempt.id <= :last AND attempt.event = 'sent'
  AND attempt.code NOT IN ('UPDATED', 'NOTHING_TO_ADD', 'GONE')  -- of what was added later
  AND coalesce(lead.created_at, click.created_at) IS NOT NULL
""")


@dataclass(frozen=True, slots=True)
class Attempts:
    """The attempts recorded since the last read.

    `last` is the newest attempt that was read. `counts`: destination, kind, event, code and how often. `waited`:
    for each delivered row its destination, its kind and the seconds since it was stored.
    """

    last: int
    counts: list[tuple[str, str, str, str, int]]
    waited: list[tuple[str, str, float]]


def newest_attempt(engine: Engine) -> int:
    """Return the id of the newest attempt: where a reader of new attempts starts."""
    with engine.connect() as connection:
        return int(connection.execute(_FIRST).scalar_one())


def read_attempts(engine: Engine, after: int, *, settled_seconds: float = SETTLED_SECONDS) -> Attempts:
    """Return the attempts after `after`, except those of the last few seconds; the next read starts at `last`."""
    with engine.connect() as connection:
        last = int(connection.execute(_LAST, {"after": after, "settled": settled_seconds}).scalar_one())
        bounds = {"after": after, "last": last}
        counts = [tuple(row) for row in connection.execute(_COUNTS, bounds)]
        waited = [tuple(row) for row in connection.execute(_WAITED, bounds)]
    return Attempts(last, counts, waited)


def count_partly_refused(engine: Engine) -> int:
    """How many of the day's notices were delivered, but for an address of staff that the mail server refused."""
    with engine.connect() as connection:
        return int(connection.execute(_REFUSED).scalar_one())
