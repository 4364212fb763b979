"""What operators change in the outbox: rows sent again, released or deleted, calls paused or resumed."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Engine, case, delete, func, insert, literal, or_, select, update

from leads.db import begin, run
from leads.destinations import CRM, VISITOR
from leads.lifecycle import Reason
from leads.outbox import pause as pauses
from leads.outbox.selection import FOUND, IS_TIMELY, ROW, Selection, entered_at
from leads.tables import attempts, deliveries, leads, whatsapp_clicks

log = logging.getLogger(__name__)

# Rows per commit: few enough that no one waits long for its locks and little is lost when it is interrupted.
STEP_ROWS = 1000


class Change(StrEnum):
    """A change of rows, as their timelines name it.

    Redriven: dead rows are as new, and queue behind every fresh row; those that wait for a retry are due at once,
    and keep the count of their tries. Released: with a held lead goes all that is owed for it.
    """

    REDRIVEN = "redriven"
    RELEASED = "released"
    DELETED = "deleted"

    @property
    def states(self) -> tuple[str, ...]:
        """The states of the rows that are changed."""
        return ("dead", "refused", "retrying") if self is Change.REDRIVEN else ("held",)

    def concerned(self, selection: Selection) -> Selection:
        """The rows of a selection that it changes. Acknowledgements of weeks ago are sent again only by name."""
        selection = replace(selection, states=tuple(state for state in self.states if state in selection.states))
        if self is not Change.REDRIVEN:
            return replace(selection, destination=CRM)
        is_named = selection.ids is not None or selection.destination == VISITOR
        return replace(selection, late=is_named)

    def make(self, engine: Engine, selection: Selection, *, by: str, why: str = "") -> Iterator[int]:
        """Change the selected rows; yield how many after each committed step. Their timelines say who, and why.

        An interrupted run has changed whole steps, and a second run continues with the rest.
        """
        # A row that dies again meanwhile died after this moment, so one run moves each row once.
        ((began,),) = run(engine, select(func.clock_timestamp()))
        detail = f"by {by}: {why}" if why else f"by {by}"
        while changed := self._step(engine, self.concerned(selection), began, detail):
            yield changed

    def _step(self, engine: Engine, selection: Selection, began: datetime, detail: str) -> int:
        some = select(ROW.id, ROW.destination).select_from(FOUND).limit(STEP_ROWS)
        some = some.where(entered_at <= began, *selection.conditions())
        some = some.with_for_update(of=deliveries, skip_locked=True)
        with begin(engine) as connection:
            if self is not Change.DELETED:
                return len(set(connection.execute(self._due(some, began, detail)).scalars()))
            ids = connection.execute(some).scalars().all()
            delete_rows(connection, ids)
        if ids:
            log.warning("%d held rows were deleted %s", len(ids), detail)
        return len(ids)

    def _due(self, some: Any, began: datetime, detail: str) -> Any:
        is_retry = ROW.status == "retrying"
        waits = some.where(or_(~is_retry, ROW.next_retry_at > began)).order_by(entered_at).cte("some")
        held = (ROW.status == "held") & IS_TIMELY
        which = ROW.destination == waits.c.destination if self is Change.REDRIVEN else held
        due = (
            update(deliveries)
            .where(ROW.id == waits.c.id, which)
            .values(
                status=case((is_retry, ROW.status), else_="pending"),
                retry_count=case((is_retry, ROW.retry_count), else_=0),
                next_retry_at=case((is_retry, began), else_=func.now()),
                queued_at=case((is_retry, ROW.queued_at), else_=func.now()),
                refused_at=case((is_retry, ROW.refused_at)),
            )
            .returning(ROW.destination, ROW.kind, ROW.id, literal(self.value), literal(detail), ROW.next_retry_at)
            .cte("due")
        )
        columns = ["destination", "kind", "row_id", "event", "detail", "next_retry_at"]
        return insert(attempts).from_select(columns, select(due)).returning(attempts.c.row_id)


def delete_rows(connection: Connection, ids: Sequence[UUID]) -> None:
    """Delete leads and clicks with all that is owed for them, and their timelines."""
    owned = (deliveries, leads, whatsapp_clicks)
    for column in (*(table.c.id for table in owned), attempts.c.row_id):
        connection.execute(delete(column.table).where(column.in_(ids)))


def pause(engine: Engine, *, by: str, why: str, destination: str = CRM) -> None:
    """Stop all calls to a destination until `resume`. Leads are still accepted and kept."""
    pauses.pause(engine, destination, Reason.PAUSED, why, by=by)
    log.warning("%s paused calls to %s: %s", by, destination, why)


def resume(engine: Engine, *, by: str, why: str = "", destination: str = CRM) -> None:
    """Let calls to a destination flow again, whatever paused them, and make all rows due that failed."""
    pauses.resume(engine, destination, by=by)
    log.warning("%s resumed calls to %s: %s", by, destination, why or "-")
