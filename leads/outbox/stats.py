"""Statistics: rows waiting in each lane, the age of the oldest due row, the results of attempts. Read-only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, text

from leads.outbox.rows import Kind, Lane
from leads.tables.delivery import NEW, REQUEUED

_DUE = """
SELECT count(*) FROM (
    SELECT 1 FROM deliveries WHERE kind = '{kind}' AND {pile} AND next_retry_at <= now() LIMIT :limit
) AS due
"""
# One query per pile, with the conditions of the partial indexes.
_BACKLOG = text(f"""
SELECT kind, zoho_status AS status, count(*) AS rows,
       extract(epoch FROM now() - min(next_retry_at) FILTER (WHERE next_retry_at <= now()))::float8 AS oldest_due
FROM (
    SELECT kind, zoho_status, next_retry_at FROM deliveries WHERE zoho_status IN ('sending', 'retrying')
    UNION ALL SELECT kind, zoho_status, next_retry_at FROM deliveries WHERE {NEW}
    UNION ALL SELECT kind, zoho_status, next_retry_at FROM deliveries WHERE {REQUEUED}
) AS owed GROUP BY kind, zoho_status
UNION ALL
SELECT kind, zoho_status, count(*), NULL FROM deliveries WHERE zoho_status IN ('dead', 'held') GROUP BY 1, 2
""")  # noqa: S608 - constants of this project
# Sent rows are in no index. Counting them one by one takes longer with each year, so a large table's are estimated
# from the planner's statistics, which are of all rows and a few per cent old. Only one of the two queries runs.
_SENT = """
SELECT CASE WHEN (SELECT reltuples FROM pg_class WHERE oid = 'deliveries'::regclass) < :exact
    THEN (SELECT count(*) FROM deliveries WHERE kind = '{kind}' AND zoho_status = 'sent')
    ELSE greatest(0, reltuples - :others) END::bigint
FROM pg_class WHERE oid = '{table}'::regclass
"""
MAX_ROWS_COUNTED = 100_000
_SIZE = text("SELECT pg_database_size(current_database())")


@dataclass(frozen=True, slots=True)
class Pile:
    """The rows of one kind in one status. `oldest_due`: how many seconds the oldest has been due; None: none is."""

    kind: Kind
    status: str
    rows: int
    oldest_due: float | None


def count_due(engine: Engine, lane: Lane, *, limit: int) -> int:
    """Return how many rows of a lane are due now, counting up to `limit` rows of each kind and pile."""
    with engine.connect() as connection:
        return sum(
            connection.execute(text(_DUE.format(kind=kind, pile=pile)), {"limit": limit}).scalar_one()
            for kind in Kind
            for pile in lane.piles
        )


def read_backlog(engine: Engine) -> list[Pile]:
    """Return every pile of rows, by kind and status; above MAX_ROWS_COUNTED, sent rows are estimated."""
    with engine.connect() as connection:
        piles = [Pile(Kind(row.kind), row.status, row.rows, row.oldest_due) for row in connection.execute(_BACKLOG)]
        return piles + [sent for kind in Kind if (sent := _sent(connection, kind, piles)).rows]


def read_database_size(engine: Engine) -> int:
    """Return the size of the whole database in bytes."""
    with engine.connect() as connection:
        return int(connection.execute(_SIZE).scalar_one())


def _sent(connection: Connection, kind: Kind, others: Sequence[Pile]) -> Pile:
    values = {"others": sum(pile.rows for pile in others if pile.kind is kind), "exact": MAX_ROWS_COUNTED}
    counted = connection.execute(text(_SENT.format(kind=kind, table=kind.table.name)), values)
    return Pile(kind, "sent", counted.scalar_one(), None)


# The log's ids are assigned before their rows are committed, so rows younger than this wait for the next read. A
# statement that records attempts takes milliseconds.
SETTLED_SECONDS = 5.0

# Both bounds are read from the end of the primary key's index, so no query reads the whole log.
_FIRST = text("SELECT coalesce(max(id), 0) FROM crm_attempts")
_LAST = text("""
SELECT coalesce(max(id), :after) FROM crm_attempts
WHERE id > :after AND at < clock_timestamp() - make_interval(secs => :settled)
""")
_COUNTS = text("""
SELECT kind, event, coalesce(code, '') AS code, count(*) AS times FROM crm_attempts
WHERE id > :after AND id <= :last GROUP BY kind, event, coalesce(code, '')
""")
_WAITED = text("""
SELECT attempt.kind, extract(epoch FROM attempt.at - coalesce(lead.created_at, click.created_at))::float8 AS seconds
FROM crm_attempts AS attempt
LEFT JOIN leads AS lead ON attempt.kind = 'lead' AND lead.id = attempt.row_id
LEFT JOIN whatsapp_clicks AS click ON attempt.kind = 'click' AND click.id = attempt.row_id
WHERE attempt.id > :after AND attempt.id <= :last AND attempt.event = 'delivered'
  AND coalesce(lead.created_at, click.created_at) IS NOT NULL
""")


@dataclass(frozen=True, slots=True)
class Attempts:
    """The attempts recorded since the last read.

    `last` is the newest attempt that was read. `counts`: kind, event, code and how often. `waited`: for each
    delivered row, its kind and the seconds since it was stored.
    """

    last: int
    counts: list[tuple[str, str, str, int]]
    waited: list[tuple[str, float]]


def newest_attempt(engine: Engine) -> int:
    """Return the id of the newest attempt: where a reader of new attempts starts."""
    with engine.connect() as connection:
        return int(connection.execute(_FIRST).scalar_one())


def read_attempts(engine: Engine, after: int, *, settled_seconds: float = SETTLED_SECONDS) -> Attempts:
    """Return the attempts after `after`, except those of the last few seconds; the next read starts at `last`."""
    with engine.connect() as connection:
        last = int(connection.execute(_LAST, {"after": after, "settled": settled_seconds}).scalar_one())
        bounds = {"after": after, "last": last}
        counts = [(row.kind, row.event, row.code, row.times) for row in connection.execute(_COUNTS, bounds)]
        waited = [(row.kind, row.seconds) for row in connection.execute(_WAITED, bounds)]
    return Attempts(last, counts, waited)
