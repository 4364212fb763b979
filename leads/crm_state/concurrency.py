"""The concurrency limit (a semaphore across machines): how many calls to the CRM may be in flight at once.

A slot is a row with a lease: its holder frees it after the call. The slot of a lost worker or machine frees itself,
whatever became of its sessions. No session has to be kept, so that a pooler may stand in between.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID, uuid4

from sqlalchemy import Engine, text

from leads.crm_state.gate import READ_GATE, Gate
from leads.db import DATABASE_ERRORS, error_name, fetch
from leads.outbox.rows import Lane

log = logging.getLogger(__name__)

# Retries take the first free slot in the lower half; fresh rows take the last free slot of all. A retry on a spare
# thread searches from just below the last slot, which is left to fresh rows. A slot that a crash of the database
# forgets frees itself later, so no one waits for the disk. The gate comes with it: every delivery needs both, and a
# new lead waits for each round trip.
_TAKE = f"""
WITH quick AS (
    SELECT set_config('synchronous_commit', 'off', true)
), gate AS (
    {READ_GATE}
), free AS (
    SELECT number FROM crm_slots, quick, gate
    WHERE number <= greatest(1, {{limit}}) AND crm_slots.until_at <= now() AND (state = 'open' OR %(may_probe)s)
    ORDER BY number {{order}} LIMIT 1 FOR UPDATE OF crm_slots SKIP LOCKED
), taken AS (
    UPDATE crm_slots SET holder = %(holder)s, until_at = now() + make_interval(secs => %(seconds)s)
    FROM free WHERE crm_slots.number = free.number RETURNING crm_slots.number
)
SELECT gate.*, taken.number AS slot FROM gate LEFT JOIN taken ON true
"""  # noqa: S608 - constants of this project
_CAP = "least(%(cap)s, concurrency)"
_FIRST_FREE = _TAKE.format(limit=f"{_CAP} / 2", order="ASC")
_LAST_FREE = _TAKE.format(limit=_CAP, order="DESC")
_LAST_BUT_ONE = _TAKE.format(limit=f"{_CAP} - 1", order="DESC")
_IN_FLIGHT = text("SELECT count(*) FROM crm_slots WHERE until_at > now()")
_FREE = """
WITH quick AS (SELECT set_config('synchronous_commit', 'off', true))
UPDATE crm_slots SET until_at = '-infinity' FROM quick WHERE number = %(number)s AND holder = %(holder)s
"""


@contextmanager
def acquire_call_slot(  # noqa: PLR0913 - keywords, one per property of the caller
    engine: Engine, lane: Lane, *, cap: int, seconds: float, spare: bool = False, may_probe: bool = False
) -> Iterator[tuple[Gate, bool]]:
    """Read the gate, and hold one of the slots while the block runs.

    Args:
        engine: The database, which has the slots.
        lane: Fresh rows may use all slots, retries half of them (at least one).
        cap: How many slots there are, unless the gate has a lowered concurrency.
        seconds: The lease: when the slot is free again if the holder is lost.
        spare: For a retry: use a slot that fresh rows do not need, but never the last one.
        may_probe: Hold a slot while the gate is shut, too.

    Yields:
        The gate, and True with a slot held, False when none is free or the gate is shut.
    """
    statement = _LAST_FREE if lane is Lane.FRESH else _LAST_BUT_ONE if spare else _FIRST_FREE
    holder = uuid4()
    values = {"cap": cap, "holder": holder, "seconds": seconds, "may_probe": may_probe}
    with engine.connect() as connection:
        (found,) = fetch(connection, statement, values)
    number = found.pop("slot")
    try:
        yield Gate(**found), number is not None
    finally:
        if number is not None:
            _free(engine, number, holder)


def _free(engine: Engine, number: int, holder: UUID) -> None:
    try:
        with engine.connect() as connection:
            fetch(connection, _FREE, {"number": number, "holder": holder})
    except DATABASE_ERRORS as error:
        log.warning("call slot %d could not be freed (%s); it frees itself", number, error_name(error))


def count_calls_in_flight(engine: Engine) -> int:
    """Return how many calls to the CRM are in flight now, across all workers."""
    with engine.connect() as connection:
        return int(connection.execute(_IN_FLIGHT).scalar_one())
