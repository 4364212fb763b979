"""Our side of a reconciliation with the CRM: sent rows, the states of given rows, and requeuing. SQL only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import Engine, text

from leads.outbox.rows import Kind

PAGE_ROWS = 5000
STEP_ROWS = 1000

_NOW = text("SELECT clock_timestamp()")
_SENT = text("""
SELECT kind, id, zoho_record_id AS record_id
FROM crm_deliveries
WHERE zoho_status = 'sent' AND zoho_sent_at >= :since AND zoho_sent_at < :until AND id > :after
ORDER BY id LIMIT :rows
""")
# Rows that were in doubt come first: a lost reply tells of nothing that went wrong at the CRM.
_SAMPLE = text("""
SELECT kind, id, zoho_record_id AS record_id
FROM crm_deliveries
WHERE queued_at > now() - interval '8 days' AND zoho_status = 'sent'
  AND zoho_sent_at BETWEEN now() - interval '25 hours' AND now() - interval '5 min'
ORDER BY last_retry_at IS NULL, random() LIMIT :rows
""")
_STATES = text("""
SELECT kind, id, zoho_status AS status FROM crm_deliveries WHERE id = ANY(cast(:ids AS uuid[]))
""")
_RECORDS = text("""
SELECT id, zoho_record_id AS record_id FROM crm_deliveries
WHERE id = ANY(cast(:ids AS uuid[])) AND zoho_record_id IS NOT NULL
""")
# The only way back from `sent`: the CRM does not have the record.
_REQUEUE = text("""
WITH back AS (
    UPDATE crm_deliveries SET zoho_status = 'pending', retry_count = 0, lost_leases = 0,
        next_retry_at = now(), queued_at = now(), requeued = true,
        zoho_sent_at = NULL,
        zoho_record_id = NULL
    WHERE id = ANY(cast(:ids AS uuid[])) AND zoho_status = 'sent' RETURNING kind, id, next_retry_at
)
INSERT INTO crm_attempts (kind, row_id, event, detail, next_retry_at)
SELECT kind, id, 'requeued', :detail, next_retry_at FROM back RETURNING row_id
""")


@dataclass(frozen=True, slots=True)
class SentRow:
    """A row that the CRM has accepted."""

    kind: Kind
    id: UUID
    record_id: str | None


def read_clock(engine: Engine) -> datetime:
    """Return the database's time: a comparison ends there, since a list read from the CRM may lack later rows."""
    with engine.connect() as connection:
        now: datetime = connection.execute(_NOW).scalar_one()
        return now


def read_sent(engine: Engine, *, since: datetime, until: datetime) -> Iterator[list[SentRow]]:
    """Yield pages of the rows that were sent in [since, until)."""
    after = UUID(int=0)
    while True:
        with engine.connect() as connection:
            bounds = {"since": since, "until": until, "after": after, "rows": PAGE_ROWS}
            found = connection.execute(_SENT, bounds)
            rows = [SentRow(Kind(row.kind), row.id, row.record_id) for row in found]
        if not rows:
            break
        yield rows
        after = rows[-1].id


def read_sample(engine: Engine, *, rows: int) -> list[SentRow]:
    """Return so many of the rows that were sent within a day, those first that were not sent at the first try."""
    with engine.connect() as connection:
        found = connection.execute(_SAMPLE, {"rows": rows})
        return [SentRow(Kind(row.kind), row.id, row.record_id) for row in found]


def read_states(engine: Engine, ids: Sequence[UUID]) -> dict[UUID, tuple[Kind, str]]:
    """Return kind and status by id, for those of the ids that exist here."""
    with engine.connect() as connection:
        return {row.id: (Kind(row.kind), row.status) for row in connection.execute(_STATES, {"ids": list(ids)})}


def read_record_ids(engine: Engine, ids: Sequence[UUID]) -> dict[UUID, str]:
    """Return the record that each of these rows got, where it got one."""
    with engine.connect() as connection:
        return {row.id: row.record_id for row in connection.execute(_RECORDS, {"ids": list(ids)})}


def requeue_missing(engine: Engine, ids: Sequence[UUID], *, by: str) -> int:
    """Requeue sent rows that the CRM has no record of; return how many. A second call changes nothing."""
    count = 0
    with engine.connect() as connection:
        for start in range(0, len(ids), STEP_ROWS):
            step = {"ids": list(ids[start : start + STEP_ROWS]), "detail": f"by {by}: not in the CRM"}
            count += len(connection.execute(_REQUEUE, step).all())
    return count
