"""Rows of the outbox by filter: listed, counted, sent again, released. No personal data."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Engine, text

from leads.destinations import CRM, VISITOR
from leads.outbox.pause import Destination, read_destinations
from leads.tables.delivery import STOPPED_AT

log = logging.getLogger(__name__)

# Conditions of the partial indexes, so that finished rows cost nothing, however many there are.
_STATES = {
    "pending": "status = 'pending'",
    **{name: f"status = '{name}'" for name in ("sending", "retrying", "dead", "held", "skipped")},
    "refused": "status = 'retrying' AND refused_at IS NOT NULL",  # of those that are tried again
}
STATES = tuple(_STATES)
WAITING = ("pending", "sending", "retrying")
# Rows per commit: few enough that no one waits long for its locks and little is lost when it is interrupted.
STEP_ROWS = 1000

# With which the last try ended; why a held row is held stands with the lead or click.
_CODE = """CASE WHEN status = 'held' THEN (
    SELECT held_reason FROM leads WHERE leads.id = deliveries.id
    UNION ALL SELECT held_reason FROM whatsapp_clicks WHERE whatsapp_clicks.id = deliveries.id
) ELSE nullif(split_part(last_error, ':', 1), '') END"""
_AT = f"CASE WHEN status IN {WAITING} THEN queued_at ELSE {STOPPED_AT} END"
# An acknowledgement after more than a day would only puzzle.
_TIMELY = f"({{row}}destination <> '{VISITOR}' OR {{row}}queued_at > now() - interval '1 day')"
_FILTERED = f"""
({{states}})
AND (cast(:destination AS text) IS NULL OR destination = :destination)
AND (cast(:ids AS uuid[]) IS NULL OR id = ANY(cast(:ids AS uuid[])))
AND {_AT} >= coalesce(cast(:since AS timestamptz), '-infinity')
AND {_AT} < coalesce(cast(:until AS timestamptz), 'infinity')
AND (cast(:code AS text) IS NULL OR {_CODE} = :code)
AND (cast(:late AS boolean) OR {_TIMELY.format(row="")})
"""
# Orders of a list, as SQL over its columns.
ORDERS = {
    "oldest": "queued_at, id",
    "newest": "queued_at DESC, id",
    "tries": "tries DESC, queued_at, id",
    "next": "next_try, queued_at, id",
}
# Only what is shown is looked up in the wide tables.
_LIST = f"""
WITH page AS (
    SELECT destination, kind, id, status, {_CODE} AS code, retry_count AS tries, lost_leases, last_error,
        last_retry_at AS last_try, queued_at,
        CASE WHEN status IN ('pending', 'retrying') THEN next_retry_at END AS next_try,
        extract(epoch FROM now() - queued_at)::float8 AS age
    FROM deliveries WHERE {_FILTERED} ORDER BY {{order}} LIMIT :limit OFFSET :offset
)
SELECT page.*, coalesce(lead.reference, click.unique_code) AS reference,
       coalesce(lead.created_at, click.created_at) AS created_at
FROM page LEFT JOIN leads AS lead USING (id) LEFT JOIN whatsapp_clicks AS click USING (id) ORDER BY {{order}}
"""  # noqa: S608 - constants of this project
_COUNT = f"""
SELECT destination, kind, status, {_CODE} AS code, count(*) AS rows,
       min({_AT}) AS first, max({_AT}) AS last, min(next_retry_at) AS next_try,
       extract(epoch FROM now() - min(queued_at))::float8 AS age
FROM deliveries WHERE {_FILTERED} GROUP BY 1, 2, 3, 4 ORDER BY rows DESC, 1, 2, 3, 4
"""  # noqa: S608 - constants of this project
_CHANGE = f"""
WITH selected AS (
    SELECT id, destination FROM deliveries WHERE {_AT} <= :began AND {{only}} AND {_FILTERED}
    ORDER BY {_AT} LIMIT :rows FOR UPDATE OF deliveries SKIP LOCKED
), changed AS (
    UPDATE deliveries AS t SET {{values}} FROM selected WHERE t.id = selected.id AND {{which}}
    RETURNING t.destination, t.kind, t.id, t.next_retry_at
)
INSERT INTO attempts (destination, kind, row_id, event, detail, next_retry_at)
SELECT destination, kind, id, :event, :detail, next_retry_at FROM changed RETURNING row_id
"""  # noqa: S608 - constants of this project
_DISCARD = f"""
WITH selected AS (
    SELECT id FROM deliveries WHERE {_FILTERED} LIMIT :rows FOR UPDATE SKIP LOCKED
), owed AS (DELETE FROM deliveries WHERE id IN (SELECT id FROM selected)
), rows AS (DELETE FROM leads WHERE id IN (SELECT id FROM selected)
), clicks AS (DELETE FROM whatsapp_clicks WHERE id IN (SELECT id FROM selected)
), timelines AS (DELETE FROM attempts WHERE row_id IN (SELECT id FROM selected)
) SELECT count(*) FROM selected
"""  # noqa: S608 - constants of this project
_THE_SAME = "t.destination = selected.destination"
# A held lead holds back everything that is owed for it.
_ALL_HELD = f"t.status = 'held' AND {_TIMELY.format(row='t.')}"
_AS_NEW = """
status = 'pending', retry_count = 0, next_retry_at = now(), queued_at = now(), refused_at = NULL
"""
_NOW = text("SELECT clock_timestamp()")


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which rows; None is no filter."""

    states: tuple[str, ...] = WAITING
    destination: str | None = None
    ids: Sequence[UUID] | None = None
    # With which the last try ended; of a held row, the reason why it is held (`leads.outbox.holds.Held`).
    code: str | None = None
    # Aware times: when a stopped row was given up or held, and when one that waits entered the queue.
    since: datetime | None = None
    until: datetime | None = None
    # Also acknowledgements of more than a day ago.
    late: bool = True

    def as_parameters(self) -> dict[str, object]:
        """Return the filters as parameters of this module's statements."""
        return {
            "destination": self.destination,
            "ids": None if self.ids is None else list(self.ids),
            "code": self.code,
            "since": self.since,
            "until": self.until,
            "late": self.late,
        }

    def write(self, template: str, **parts: str) -> str:
        """Return a statement of this module for the states of the selection."""
        return template.format(states=" OR ".join(_STATES[state] for state in self.states), **parts)


def list_rows(
    engine: Engine, selection: Selection, *, limit: int, offset: int = 0, order: str = "oldest"
) -> list[dict[str, Any]]:
    """Return rows of a selection in one of the ORDERS, each with `why` it waits and `next`, when it is tried."""
    query = text(selection.write(_LIST, order=ORDERS[order]))
    values = {**selection.as_parameters(), "limit": limit, "offset": offset}
    with engine.connect() as connection:
        found = [dict(row) for row in connection.execute(query, values).mappings()]
    paused = read_destinations(engine)
    for row in found:
        destination = paused.get(row["destination"])
        row |= {"why": _why(row, destination), "next": _next(row, destination)}
    return found


def _why(row: Mapping[str, Any], destination: Destination | None) -> str:
    """Why a row waits: how its last try ended, or else what stands before its first one."""
    if row["code"] or row["status"] not in WAITING:
        return row["code"] or "-"
    if row["status"] == "sending":
        return f"in a call; {row['lost_leases']} lost their worker" if row["lost_leases"] else "in a call"
    if destination is not None and destination.reason is not None:
        return f"calls are paused: {destination.reason}"
    return "its turn comes" if row["next_try"] <= datetime.now(UTC) else "not due yet"


def _next(row: Mapping[str, Any], destination: Destination | None) -> datetime | str | None:
    """When a row is tried next, never before a pause may end; or what has to come first, in words."""
    at = row["next_try"]
    if at is not None and destination is not None and destination.reason is not None:
        return "after resume" if destination.until_at is None else max(at, destination.until_at)
    return "due" if at is not None and at <= datetime.now(UTC) else at


def count_rows(engine: Engine, selection: Selection) -> list[dict[str, Any]]:
    """Count the rows of a selection by destination, kind, status and code, the most first.

    With the first and last time, the next try, and the greatest age in seconds.
    """
    with engine.connect() as connection:
        found = connection.execute(text(selection.write(_COUNT)), selection.as_parameters()).mappings()
        return [dict(row) for row in found]


def redrive(engine: Engine, *, by: str, ids: Sequence[UUID] | None = None, destination: str | None = None) -> int:
    """Send dead rows again as if new (all, or those in `ids`); return how many. A second call changes nothing."""
    selection = Selection(states=("dead",), ids=ids, destination=destination)
    return sum(redrive_steps(engine, selection, by=by))


def redrive_steps(engine: Engine, selection: Selection, *, by: str) -> Iterator[int]:
    """Send the dead rows of a selection again, and make those due that wait for a retry; yield how many, by step.

    Each step is committed: an interrupted run has moved whole steps, and a second run continues with the rest. Dead
    rows are as new, and queue behind every fresh row; the others keep the count of their tries.
    """
    if "dead" in selection.states:
        yield from _change(engine, replace(selection, states=("dead",)), "redriven", by, values=_AS_NEW)
    if states := tuple(state for state in ("retrying", "refused") if state in selection.states):
        waiting, only = replace(selection, states=states), "next_retry_at > :began"
        yield from _change(engine, waiting, "redriven", by, values="next_retry_at = :began", only=only)


def release(engine: Engine, *, by: str, ids: Sequence[UUID] | None = None) -> int:
    """Release held leads and clicks (all, or those in `ids`); return how many."""
    return sum(release_steps(engine, Selection(ids=ids), by=by))


def release_steps(engine: Engine, selection: Selection, *, by: str) -> Iterator[int]:
    """Let the selected held leads and clicks go; yield how many after each committed step.

    Everything that is owed for them is released with them: the e-mail to the visitor, if it is of the last day.
    """
    held = replace(selection, states=("held",), destination=CRM)
    return _change(engine, held, "released", by, values=_AS_NEW, which=_ALL_HELD)


def discard_steps(engine: Engine, selection: Selection, *, by: str) -> Iterator[int]:
    """Delete the selected held leads and clicks, with all that is owed for them; yield how many, by step."""
    held = replace(selection, states=("held",), destination=CRM)
    statement, values = text(held.write(_DISCARD)), {**held.as_parameters(), "rows": STEP_ROWS}
    with engine.connect() as connection:
        while deleted := connection.execute(statement, values).scalar_one():
            log.warning("%d held rows were deleted by %s", deleted, by)
            yield deleted


def _change(  # noqa: PLR0913 - keywords, one per part of the statement
    engine: Engine,
    selection: Selection,
    event: str,
    by: str,
    *,
    values: str,
    only: str = "true",
    which: str = _THE_SAME,
) -> Iterator[int]:
    statement = text(selection.write(_CHANGE, values=values, only=only, which=which))
    with engine.connect() as connection:
        # A row that dies again meanwhile died after this moment, so one run moves each row once.
        began = connection.execute(_NOW).scalar_one()
        parameters = {**selection.as_parameters(), "began": began, "event": event, "detail": f"by {by}"}
        parameters["rows"] = STEP_ROWS
        while moved := set(connection.execute(statement, parameters).scalars()):
            yield len(moved)
