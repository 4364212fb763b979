"""The sweep: rows whose lease ran out (their worker died) go back with a wait, the third time for good."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from sqlalchemy import text

from leads.lifecycle import Sync, lose_lease
from leads.outbox.kinds import Kind

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

_LOST = """
SELECT id, retry_count, lost_leases FROM {table}
WHERE zoho_status = 'sending' AND next_retry_at <= now()
ORDER BY next_retry_at LIMIT :rows FOR UPDATE SKIP LOCKED
"""
_RETURN = """
WITH lost AS (
    SELECT * FROM unnest(
        cast(:ids AS uuid[]), cast(:statuses AS text[]), cast(:counts AS int[]), cast(:waits AS float8[]),
        cast(:errors AS text[])
    ) AS v(id, status, count, wait, error)
), returned AS (
    UPDATE {table} AS t SET
        zoho_status = v.status, retry_count = v.count, lost_leases = t.lost_leases + 1, last_retry_at = now(),
        next_retry_at = now() + make_interval(secs => coalesce(v.wait, 0)), last_error = v.error
    FROM lost AS v WHERE t.id = v.id
    RETURNING t.id, t.next_retry_at, t.last_error
)
INSERT INTO crm_attempts (kind, row_id, event, code, detail, next_retry_at)
SELECT :kind, id, 'lease_lost', 'WORKER_LOST', last_error, next_retry_at FROM returned
"""


def sweep(engine: Engine, *, rows: int = 1000) -> int:
    """Take back up to `rows` rows of each kind whose lease ran out; gives how many there were.

    Safe to run anywhere, doubled or late: the rows stay locked from the look to the write, and a success
    that arrives afterwards still marks its row sent.
    """
    taken = 0
    with engine.connect().execution_options(isolation_level="READ COMMITTED") as connection:
        for kind in Kind:
            with connection.begin():
                taken += _take_back(connection, kind, rows)
    return taken


def _take_back(connection: Connection, kind: Kind, rows: int) -> int:
    lost = connection.execute(text(_LOST.format(table=kind.table.name)), {"rows": rows}).all()
    if not lost:
        return 0
    settled = [lose_lease(Sync(row.retry_count, row.lost_leases), random.uniform(-1, 1)) for row in lost]  # noqa: S311 - spread, not secrecy
    connection.execute(
        text(_RETURN.format(table=kind.table.name)),
        {
            "kind": kind,
            "ids": [row.id for row in lost],
            "statuses": [str(item.status) for item in settled],
            "counts": [item.retry_count for item in settled],
            "waits": [item.wait for item in settled],
            "errors": [item.error for item in settled],
        },
    )
    return len(lost)
