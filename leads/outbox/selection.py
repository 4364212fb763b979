"""Rows of the outbox by filter: listed, counted, put back into the queue or made due. No personal data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Engine, text

from leads.destinations import CRM, VISITOR
from leads.outbox.gate import Gate, read_gates
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

# With which the last try ended; why a held row is held stands with the lead or click.
_LAST_CODE, _HELD_CODE = "nullif(split_part(last_error, ':', 1), '')", "held_reason"
_SOURCE = """
AND (lower(utm_source) = lower(:source) OR (lower(:source) = 'google' AND google_gclid IS NOT NULL))
"""
# An acknowledgement after more than a day would only puzzle.
_TIMELY = f"({{row}}destination <> '{VISITOR}' OR {{row}}queued_at > now() - interval '1 day')"
_FILTERED = f"""
kind = '{{kind}}' AND {{pile}}
AND (cast(:destination AS text) IS NULL OR destination = :destination)
AND (cast(:ids AS uuid[]) IS NULL OR id = ANY(cast(:ids AS uuid[])))
AND {{at}} >= coalesce(cast(:since AS timestamptz), '-infinity')
AND {{at}} < coalesce(cast(:until AS timestamptz), 'infinity')
AND (cast(:code AS text) IS NULL OR {{code}} = :code)
AND (cast(:late AS boolean) OR {_TIMELY.format(row="")})
{{source}}
"""
# Orders of a list, as SQL over its columns.
ORDERS = {
    "oldest": "queued_at, id",
    "newest": "queued_at DESC, id",
    "tries": "tries DESC, queued_at, id",
    "next": "next_try, queued_at, id",
}
_LIST = f"""
(SELECT destination, kind, id, status, {{code}} AS code, retry_count AS tries, lost_leases, last_error,
        last_retry_at AS last_try, queued_at,
        CASE WHEN status IN ('pending', 'retrying') THEN next_retry_at END AS next_try,
        extract(epoch FROM now() - queued_at)::float8 AS age
 FROM {{rows}} WHERE {_FILTERED} ORDER BY {{order}} LIMIT :through)
"""  # noqa: S608 - constants of this project
# Only what is shown is looked up in the wide tables.
_PAGE = """
WITH page AS (
    SELECT * FROM ({parts}) AS found ORDER BY {order} LIMIT :limit OFFSET :offset
)
SELECT page.*, coalesce(lead.reference, click.unique_code) AS reference,
       coalesce(lead.utm_source, click.utm_source) AS source,
       coalesce(lead.created_at, click.created_at) AS created_at
FROM page LEFT JOIN leads AS lead USING (id) LEFT JOIN whatsapp_clicks AS click USING (id) ORDER BY {order}
"""
_COUNT = f"""
SELECT destination, kind, status, {{code}} AS code, count(*) AS rows,
       min({{at}}) AS first, max({{at}}) AS last, min(next_retry_at) AS next_try,
       extract(epoch FROM now() - min(queued_at))::float8 AS age
FROM {{rows}} WHERE {_FILTERED} GROUP BY 1, 2, 3, 4
"""  # noqa: S608 - constants of this project
_CHANGE = f"""
WITH selected AS (
    SELECT id, destination FROM {{rows}} WHERE {{at}} <= :began AND {_FILTERED}
    ORDER BY {{at}} LIMIT :rows FOR UPDATE OF deliveries SKIP LOCKED
), changed AS (
    UPDATE deliveries AS t SET {{values}} FROM selected WHERE t.id = selected.id AND {{which}}
    RETURNING t.destination, t.id, t.next_retry_at
)
INSERT INTO attempts (destination, kind, row_id, event, detail, next_retry_at)
SELECT destination, '{{kind}}', id, :event, :detail, next_retry_at FROM changed RETURNING row_id
"""  # noqa: S608 - constants of this project
_THE_SAME = "t.destination = selected.destination"
# A held lead holds back everything that is owed for it.
_ALL_HELD = f"t.status = 'held' AND {_TIMELY.format(row='t.')}"
_AS_NEW = """
status = 'pending', retry_count = 0, lost_leases = 0, next_retry_at = now(), queued_at = now(), requeued = true
"""
_NOW = text("SELECT clock_timestamp()")


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which rows; None is no filter.

    destination: who is owed. code: with which the last try ended; of a held row, the reason why it is held
    (`leads.outbox.holds.Held`). source: utm_source, ignoring case; "google" also means every row with a Google
    click id. since, until: aware times: when a stopped row was given up or held, and when one that waits entered
    the queue. late: also acknowledgements of more than a day ago.
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
        """Yield the statement for each kind and pile of the selection; it reads wide tables only where it must."""
        for kind in self.kinds:
            for state in self.states:
                parts = {
                    "kind": kind,
                    "rows": kind.with_delivery if state == "held" or self.source else "deliveries",
                    "code": _HELD_CODE if state == "held" else _LAST_CODE,
                    "at": "queued_at" if state in WAITING else STOPPED_AT,
                    "source": _SOURCE if self.source else "",
                }
                for pile in PILES[state]:
                    yield template.format(pile=pile, **parts, **more)


def list_rows(
    engine: Engine, selection: Selection, *, limit: int, offset: int = 0, order: str = "oldest"
) -> list[dict[str, Any]]:
    """Return rows of a selection in one of the ORDERS, each with `why` it waits and `next`, when it is tried."""
    parts = " UNION ALL ".join(selection.statements(_LIST, order=ORDERS[order]))
    query = _PAGE.format(parts=parts, order=ORDERS[order])
    values = {**selection.as_parameters(), "limit": limit, "offset": offset, "through": limit + offset}
    with engine.connect() as connection:
        found = [dict(row) for row in connection.execute(text(query), values).mappings()]
    gates = read_gates(engine)
    for row in found:
        gate = gates.get(row["destination"])
        row |= {"why": _why(row, gate), "next": _next(row, gate)}
    return found


def _why(row: Mapping[str, Any], gate: Gate | None) -> str:
    """Why a row waits: how its last try ended, or else what stands before its first one."""
    if row["code"] or row["status"] not in WAITING:
        return row["code"] or "-"
    if row["status"] == "sending":
        return "in a call"
    if gate is not None and not gate.is_open:
        return f"calls are stopped: {gate.reason}"
    return "its turn comes" if row["next_try"] <= datetime.now(UTC) else "not due yet"


def _next(row: Mapping[str, Any], gate: Gate | None) -> datetime | str | None:
    """When a row is tried next, never before the probe of a shut gate; or what has to come first, in words."""
    at = row["next_try"]
    if at is not None and gate is not None and not gate.is_open:
        return "after resume" if gate.until_at is None else max(at, gate.until_at)
    return "due" if at is not None and at <= datetime.now(UTC) else at


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
    """Send rows again as if new (all dead ones, or those in `ids`); return how many."""
    return sum(redrive_steps(engine, Selection(ids=ids, destination=destination), by=by))


def redrivable(selection: Selection) -> Selection:
    """The rows of a selection that are sent again: dead ones, and by name those that wait for a retry."""
    return replace(selection, states=("dead",) if selection.ids is None else ("dead", "retrying"))


def redrive_steps(engine: Engine, selection: Selection, *, by: str) -> Iterator[int]:
    """Send the selected dead rows again, or those that wait for a retry; yield how many after each committed step.

    An interrupted run has moved whole steps, and a second run continues with the rest. Redriven rows queue behind
    every fresh row, so their number delays no new lead.
    """
    return _change(engine, redrivable(selection), "redriven", by, values=_AS_NEW)


def release(engine: Engine, *, by: str, ids: Sequence[UUID] | None = None) -> int:
    """Release held leads and clicks (all, or those in `ids`); return how many."""
    return sum(release_steps(engine, Selection(ids=ids), by=by))


def release_steps(engine: Engine, selection: Selection, *, by: str) -> Iterator[int]:
    """Let the selected held leads and clicks go; yield how many after each committed step.

    Everything that is owed for them is released with them: the e-mail to the visitor, if it is of the last day.
    """
    held = replace(selection, states=("held",), destination=CRM)
    return _change(engine, held, "released", by, values=_AS_NEW, which=_ALL_HELD)


def _change(  # noqa: PLR0913 - keywords, one per part of the statement
    engine: Engine,
    selection: Selection,
    event: str,
    by: str,
    *,
    values: str,
    which: str = _THE_SAME,
) -> Iterator[int]:
    statements = selection.statements(_CHANGE, values=values, which=which)
    with engine.connect() as connection:
        # A row that dies again meanwhile died after this moment, so one run moves each row once.
        began = connection.execute(_NOW).scalar_one()
        parameters = {**selection.as_parameters(), "began": began, "event": event, "detail": f"by {by}"}
        parameters["rows"] = STEP_ROWS
        for statement in statements:
            while moved := set(connection.execute(text(statement), parameters).scalars()):
                yield len(moved)
