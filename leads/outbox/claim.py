"""Claiming: one statement takes due rows of one kind and lane under a lease and writes the claim down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import text

from leads.lifecycle import LOST_LEASES_ALONE, Sync
from leads.outbox.kinds import Claimed, Kind, Lane

if TYPE_CHECKING:
    from sqlalchemy import Engine, RowMapping

# Locked rows are skipped, so claimers never wait for each other; the partial index holds owed rows only, so the
# price of a claim does not grow with what is done. The lease is the row's own clock: when it runs out the row is
# due again by itself. In braces stand this project's own table and status names, never input; the status must be
# literal, or a prepared statement could not use the partial index.
_CLAIM = """
WITH due AS (
    SELECT id FROM {table}
    WHERE zoho_status = '{status}' AND next_retry_at <= now() AND (lost_leases >= :alone) = :solitary
    ORDER BY next_retry_at LIMIT :rows FOR UPDATE SKIP LOCKED
), claimed AS (
    UPDATE {table} SET zoho_status = 'sending', next_retry_at = now() + make_interval(secs => :lease)
    FROM due WHERE {table}.id = due.id
    RETURNING {table}.*, extract(epoch FROM now() - queued_at)::float8 AS age
), noted AS (
    INSERT INTO crm_attempts (kind, row_id, call_id, event, next_retry_at)
    SELECT :kind, id, :call_id, 'claimed', next_retry_at FROM claimed
)
SELECT * FROM claimed ORDER BY created_at, id
"""


_STATEMENTS = {
    (kind, lane): text(_CLAIM.format(table=kind.table.name, status=lane.status)) for kind in Kind for lane in Lane
}


def claim(engine: Engine, lane: Lane, *, rows: int, lease_seconds: float, call_id: str) -> list[Claimed]:
    """Take up to `rows` due rows of one kind, leads before clicks; empty when nothing is due.

    A row whose worker died twice is taken by itself. `call_id` ties the claim to the CRM call it is for.
    """
    with engine.connect() as connection:
        for kind in Kind:
            for solitary in _crowds(lane):
                parameters = {
                    "kind": kind,
                    "alone": LOST_LEASES_ALONE,
                    "solitary": solitary,
                    "rows": 1 if solitary else rows,
                    "lease": lease_seconds,
                    "call_id": call_id,
                }
                found = connection.execute(_STATEMENTS[kind, lane], parameters).mappings().all()
                if found:
                    return [_claimed(kind, row) for row in found]
    return []


def _crowds(lane: Lane) -> tuple[bool, ...]:
    """Only the retry lane can hold rows that must go alone; they go first, since they may never end a batch."""
    return (False,) if lane is Lane.FRESH else (True, False)


def _claimed(kind: Kind, row: RowMapping) -> Claimed:
    sync = Sync(row["retry_count"], row["lost_leases"], row["age"])
    return Claimed(kind, row["id"], row["next_retry_at"], sync, dict(row))
