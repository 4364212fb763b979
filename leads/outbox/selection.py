"""Rows of the outbox by filter: listed and counted. No personal data."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Engine, case, false, func, literal_column, or_, select, text

from leads.db import run, seconds_of
from leads.destinations import VISITOR
from leads.outbox.pause import Destination, read_destinations
from leads.tables import STOPPED_AT, deliveries, leads, whatsapp_clicks

# Conditions of the partial indexes, so that finished rows cost nothing, however many there are.
_STATES = {
    **{name: f"status = '{name}'" for name in ("pending", "sending", "retrying", "dead", "held", "skipped")},
    "refused": "status = 'retrying' AND refused_at IS NOT NULL",  # of those that are tried again
}
STATES = tuple(_STATES)
WAITING = ("pending", "sending", "retrying")

ROW = deliveries.c
IS_WAITING = ROW.status.in_(WAITING)
FOUND = deliveries.outerjoin(leads, leads.c.id == ROW.id).outerjoin(whatsapp_clicks, whatsapp_clicks.c.id == ROW.id)
REFERENCE = func.coalesce(leads.c.reference, whatsapp_clicks.c.unique_code).label("reference")
STORED_AT = func.coalesce(leads.c.created_at, whatsapp_clicks.c.created_at).label("created_at")
HELD_REASON = func.coalesce(leads.c.held_reason, whatsapp_clicks.c.held_reason)
# The code with which the last try ended; for a held row, why it is held (`leads.outbox.holds.Held`).
_code = case((ROW.status == "held", HELD_REASON), else_=func.nullif(func.split_part(ROW.last_error, ":", 1), ""))
# When a stopped row was given up or held, and when one that waits entered the queue.
STOPPED = literal_column(STOPPED_AT, ROW.last_retry_at.type)
entered_at = case((IS_WAITING, ROW.queued_at), else_=STOPPED)
# An acknowledgement after more than a day would only puzzle.
IS_TIMELY = or_(ROW.destination != VISITOR, ROW.queued_at > text("now() - interval '1 day'"))
_NEXT_TRY = case((ROW.status.in_(("pending", "retrying")), ROW.next_retry_at))
ORDERS = {
    "oldest": (ROW.queued_at, ROW.id),
    "newest": (ROW.queued_at.desc(), ROW.id),
    "tries": (ROW.retry_count.desc(), ROW.queued_at, ROW.id),
    "next": (_NEXT_TRY, ROW.queued_at, ROW.id),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which rows; None is no filter. Times are aware, see entered_at; codes are those that a list shows."""

    states: tuple[str, ...] = WAITING
    destination: str | None = None
    ids: Sequence[UUID] | None = None
    code: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    late: bool = True  # also acknowledgements of more than a day ago

    def conditions(self) -> Iterator[ColumnElement[bool]]:
        """Yield the filters as conditions on FOUND."""
        yield or_(false(), *(text(f"({_STATES[state]})") for state in self.states))
        if self.destination is not None:
            yield ROW.destination == self.destination
        if self.ids is not None:
            yield ROW.id.in_(self.ids)
        if self.code is not None:
            yield _code == self.code
        if self.since is not None:
            yield entered_at >= self.since
        if self.until is not None:
            yield entered_at < self.until
        if not self.late:
            yield IS_TIMELY


def list_rows(
    engine: Engine, selection: Selection, *, limit: int, offset: int = 0, order: str = "oldest"
) -> list[dict[str, Any]]:
    """Return rows of a selection in one of the ORDERS, each with `why` it waits and `next`, when it is tried."""
    query = select(
        *(ROW.destination, ROW.kind, ROW.id, ROW.status, _code.label("code"), ROW.retry_count.label("tries")),
        *(ROW.lost_leases, ROW.last_error, ROW.last_retry_at.label("last_try"), ROW.queued_at),
        *(_NEXT_TRY.label("next_try"), seconds_of(func.now() - ROW.queued_at).label("age")),
        *(REFERENCE, STORED_AT),
    )
    page = query.select_from(FOUND).where(*selection.conditions()).order_by(*ORDERS[order])
    found = [row._asdict() for row in run(engine, page.limit(limit).offset(offset))]
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
    """Count the rows by destination, kind, status and code, the most first; with next try and greatest age (s)."""
    groups = select(
        *(ROW.destination, ROW.kind, ROW.status, _code.label("code"), func.count().label("rows")),
        func.min(ROW.next_retry_at).label("next_try"),
        seconds_of(func.now() - func.min(ROW.queued_at)).label("age"),
    )
    by = (ROW.destination, ROW.kind, ROW.status, text("code"))
    query = groups.select_from(FOUND).where(*selection.conditions()).group_by(*by).order_by(text("rows DESC"), *by)
    return [row._asdict() for row in run(engine, query)]
