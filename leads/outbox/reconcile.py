"""Our side of a comparison with the CRM: sent rows, and requeuing. SQL only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import Engine, text

_SENT = text("""
SELECT id, zoho_record_id AS record_id FROM crm_deliveries WHERE zoho_status = 'sent' AND zoho_sent_at >= :since
""")
# Rows that were in doubt come first: a lost reply tells of nothing that went wrong at the CRM.
_SAMPLE = text("""
SELECT id, zoho_record_id AS record_id FROM crm_deliveries
WHERE queued_at > now() - interval '8 days' AND zoho_status = 'sent'
  AND zoho_sent_at BETWEEN now() - interval '25 hours' AND now() - interval '5 min'
ORDER BY last_retry_at IS NULL, random() LIMIT :rows
""")
_RECORDS = text("""
SELECT id, zoho_record_id AS record_id FROM crm_deliveries
WHERE id = ANY(cast(:ids AS uuid[])) AND zoho_record_id IS NOT NULL
""")
# The only way back from `sent`: the CRM does not have the record.
_REQUEUE = text("""
WITH back AS (
    UPDATE crm_deliveries SET zoho_status = 'pending', retry_count = 0, lost_leases = 0,
        next_retry_at = now(), queued_at = now(), zoho_sent_at = NULL, zoho_record_id = NULL
    WHERE id = ANY(cast(:ids AS uuid[])) AND zoho_status = 'sent' RETURNING kind, id, next_retry_at
)
INSERT INTO crm_attempts (kind, row_id, event, detail, next_retry_at)
SELECT kind, id, 'requeued', :detail, next_retry_at FROM back RETURNING row_id
""")


@dataclass(frozen=True, slots=True)
class SentRow:
    """A row that the CRM has accepted."""

    id: UUID
    record_id: str | None


def read_sent(engine: Engine, *, since: datetime) -> list[SentRow]:
    """Return the rows that were sent since then."""
    with engine.connect() as connection:
        return [SentRow(row.id, row.record_id) for row in connection.execute(_SENT, {"since": since})]


def read_sample(engine: Engine, *, rows: int) -> list[SentRow]:
    """Return so many of the rows that were sent within a day, those first that were not sent at the first try."""
    with engine.connect() as connection:
        found = connection.execute(_SAMPLE, {"rows": rows})
        return [SentRow(row.id, row.record_id) for row in found]


def read_record_ids(engine: Engine, ids: Sequence[UUID]) -> dict[UUID, str]:
    """Return the record that each of these rows got, where it got one."""
    with engine.connect() as connection:
        return {row.id: row.record_id for row in connection.execute(_RECORDS, {"ids": list(ids)})}


def requeue_missing(engine: Engine, ids: Sequence[UUID], *, by: str) -> int:
    """Requeue sent rows that the CRM has no record of; return how many. A second call changes nothing."""
    with engine.connect() as connection:
        return len(connection.execute(_REQUEUE, {"ids": list(ids), "detail": f"by {by}: not in the CRM"}).all())
