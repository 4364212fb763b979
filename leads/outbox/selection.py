"""Rows of the outbox by filter: listed, counted, and put back into the queue by an operator. No personal data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Engine, text

from leads.destinations import CRM, VISITOR
from leads.outbox.rows import Kind
from leads.tables.delivery import NEW, REQUEUED, STOPPED_AT

# Conditions of the partial indexes, so that finished rows cost nothing, however many there are.
PILES = {
    "pending": (NEW, REQUEUED),
    "sending": ("status = 'sending'",),
    "retrying": ("status = 'retrying'",),
    "dead": ("status = 'dead'",),
    "held": ("status = 'held'",),
    "skipped": ("status = 'skipped'",),
}
WAITING = ("pending", "sending", "retrying")
# Rows per commit: few enough that no one waits long for its locks and little is lost when it is interrupted.
STEP_ROWS = 1000

_CODE = "CASE WHEN status = 'held' THEN held_reason ELSE nullif(split_part(last_error, ':', 1), '') END"
# An acknowledgement after more than a day would only puzzle.
_TIMELY = f"({{row}}destination <> '{VISITOR}' OR {{row}}queued_at > now() - interval '1 day')"
_FILTERED = f"""
(cast(:destination AS text) IS NULL OR destination = :destination)
AND (cast(:ids AS uuid[]) IS NULL OR id = ANY(cast(:ids AS uuid[])))
AND {{at}} >= coalesce(cast(:since AS timestamptz), '-infinity')
AND {{at}} < coalesce(cast(:until AS timestamptz), 'infinity')
AND (cast(:code AS text) IS NULL OR {_CODE} = :code)
AND (cast(:source AS text) IS NULL OR lower(utm_source) = lower(:source)
     OR (lower(:source) = 'google' AND google_gclid IS NOT NULL))
AND (cast(:late AS boolean) OR {_TIMELY.format(row="")})
"""
_LIST = f"""
SELECT destination, '{{kind}}' AS kind, id, {{reference}} AS reference, status, {_CODE} AS code,
       retry_count AS tries, lost_leases, last_error, last_retry_at AS last_try, utm_source AS source, created_at,
       CASE WHEN status IN ('pending', 'retrying') THEN next_retry_at END AS next_try,
       extract(epoch FROM now() - queued_at)::float8 AS age
FROM {{rows}} WHERE {{pile}} AND {_FILTERED} ORDER BY queued_at {{order}} LIMIT :limit
"""  # noqa: S608 - constants of this project
_COUNT = f"""
SELECT destination, '{{kind}}' AS kind, status, {_CODE} AS code, count(*) AS rows,
       min({{at}}) AS first, max({{at}}) AS last, min(next_retry_at) AS next_try,
       extract(epoch FROM now() - min(queued_at))::float8 AS age
FROM {{rows}} WHERE {{pile}} AND {_FILTERED} GROUP BY 1, 3, 4
"""  # noqa: S608 - constants of this project
_REQUEUE = f"""
WITH selected AS (
    SELECT id, destination FROM {{rows}} WHERE {{pile}} AND {{at}} <= :began AND {_FILTERED}
    ORDER BY {{at}} LIMIT :rows FOR UPDATE OF deliveries SKIP LOCKED
), back AS (
    UPDATE deliveries AS t SET status = 'pending', retry_count = 0, lost_leases = 0,
        next_retry_at = now(), queued_at = now(), requeued = true
    FROM selected WHERE t.id = selected.id AND {{which}}
    RETURNING t.destination, t.id, t.next_retry_at
)
INSERT INTO attempts (destination, kind, row_id, event, detail, next_retry_at)
SELECT destination, '{{kind}}', id, :event, :detail, next_retry_at FROM back RETURNING row_id
"""  # noqa: S608 - constants of this project
_THE_SAME = "t.destination = selected.destination"
# A held lead holds back everything that is owed for it.
_ALL_HELD = f"t.status = 'held' AND {_TIMELY.format(row='t.')}"
_NOW = text("SELECT clock_timestamp()")


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which rows; None is no filter.

    destination: who is owed. code: with which the last try ended; of a held row, the reason why it is held
    (`leads.outbox.holds.Held`). source: utm_source, ignoring case; "google" also means every row with a Google
    click id. since, until: aware times: when a stopped row was given up or held, and when one that waits was
    stored. late: also acknowledgements of more than a day ago.
    """

    states: tuple[str, ...] = WAITING
    destination: str | None = None
    kinds: tuple[Kind, ...] = tuple(Kind)
    ids: Sequence[UUID] | None = None
    code: str | None = None
    source: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    late: bool = True

    def as_parameters(self) -> dict[str, object]:
        """Return the filters as parameters of this module's statements."""
        return {
            "destination": self.destination,
            "ids": None if self.ids is None else list(self.ids),
            "code": self.code,
            "source": self.source,
            "since": self.since,
            "until": self.until,
            "late": self.late,
        }

    def statements(self, template: str, **more: str) -> Iterator[str]:
        """Yield the statement for each kind and pile of the selection."""
        for kind in self.kinds:
            for state in self.states:
                at = "created_at" if state in WAITING else STOPPED_AT
                for pile in PILES[state]:
                    yield template.format(
                        kind=kind, rows=kind.with_delivery, pile=pile, at=at, reference=kind.reference, **more
                    )


def list_rows(
    engine: Engine, selection: Selection, *, limit: int, newest_first: bool = False
) -> list[dict[str, Any]]:
    """Return the rows of a selection, those that entered the queue first, or last, at the top."""
    values = {**selection.as_parameters(), "limit": limit}
    found: list[dict[str, Any]] = []
    with engine.connect() as connection:
        for statement in selection.statements(_LIST, order="DESC" if newest_first else "ASC"):
            found += [dict(row) for row in connection.execute(text(statement), values).mappings()]
    return sorted(found, key=lambda row: row["age"], reverse=not newest_first)[:limit]


def count_rows(engine: Engine, selection: Selection) -> list[dict[str, Any]]:
    """Count the rows of a selection by destination, kind, status and code, the most first.

    With the first and last time, the next try, and the greatest age in seconds.
    """
    found: list[dict[str, Any]] = []
    with engine.connect() as connection:
        for statement in selection.statements(_COUNT):
            rows = connection.execute(text(statement), selection.as_parameters()).mappings()
            found += [dict(row) for row in rows]
    return sorted(found, key=lambda row: -row["rows"])


def redrive(engine: Engine, *, by: str, ids: Sequence[UUID] | None = None, destination: str | None = None) -> int:
    """Send dead rows again as if new (all, or those in `ids`); return how many. A second call changes nothing."""
    return sum(redrive_steps(engine, Selection(ids=ids, destination=destination), by=by))


def redrive_steps(engine: Engine, selection: Selection, *, by: str) -> Iterator[int]:
    """Send the selected dead rows again; yield the number of rows moved after each committed step.

    An interrupted run has moved whole steps, and a second run continues with the rest. Redriven rows queue behind
    every fresh row, so their number delays no new lead.
    """
    dead = replace(selection, states=("dead",))
    return _requeue(engine, dead.statements(_REQUEUE, which=_THE_SAME), dead, event="redriven", by=by)


def release(engine: Engine, *, by: str, ids: Sequence[UUID] | None = None) -> int:
    """Release held leads and clicks (all, or those in `ids`); return how many."""
    return sum(release_steps(engine, Selection(ids=ids), by=by))


def release_steps(engine: Engine, selection: Selection, *, by: str) -> Iterator[int]:
    """Let the selected held leads and clicks go; yield how many after each committed step.

    Everything that is owed for them is released with them: the e-mail to the visitor, if it is of the last day.
    """
    held = replace(selection, states=("held",), destination=CRM)
    return _requeue(engine, held.statements(_REQUEUE, which=_ALL_HELD), held, event="released", by=by)


def _requeue(
    engine: Engine, statements: Iterator[str], selection: Selection, *, event: str, by: str
) -> Iterator[int]:
    with engine.connect() as connection:
        # A row that dies again meanwhile died after this moment, so one run moves each row once.
        began = connection.execute(_NOW).scalar_one()
        values = {**selection.as_parameters(), "began": began, "event": event, "detail": f"by {by}"}
        values["rows"] = STEP_ROWS
        for statement in statements:
            while moved := set(connection.execute(text(statement), values).scalars()):
                yield len(moved)
