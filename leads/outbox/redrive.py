"""Operator actions on stopped rows: redrive dead letters, list them, show the whole history of one row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Engine, text

from leads.outbox.rows import Kind
from leads.tables.delivery import STOPPED_AT

# Rows per commit: few enough that no one waits long for its locks and little is lost when it is interrupted.
STEP_ROWS = 1000
_SELECTED = f"""
zoho_status = '{{status}}' AND {STOPPED_AT} <= :began
AND kind = :kind AND (cast(:ids AS uuid[]) IS NULL OR id = ANY(cast(:ids AS uuid[])))
AND {STOPPED_AT} >= coalesce(cast(:since AS timestamptz), '-infinity')
AND {STOPPED_AT} < coalesce(cast(:until AS timestamptz), 'infinity')
AND (cast(:code AS text) IS NULL OR split_part(last_error, ':', 1) = :code)
AND (cast(:reason AS text) IS NULL OR held_reason = :reason)
AND (cast(:source AS text) IS NULL OR lower(utm_source) = lower(:source)
     OR (lower(:source) = 'google' AND google_gclid IS NOT NULL))
"""
_REQUEUE = f"""
WITH selected AS (
    SELECT id FROM {{rows}} WHERE {_SELECTED} ORDER BY {STOPPED_AT} LIMIT :rows
    FOR UPDATE OF deliveries SKIP LOCKED
), back AS (
    UPDATE deliveries AS t SET zoho_status = 'pending', retry_count = 0, lost_leases = 0, workers_killed = 0,
        next_retry_at = now(), queued_at = now(), requeued = true
    FROM selected WHERE t.id = selected.id RETURNING t.id, t.next_retry_at
), owed AS (
    UPDATE acknowledgements SET status = 'pending', next_retry_at = now()
    FROM back WHERE lead_id = back.id AND status = 'held' AND created_at > now() - interval '1 day'
), told AS (
    UPDATE staff_notices SET status = 'pending', next_retry_at = now()
    FROM back WHERE lead_id = back.id AND status = 'held'
)
INSERT INTO crm_attempts (kind, row_id, event, detail, next_retry_at)
SELECT :kind, id, :event, :detail, next_retry_at FROM back RETURNING row_id
"""  # noqa: S608 - constants of this project
_COUNT = f"""
SELECT kind, {{reason}} AS {{name}}, count(*) AS rows,
       min({STOPPED_AT}) AS first, max({STOPPED_AT}) AS last
FROM {{rows}} WHERE {_SELECTED} GROUP BY 1, 2 ORDER BY 3 DESC
"""  # noqa: S608 - constants of this project
_NOW = text("SELECT clock_timestamp()")
_LIST = """
SELECT kind, id, last_error, held_reason, retry_count, last_retry_at, created_at FROM {rows}
WHERE zoho_status = '{status}' ORDER BY created_at DESC LIMIT :limit
"""
_TIMELINE = text("""
SELECT at, event, code, http_status, detail, call_id, next_retry_at FROM crm_attempts
WHERE row_id = :id ORDER BY id
""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which stopped rows to move; None is no filter. Times are aware and refer to when a row was given up."""

    ids: Sequence[UUID] | None = None
    since: datetime | None = None
    until: datetime | None = None
    code: str | None = None
    reason: str | None = None  # why a row is held, one of `leads.outbox.holds.Held`
    source: str | None = None  # utm_source, ignoring case; "google" also means every row with a Google click id
    kinds: tuple[Kind, ...] = tuple(Kind)

    def as_parameters(self) -> dict[str, object]:
        """Return the selection as parameters of this module's statements."""
        filters = {"since": self.since, "until": self.until, "code": self.code, "source": self.source}
        filters["reason"] = self.reason
        return {**filters, "ids": None if self.ids is None else list(self.ids)}


def redrive(engine: Engine, *, by: str, ids: Sequence[UUID] | None = None) -> int:
    """Send dead rows again as if new (all, or those in `ids`); return how many. A second call changes nothing."""
    return sum(redrive_steps(engine, Selection(ids=ids), by=by))


def redrive_steps(engine: Engine, selection: Selection, *, by: str) -> Iterator[int]:
    """Send the selected dead rows again; yield the number of rows moved after each committed step.

    An interrupted run has moved whole steps, and a second run continues with the rest. Redriven rows queue behind
    every fresh row, so their number delays no new lead.
    """
    return requeue_steps(engine, selection, by=by, status="dead", event="redriven")


def count_dead(engine: Engine, selection: Selection) -> list[dict[str, Any]]:
    """Count the selected dead rows by kind and code, with the first and the last time."""
    return count_stopped(engine, selection, "dead")


# By what rows in each status are counted.
_REASONS = {"dead": ("code", "split_part(coalesce(last_error, ''), ':', 1)"), "held": ("reason", "held_reason")}


def count_stopped(engine: Engine, selection: Selection, status: str) -> list[dict[str, Any]]:
    """Count the selected rows in a status ("dead" or "held") by kind and reason, with the first and last time."""
    name, reason = _REASONS[status]
    with engine.connect() as connection:
        parameters = {**selection.as_parameters(), "began": connection.execute(_NOW).scalar_one()}
        return [
            dict(row)
            for kind in selection.kinds
            for row in connection.execute(
                text(_COUNT.format(rows=kind.with_delivery, status=status, name=name, reason=reason)),
                {**parameters, "kind": kind},
            ).mappings()
        ]


def requeue_steps(engine: Engine, selection: Selection, *, by: str, status: str, event: str) -> Iterator[int]:
    """Put the selected rows in a status back into the queue; yield the number of rows after each committed step.

    Args:
        engine: The database.
        selection: Which of the rows.
        by: Who does it; recorded with each row.
        status: "dead" or "held".
        event: What is recorded: "redriven" or "released".
    """
    with engine.connect() as connection:
        # A row that dies again meanwhile died after this moment, so one run moves each row once.
        parameters = {**selection.as_parameters(), "began": connection.execute(_NOW).scalar_one()}
        parameters |= {"event": event, "detail": f"by {by}", "rows": STEP_ROWS}
        for kind in selection.kinds:
            statement = text(_REQUEUE.format(rows=kind.with_delivery, status=status))
            while moved := len(connection.execute(statement, {**parameters, "kind": kind}).all()):
                yield moved


def list_rows(engine: Engine, status: str, *, limit: int) -> list[dict[str, Any]]:
    """Return the newest rows in a status ("dead" or "held") with their reasons; no personal data."""
    if status not in {"dead", "held"}:
        raise ValueError(f"only dead and held rows can be listed, not {status}")
    with engine.connect() as connection:
        rows = [
            dict(row)
            for kind in Kind
            for row in connection.execute(
                text(_LIST.format(rows=kind.with_delivery, status=status)), {"limit": limit}
            ).mappings()
        ]
    return sorted(rows, key=lambda row: row["created_at"], reverse=True)[:limit]


def read_timeline(engine: Engine, row_id: UUID) -> list[dict[str, Any]]:
    """Return every recorded event of a row's delivery to the CRM, oldest first."""
    with engine.connect() as connection:
        return [dict(row) for row in connection.execute(_TIMELINE, {"id": row_id}).mappings()]
