"""The concurrency limit (a semaphore across machines): how many calls to the CRM may be in flight at once.

A slot is a row with a lease: its holder frees it after the call. The slot of a lost worker or machine frees itself,
whatever became of its sessions. No session has to be kept, so that a pooler may stand in between.
"""

from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING
from uuid import uuid4

from sqlalchemy import text

from leads.db import DATABASE_ERRORS, error_name
from leads.outbox.rows import Lane

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from sqlalchemy import Engine

log = logging.getLogger(__name__)

# Retries take the first free slot in the lower half; fresh rows take the last free slot of all. A retry on a spare
# thread searches from just below the last slot, which is left to fresh rows. A slot that a crash of the database
# forgets frees itself later, so no one waits for the disk.
_TAKE = """
WITH quick AS (
    SELECT set_config('synchronous_commit', 'off', true)
), free AS (
    SELECT number FROM crm_slots, quick WHERE number <= :limit AND until_at <= now()
    ORDER BY number {order} LIMIT 1 FOR UPDATE OF crm_slots SKIP LOCKED
)
UPDATE crm_slots SET holder = :holder, until_at = now() + make_interval(secs => :seconds)
FROM free WHERE crm_slots.number = free.number RETURNING crm_slots.number
"""
_FIRST_FREE, _LAST_FREE = text(_TAKE.format(order="ASC")), text(_TAKE.format(order="DESC"))
_IN_FLIGHT = text("SELECT count(*) FROM crm_slots WHERE until_at > now()")
_FREE = text("""
WITH quick AS (SELECT set_config('synchronous_commit', 'off', true))
UPDATE crm_slots SET until_at = '-infinity' FROM quick WHERE number = :number AND holder = :holder
""")


@contextmanager
def acquire_call_slot(
    engine: Engine, lane: Lane, *, cap: int, seconds: float, spare: bool = False
) -> Iterator[bool]:
    """Hold one of the slots while the block runs.

    Args:
        engine: The database, which has the slots.
        lane: Fresh rows may use all slots, retries half of them (at least one).
        cap: How many slots there are.
        seconds: The lease: when the slot is free again if the holder is lost.
        spare: For a retry: use a slot that fresh rows do not need, but never the last one.

    Yields:
        True with a slot held, False when none is free.
    """
    statement, limit = (_FIRST_FREE, cap // 2) if lane is Lane.RETRY and not spare else (_LAST_FREE, cap - spare)
    holder = uuid4()
    with engine.connect() as connection:
        number = connection.execute(
            statement, {"limit": max(1, limit), "holder": holder, "seconds": seconds}
        ).scalar()
    try:
        yield number is not None
    finally:
        if number is not None:
            _free(engine, number, holder)


def _free(engine: Engine, number: int, holder: UUID) -> None:
    try:
        with engine.connect() as connection:
            connection.execute(_FREE, {"number": number, "holder": holder})
    except DATABASE_ERRORS as error:
        log.warning("call slot %d could not be freed (%s); it frees itself", number, error_name(error))


def count_calls_in_flight(engine: Engine) -> int:
    """Return how many calls to the CRM are in flight now, across all workers."""
    with engine.connect() as connection:
        return int(connection.execute(_IN_FLIGHT).scalar_one())
