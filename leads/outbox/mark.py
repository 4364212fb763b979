"""Marking: one statement writes a batch's verdicts, only where the lease still holds, and notes every one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import text

from leads.outbox.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Engine

    from leads.lifecycle import Settled
    from leads.outbox.kinds import Claimed

# The state check is inside the UPDATE: a worker that lost its lease marks nothing. One exception: success is
# monotone. The CRM has the row whatever happened to the lease, so a success is kept, and nothing un-sends a row.
_MARK = """
WITH verdict AS (
    SELECT * FROM unnest(
        cast(:ids AS uuid[]), cast(:leases AS timestamptz[]), cast(:statuses AS text[]), cast(:counts AS int[]),
        cast(:waits AS float8[]), cast(:tried AS bool[]), cast(:records AS text[]), cast(:errors AS text[]),
        cast(:events AS text[]), cast(:codes AS text[]), cast(:https AS int[]), cast(:calls AS text[]),
        cast(:notes AS text[])
    ) AS v(id, lease, status, count, wait, tried, record, error, event, code, http, call, note)
), marked AS (
    UPDATE {table} AS t SET
        zoho_status = v.status,
        retry_count = v.count,
        next_retry_at = coalesce(now() + make_interval(secs => v.wait), t.next_retry_at),
        last_retry_at = CASE WHEN v.tried THEN now() ELSE t.last_retry_at END,
        zoho_sent_at = CASE WHEN v.status = 'sent' THEN now() ELSE t.zoho_sent_at END,
        zoho_record_id = coalesce(v.record, t.zoho_record_id),
        last_error = CASE WHEN v.status = 'sent' THEN NULL ELSE coalesce(v.error, t.last_error) END
    FROM verdict AS v
    WHERE t.id = v.id AND (
        (t.zoho_status = 'sending' AND t.next_retry_at = v.lease) OR (v.status = 'sent' AND t.zoho_status <> 'sent')
    )
    RETURNING t.id, t.next_retry_at
), noted AS (
    INSERT INTO crm_attempts (kind, row_id, call_id, event, code, http_status, detail, next_retry_at)
    SELECT :kind, v.id, v.call, CASE WHEN m.id IS NULL THEN 'fenced' ELSE v.event END, v.code, v.http,
           coalesce(v.error, v.note),
           CASE WHEN v.wait IS NOT NULL THEN m.next_retry_at END
    FROM verdict AS v LEFT JOIN marked AS m ON m.id = v.id
)
SELECT id FROM marked
"""

_STATEMENTS = {kind: text(_MARK.format(table=kind.table.name)) for kind in Kind}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to write on one claimed row and into its timeline. Neither may hold personal data."""

    row: Claimed
    settled: Settled
    event: str
    code: str | None = None
    http_status: int | None = None
    call_id: str | None = None
    note: str | None = None


def mark(engine: Engine, verdicts: Sequence[Verdict]) -> int:
    """Write the verdicts of one batch (rows of one kind); gives how many were marked, the rest were fenced."""
    if not verdicts:
        return 0
    kind = verdicts[0].row.kind
    settled = [verdict.settled for verdict in verdicts]
    parameters = {
        "kind": kind,
        "ids": [verdict.row.id for verdict in verdicts],
        "leases": [verdict.row.lease for verdict in verdicts],
        "statuses": [str(item.status) for item in settled],
        "counts": [item.retry_count for item in settled],
        "waits": [item.wait for item in settled],
        "tried": [item.tried for item in settled],
        "records": [item.record_id for item in settled],
        "errors": [item.error for item in settled],
        "events": [verdict.event for verdict in verdicts],
        "codes": [verdict.code for verdict in verdicts],
        "https": [verdict.http_status for verdict in verdicts],
        "calls": [verdict.call_id for verdict in verdicts],
        "notes": [verdict.note for verdict in verdicts],
    }
    with engine.connect() as connection:
        return len(connection.execute(_STATEMENTS[kind], parameters).all())
