"""Slots: how many calls to the CRM may be in flight at once, over all workers of all machines.

A slot is an advisory lock of the database, held by the caller's session for the length of one call. A worker
that dies gives its slot back with its connection; nothing has to be cleaned up.
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

# The first key of every slot's lock; any number that nothing else in this database uses.
SLOT_LOCK = 4_021_734

# Retries start at the bottom and use half of the slots at most; fresh rows start at the top and use all. Retries on
# a spare thread start below the topmost, which is left to fresh rows.
_FROM_BELOW = text("SELECT n FROM generate_series(1, :most) AS n WHERE pg_try_advisory_lock(:key, n) LIMIT 1")
_FROM_ABOVE = text("SELECT n FROM generate_series(:most, 1, -1) AS n WHERE pg_try_advisory_lock(:key, n) LIMIT 1")
_IN_FLIGHT = text("""
SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = :slot AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
""")
_GIVE_BACK = text("SELECT pg_advisory_unlock(:key, :number)")


@contextmanager
def acquire_call_slot(engine: Engine, lane: Lane, *, cap: int, spare: bool = False) -> Iterator[bool]:
    """Hold one of `cap` slots; False when none is free. Retries get half of them (at least one).

    `spare`: a retry that no fresh row needs the slot of; then any but the last.
    """
    take, most = (_FROM_BELOW, cap // 2) if lane is Lane.RETRY and not spare else (_FROM_ABOVE, cap - spare)
    with engine.connect() as connection:
        number = connection.execute(take, {"most": max(1, most), "key": SLOT_LOCK}).scalar()
        try:
            yield number is not None
        finally:
            if number is not None:
                try:
                    connection.execute(_GIVE_BACK, {"key": SLOT_LOCK, "number": number})
                except DBAPIError:
                    # The session is gone and its locks with it; the pool must not hand this connection out again.
                    connection.invalidate()


def count_calls_in_flight(engine: Engine) -> int:
    """Calls to the CRM that are in flight now, over all workers."""
    with engine.connect() as connection:
        return int(connection.execute(_IN_FLIGHT, {"slot": SLOT_LOCK}).scalar_one())
