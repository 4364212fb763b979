"""Rows for the benchmarks: stored as the API stores them, counted and waited for. Plain SQL."""

from __future__ import annotations

from random import Random
from uuid import UUID

import psycopg
from psycopg.sql import SQL, Identifier

from benchmarks.payload import row
from benchmarks.programs import BenchmarkError
from dev.servers.waiting import wait_until
from leads.ids import new_id

MAX_WAIT = 60.0  # seconds
MAX_DEADLOCKS = 5


def store_waiting(database: str, numbers: range, chooser: Random) -> None:
    """Store visitors' leads in one commit, due at once: ids in time order, keys at random, as the API has them."""
    columns = SQL(", ").join(map(Identifier, ("id", "idempotency_key", "request_digest", "ip_address", *row(0))))
    words = SQL("COPY leads ({}) FROM STDIN").format(columns)
    ids = [new_id() for _ in numbers]
    with psycopg.connect(database, autocommit=True) as connection, connection.transaction():
        with connection.cursor().copy(words) as copy:
            for lead_id, number in zip(ids, numbers, strict=True):
                key = UUID(int=chooser.getrandbits(128), version=4)
                copy.write_row((lead_id, str(key), chooser.randbytes(32), "192.0.2.1", *row(number).values()))
        with connection.cursor().copy("COPY deliveries (id, kind) FROM STDIN") as copy:
            for lead_id in ids:
                copy.write_row((lead_id, "lead"))


def empty(database: str) -> None:
    """Delete all leads and attempts.

    Workers go on looking for rows meanwhile; where one of their statements locks the tables in another order,
    PostgreSQL ends this one, and it is tried again.
    """
    for _ in range(MAX_DEADLOCKS):
        try:
            _execute(database, "TRUNCATE leads, deliveries, attempts CASCADE")
        except psycopg.errors.DeadlockDetected:
            continue
        return
    raise BenchmarkError(f"the tables could not be emptied: {MAX_DEADLOCKS} deadlocks with the product")


def drop_pending(database: str) -> None:
    """Delete the leads that no worker has claimed."""
    _execute(
        database,
        "WITH gone AS (DELETE FROM deliveries WHERE status = 'pending' RETURNING id)"
        " DELETE FROM leads USING gone WHERE leads.id = gone.id",
    )


def wait_delivered(database: str) -> None:
    """Wait until every lead is delivered and marked."""
    if not wait_until(lambda: waiting(database) == 0, MAX_WAIT, every=0.1):
        raise BenchmarkError(f"{waiting(database)} leads were not delivered within {MAX_WAIT:g} s")


def waiting(database: str) -> int:
    """How many leads have not been delivered and marked."""
    return _number(database, "SELECT count(*) FROM deliveries WHERE status <> 'sent'")


def count(database: str) -> int:
    """How many leads there are."""
    return _number(database, "SELECT count(*) FROM leads")


def committed(database: str) -> dict[str, float]:
    """When each lead was stored (epoch seconds), by id."""
    with psycopg.connect(database, autocommit=True) as connection:
        found = connection.execute("SELECT id::text, extract(epoch FROM created_at)::float8 FROM leads").fetchall()
    return dict(found)


def _number(database: str, words: str) -> int:
    with psycopg.connect(database, autocommit=True) as connection:
        found = connection.execute(words).fetchone()
    return int(found[0]) if found else 0


def _execute(database: str, words: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(words)
