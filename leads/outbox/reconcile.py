"""Our side of a comparison with the CRM: the sent rows, the state of named rows, and requeuing. SQL only."""

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
# The one way back from sent: a person asked for it, because the record is not there.
_REQUEUE = """
WITH back AS (
    UPDATE {table} SET zoho_status = 'pending', retry_count = 0, lost_leases = 0, next_retry_at = now(),
        queued_at = now(), zoho_sent_at = NULL, zoho_record_id = NULL{forget}
    WHERE id = ANY(cast(:ids AS uuid[])) AND zoho_status = 'sent' RETURNING id, next_retry_at
)
INSERT INTO crm_attempts (kind, row_id, event, detail, next_retry_at)
SELECT :kind, id, 'requeued', :detail, next_retry_at FROM back RETURNING row_id
"""


@dataclass(frozen=True, slots=True)
class SentRow:
    """A row that the CRM has taken. `merged`: as a note on the record of an earlier one."""

    kind: Kind
    id: UUID
    record_id: str | None
    merged: bool


def read_clock(engine: Engine) -> datetime:
    """The database's now: the end of a comparison, since rows sent later may not be in a list read before."""
    with engine.connect() as connection:
        now: datetime = connection.execute(_NOW).scalar_one()
        return now


def read_sent(engine: Engine, *, since: datetime, until: datetime) -> Iterator[list[SentRow]]:
    """Yields pages of the rows that became sent in [since, until)."""
    for kind in Kind:
        merged = "coalesce(merged_into = zoho_record_id, false)" if kind is Kind.LEAD else "false"
        statement = text(_SENT.format(table=kind.table.name, merged=merged))
        after = UUID(int=0)
        while True:
            with engine.connect() as connection:
                asked = {"since": since, "until": until, "after": after, "rows": PAGE_ROWS}
                rows = [SentRow(kind, **row) for row in connection.execute(statement, asked).mappings()]
            if not rows:
                break
            yield rows
            after = rows[-1].id


def read_states(engine: Engine, ids: Sequence[UUID]) -> dict[UUID, tuple[Kind, str]]:
    """Kind and status of those of the ids that are rows here."""
    with engine.connect() as connection:
        return {
            row.id: (kind, row.status)
            for kind in Kind
            for row in connection.execute(text(_STATES.format(table=kind.table.name)), {"ids": list(ids)})
        }


def requeue_missing(engine: Engine, rows: Sequence[tuple[Kind, UUID]], *, by: str) -> int:
    """Send these sent rows again, since the CRM has no record of them; gives how many. Twice changes nothing."""
    count = 0
    with engine.connect() as connection:
        for kind in Kind:
            forget = ", merged_into = NULL" if kind is Kind.LEAD else ""
            statement = text(_REQUEUE.format(table=kind.table.name, forget=forget))
            ids = [row_id for of_kind, row_id in rows if of_kind is kind]
            for start in range(0, len(ids), STEP_ROWS):
                step = {"kind": kind, "ids": ids[start : start + STEP_ROWS], "detail": f"by {by}: not in the CRM"}
                count += len(connection.execute(statement, step).all())
    return count
