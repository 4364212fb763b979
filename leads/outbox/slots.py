"""The concurrency limit (a semaphore across machines): how many calls to a destination may be in flight at once.

A slot is a row with a lease: its holder frees it after the call. The slot of a lost worker or machine frees itself,
whatever became of its sessions.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import assert_never
from uuid import uuid4

from sqlalchemy import Engine, text

from leads.db import DATABASE_ERRORS, error_name
from leads.destinations import CRM
from leads.outbox.gate import READ_GATE, Gate
from leads.outbox.rows import Lane
from leads.tables.delivery import NEW

log = logging.getLogger(__name__)

# Fresh rows take the last free slot. Retries take the first free one in the lower half, and while no fresh row is
# due, any but the last. A slot that a crash of the database forgets frees itself later, so no one waits for the
# disk. The gate comes with it: every delivery needs both, and a new lead waits for each round trip.
_TAKE = f"""
WITH quick AS (
    SELECT set_config('synchronous_commit', 'off', true)
), gate AS (
    {READ_GATE.format(destination="%(destination)s")}
), free AS (
    SELECT number FROM call_slots, quick, gate
    WHERE destination = %(destination)s AND number <= greatest(1, {{limit}}) AND call_slots.until_at <= now()
        AND (state = 'open' OR %(may_probe)s)
    ORDER BY number {{order}} LIMIT 1 FOR UPDATE OF call_slots SKIP LOCKED
), taken AS (
    UPDATE call_slots SET holder = %(holder)s, until_at = now() + make_interval(secs => %(seconds)s)
    FROM free WHERE call_slots.destination = %(destination)s AND call_slots.number = free.number
    RETURNING call_slots.number
)
SELECT gate.*, taken.number AS slot FROM gate LEFT JOIN taken ON true
"""  # noqa: S608 - constants of this project
_CAP = "%(cap)s"
_FRESH_IS_DUE = f"""EXISTS (
    SELECT 1 FROM deliveries WHERE destination = %(destination)s AND kind IN ('lead', 'click')
        AND {NEW} AND next_retry_at <= now()
)"""  # noqa: S608 - constants of this project
_FOR_FRESH = _TAKE.format(limit=_CAP, order="DESC")
_FOR_RETRY = _TAKE.format(limit=f"CASE WHEN {_FRESH_IS_DUE} THEN {_CAP} / 2 ELSE {_CAP} - 1 END", order="ASC")
_IN_FLIGHT = text("SELECT destination, count(*) AS calls FROM call_slots WHERE until_at > now() GROUP BY 1")
_FREE = """
WITH quick AS (SELECT set_config('synchronous_commit', 'off', true))
UPDATE call_slots SET until_at = '-infinity' FROM quick
WHERE destination = %(destination)s AND number = %(number)s AND holder = %(holder)s
"""


@contextmanager
def acquire_call_slot(  # noqa: PLR0913 - keywords, one per property of the caller
    engine: Engine, lane: Lane, *, cap: int, seconds: float, may_probe: bool = False, destination: str = CRM
) -> Iterator[tuple[Gate, bool]]:
    """Read the gate, and hold one of the slots while the block runs.

    Args:
        engine: The database, which has the slots.
        lane: Fresh rows may use all slots. Retries use half of them (at least one), and all but one while no fresh
            row is due.
        cap: How many slots there are.
        seconds: The lease: when the slot is free again if the holder is lost.
        may_probe: Hold a slot while the gate is shut, too.
        destination: Whose slots.

    Yields:
        The gate, and True with a slot held, False when none is free or the gate is shut.
    """
    statement = _statement(lane)
    holder = uuid4()
    values = {"destination": destination, "cap": cap, "holder": holder, "seconds": seconds, "may_probe": may_probe}
    with engine.connect() as connection:
        found = dict(connection.exec_driver_sql(statement, values).mappings().one())
    number = found.pop("slot")
    try:
        yield Gate(**found), number is not None
    finally:
        if number is not None:
            _free(engine, {"destination": destination, "number": number, "holder": holder})


def _statement(lane: Lane) -> str:
    match lane:
        case Lane.FRESH:
            return _FOR_FRESH
        case Lane.RETRY:
            return _FOR_RETRY
    assert_never(lane)


def _free(engine: Engine, slot: dict[str, object]) -> None:
    try:
        with engine.connect() as connection:
            connection.exec_driver_sql(_FREE, slot)
    except DATABASE_ERRORS as error:
        log.warning("call slot %s could not be freed (%s); it frees itself", slot["number"], error_name(error))


def count_calls_in_flight(engine: Engine) -> dict[str, int]:
    """Return how many calls are in flight now to each destination that has any, across all workers."""
    with engine.connect() as connection:
        return {row.destination: row.calls for row in connection.execute(_IN_FLIGHT)}
