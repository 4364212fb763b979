"""Our side of a reconciliation with the CRM: sent rows, the states of given rows, and requeuing. SQL only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from sqlalchemy import text

from leads.outbox.rows import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from sqlalchemy import Engine

PAGE_ROWS = 5000
STEP_ROWS = 1000

_NOW = text("SELECT clock_timestamp()")
_SENT = """
SELECT id, zoho_record_id AS record_id, {merged} AS merged FROM {table}
WHERE zoho_status = 'sent' AND zoho_sent_at >= :since AND zoho_sent_at < :until AND id > :after
ORDER BY id LIMIT :rows
"""
_STATES = """
SELECT id, zoho_status AS status FROM {table} WHERE id = ANY(cast(:ids AS uuid[]))
"""
# The only way back from `sent`: an operator asked for it, because the CRM does not have the record.
_REQUEUE = """
WITH back AS (
    UPDATE {table} SET zoho_status = 'pending', retry_count = 0, lost_leases = 0, workers_killed = 0,
        next_retry_at = now(),
        queued_at = now(), zoho_sent_at = NULL, zoho_record_id = NULL{forget}
    WHERE id = ANY(cast(:ids AS uuid[])) AND zoho_status = 'sent' RETURNING id, next_retry_at
)
INSERT INTO crm_attempts (kind, row_id, event, detail, next_retry_at)
SELECT :kind, id, 'requeued', :detail, next_retry_at FROM back RETURNING row_id
"""


@dataclass(frozen=True, slots=True)
class SentRow:
    """A row that the CRM has accepted. `merged`: as a note on the record of an earlier one."""

    kind: Kind
    id: UUID
    record_id: str | None
    merged: bool


def read_clock(engine: Engine) -> datetime:
    """Return the database's time: a comparison ends there, since a list read from the CRM may lack later rows."""
    with engine.connect() as connection:
        now: datetime = connection.execute(_NOW).scalar_one()
        return now


def read_sent(engine: Engine, *, since: datetime, until: datetime) -> Iterator[list[SentRow]]:
    """Yield pages of the rows that were sent in [since, until)."""
    for kind in Kind:
        merged = "coalesce(merged_into = zoho_record_id, false)" if kind is Kind.LEAD else "false"
        statement = text(_SENT.format(table=kind.table.name, merged=merged))
        after = UUID(int=0)
        while True:
            with engine.connect() as connection:
                bounds = {"since": since, "until": until, "after": after, "rows": PAGE_ROWS}
                rows = [SentRow(kind, **row) for row in connection.execute(statement, bounds).mappings()]
            if not rows:
                break
            yield rows
            after = rows[-1].id


def read_states(engine: Engine, ids: Sequence[UUID]) -> dict[UUID, tuple[Kind, str]]:
    """Return kind and status by id, for those of the ids that exist here."""
    with engine.connect() as connection:
        return {
            row.id: (kind, row.status)
            for kind in Kind
            for row in connection.execute(text(_STATES.format(table=kind.table.name)), {"ids": list(ids)})
        }


def requeue_missing(engine: Engine, rows: Sequence[tuple[Kind, UUID]], *, by: str) -> int:
    """Requeue sent rows that the CRM has no record of; return how many. A second call changes nothing."""
    count = 0
    with engine.connect() as connection:
        for kind in Kind:
            forget = ", merged_into = NULL" if kind is Kind.LEAD else ""
            statement = text(_REQUEUE.format(table=kind.table.name, forget=forget))
            ids = [row_id for row_kind, row_id in rows if row_kind is kind]
            for start in range(0, len(ids), STEP_ROWS):
                step = {"kind": kind, "ids": ids[start : start + STEP_ROWS], "detail": f"by {by}: not in the CRM"}
                count += len(connection.execute(statement, step).all())
    return count
