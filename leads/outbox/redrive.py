"""A person's hand on rows: redriving dead ones, releasing held ones, and looking at one row's whole story."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import text

from leads.outbox.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from sqlalchemy import Engine

_REQUEUE = """
WITH back AS (
    UPDATE {table} SET zoho_status = 'pending', retry_count = 0, lost_leases = 0, next_retry_at = now(),
        queued_at = now()
    WHERE zoho_status = '{status}' AND (cast(:ids AS uuid[]) IS NULL OR id = ANY(cast(:ids AS uuid[])))
    RETURNING id, next_retry_at
)
INSERT INTO crm_attempts (kind, row_id, event, detail, next_retry_at)
SELECT :kind, id, :event, :detail, next_retry_at FROM back RETURNING row_id
"""
_LIST = """
SELECT '{kind}' AS kind, id, last_error, retry_count, last_retry_at, created_at FROM {table}
WHERE zoho_status = '{status}' ORDER BY created_at DESC LIMIT :most
"""
_FIND = """
SELECT '{kind}' AS kind, id, zoho_status, zoho_record_id, zoho_sent_at, retry_count, lost_leases, last_retry_at,
       next_retry_at, last_error, queued_at, created_at
FROM {table} WHERE id::text LIKE :start LIMIT 2
"""
_TIMELINE = text("""
SELECT at, event, code, http_status, detail, call_id, next_retry_at FROM crm_attempts
WHERE row_id = :id ORDER BY id
""")


def redrive(engine: Engine, *, by: str, ids: Sequence[UUID] | None = None) -> int:
    """Send dead rows again as if new (all of them, or those named); gives how many. Twice changes nothing."""
    return _requeue(engine, "dead", "redriven", by, ids)


def release(engine: Engine, *, by: str, ids: Sequence[UUID] | None = None) -> int:
    """Let held rows go to the CRM (all of them, or those named); gives how many."""
    return _requeue(engine, "held", "released", by, ids)


def _requeue(engine: Engine, status: str, event: str, by: str, ids: Sequence[UUID] | None) -> int:
    count = 0
    with engine.connect() as connection:
        for kind in Kind:
            statement = text(_REQUEUE.format(table=kind.table.name, status=status))
            parameters = {"kind": kind, "event": event, "detail": f"by {by}", "ids": list(ids) if ids else None}
            count += len(connection.execute(statement, parameters).all())
    return count


def list_rows(engine: Engine, status: str, *, most: int) -> list[dict[str, Any]]:
    """The newest rows in a status ("dead" or "held") with their reasons; no personal data."""
    if status not in {"dead", "held"}:
        raise ValueError(f"cannot list rows that are {status}")
    with engine.connect() as connection:
        return [
            dict(row)
            for kind in Kind
            for row in connection.execute(
                text(_LIST.format(kind=kind, table=kind.table.name, status=status)), {"most": most}
            ).mappings()
        ]


def find_row(engine: Engine, start: str) -> list[dict[str, Any]]:
    """Rows whose id begins with `start` (at most two of each kind); no personal data."""
    with engine.connect() as connection:
        return [
            dict(row)
            for kind in Kind
            for row in connection.execute(
                text(_FIND.format(kind=kind, table=kind.table.name)), {"start": f"{start.lower()}%"}
            ).mappings()
        ]


def read_timeline(engine: Engine, row_id: UUID) -> list[dict[str, Any]]:
    """Everything that ever happened to a row on its way to the CRM, oldest first."""
    with engine.connect() as connection:
        return [dict(row) for row in connection.execute(_TIMELINE, {"id": row_id}).mappings()]
