"""What operators change in the outbox (rows sent again or released; calls paused, resumed), and its log."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from enum import StrEnum
from typing import Any, assert_never

from sqlalchemy import Engine, text

from leads.destinations import CRM, VISITOR
from leads.outbox.gate import Reason, open_gate, shut_gate
from leads.outbox.selection import Selection, redrivable, redrive_steps, release_steps

_RECORD = text("""
INSERT INTO operator_changes (by, change, destination, rows, why) VALUES (:by, :change, :destination, :rows, :why)
""")
_LIST = text("SELECT at, by, change, destination, rows, why FROM operator_changes ORDER BY id DESC LIMIT :limit")


class Change(StrEnum):
    """A change of rows, as the log names it. `state` is that of the rows which it concerns."""

    REDRIVEN = "redriven"
    RELEASED = "released"

    @property
    def state(self) -> str:
        """Only rows in this state are changed; by name, also those that wait for a retry are sent again."""
        match self:
            case Change.REDRIVEN:
                return "dead"
            case Change.RELEASED:
                return "held"
        assert_never(self)

    def concerned(self, selection: Selection) -> Selection:
        """The rows of a selection that it changes. Acknowledgements of weeks ago are sent again only by name."""
        if self is Change.RELEASED:
            return replace(selection, states=(self.state,), destination=CRM, late=True)
        late = selection.ids is not None or selection.destination == VISITOR
        return replace(redrivable(selection), late=late)

    @property
    def steps(self) -> Callable[..., Iterator[int]]:
        """What changes a selection, in committed steps."""
        match self:
            case Change.REDRIVEN:
                return redrive_steps
            case Change.RELEASED:
                return release_steps
        assert_never(self)


def change_rows(engine: Engine, change: Change, selection: Selection, *, by: str, why: str = "") -> Generator[int]:
    """Change the selected rows; yield how many after each step. What was done is recorded, be it all or not."""
    selection, rows = change.concerned(selection), 0
    try:
        for step in change.steps(engine, selection, by=f"{by}: {why}" if why else by):
            rows += step
            yield step
    finally:
        if rows:
            _record(engine, by=by, change=change, destination=selection.destination, rows=rows, why=why)


def pause(engine: Engine, *, by: str, why: str, destination: str = CRM) -> None:
    """Stop all calls to a destination until `resume`. Leads are still accepted and kept."""
    shut_gate(engine, Reason.PAUSED, why, by=by, destination=destination)
    _record(engine, by=by, change="paused", destination=destination, rows=None, why=why)


def resume(engine: Engine, *, by: str, why: str = "", destination: str = CRM) -> None:
    """Open a destination's gate, whatever shut it, and make all rows due that failed."""
    open_gate(engine, by=by, destination=destination)
    _record(engine, by=by, change="resumed", destination=destination, rows=None, why=why)


def list_changes(engine: Engine, *, limit: int) -> list[dict[str, Any]]:
    """Return what operators changed, the newest first."""
    with engine.connect() as connection:
        return [dict(row) for row in connection.execute(_LIST, {"limit": limit}).mappings()]


def _record(engine: Engine, **change: object) -> None:
    with engine.connect() as connection:
        connection.execute(_RECORD, change)
