"""The concurrency limit (a semaphore across machines): how many calls to the CRM may be in flight at once.

A slot is an advisory lock in PostgreSQL, held by the caller's session for the length of one call. When a worker
dies, its connection closes and frees the slot; nothing has to be cleaned up.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from leads.outbox.rows import Lane

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Engine

# The first key of every slot's lock: any number that nothing else in this database uses.
SLOT_LOCK = 4_021_734

# Retries take the first free slot in the lower half; fresh rows take the last free slot of all. A retry on a spare
# thread searches from just below the last slot, which is left to fresh rows.
_FIRST_FREE = text("SELECT n FROM generate_series(1, :limit) AS n WHERE pg_try_advisory_lock(:key, n) LIMIT 1")
_LAST_FREE = text("SELECT n FROM generate_series(:limit, 1, -1) AS n WHERE pg_try_advisory_lock(:key, n) LIMIT 1")
_IN_FLIGHT = text("""
SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = :slot AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
""")
_RELEASE = text("SELECT pg_advisory_unlock(:key, :number)")


@contextmanager
def acquire_call_slot(engine: Engine, lane: Lane, *, cap: int, spare: bool = False) -> Iterator[bool]:
    """Hold one of the slots while the block runs.

    Args:
        engine: The database, which holds the locks.
        lane: Fresh rows may use all slots, retries half of them (at least one).
        cap: How many slots there are.
        spare: For a retry: use a slot that fresh rows do not need, but never the last one.

    Yields:
        True with a slot held, False when none is free.
    """
    statement, limit = (_FIRST_FREE, cap // 2) if lane is Lane.RETRY and not spare else (_LAST_FREE, cap - spare)
    with engine.connect() as connection:
        number = connection.execute(statement, {"limit": max(1, limit), "key": SLOT_LOCK}).scalar()
        try:
            yield number is not None
        finally:
            if number is not None:
                try:
                    connection.execute(_RELEASE, {"key": SLOT_LOCK, "number": number})
                except DBAPIError:
                    # The session has ended and its locks with it; the pool must not reuse this connection.
                    connection.invalidate()


def count_calls_in_flight(engine: Engine) -> int:
    """Return how many calls to the CRM are in flight now, across all workers."""
    with engine.connect() as connection:
        return int(connection.execute(_IN_FLIGHT, {"slot": SLOT_LOCK}).scalar_one())
