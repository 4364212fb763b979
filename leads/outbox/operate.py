"""What operators change in the outbox: rows sent again, released or deleted, calls paused or resumed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from enum import StrEnum
from typing import assert_never

from sqlalchemy import Engine

from leads.destinations import CRM, VISITOR
from leads.lifecycle import Reason
from leads.outbox import pause as pauses
from leads.outbox.selection import Selection, discard_steps, redrive_steps, release_steps

log = logging.getLogger(__name__)


class Change(StrEnum):
    """A change of rows, as their timelines name it."""

    REDRIVEN = "redriven"
    RELEASED = "released"
    DELETED = "deleted"

    @property
    def states(self) -> tuple[str, ...]:
        """Only rows in these states are changed."""
        match self:
            case Change.REDRIVEN:
                return ("dead", "refused", "retrying")
            case Change.RELEASED | Change.DELETED:
                return ("held",)
        assert_never(self)

    @property
    def _steps(self) -> Callable[..., Iterator[int]]:
        match self:
            case Change.REDRIVEN:
                return redrive_steps
            case Change.RELEASED:
                return release_steps
            case Change.DELETED:
                return discard_steps
        assert_never(self)

    def concerned(self, selection: Selection) -> Selection:
        """The rows of a selection that it changes. Acknowledgements of weeks ago are sent again only by name."""
        selection = replace(selection, states=tuple(state for state in self.states if state in selection.states))
        if self is not Change.REDRIVEN:
            return replace(selection, destination=CRM)
        is_named = selection.ids is not None or selection.destination == VISITOR
        return replace(selection, late=is_named)

    def make(self, engine: Engine, selection: Selection, *, by: str, why: str = "") -> Iterator[int]:
        """Change the selected rows; yield how many after each committed step. Their timelines say who, and why."""
        return self._steps(engine, self.concerned(selection), by=f"{by}: {why}" if why else by)


def pause(engine: Engine, *, by: str, why: str, destination: str = CRM) -> None:
    """Stop all calls to a destination until `resume`. Leads are still accepted and kept."""
    pauses.pause(engine, destination, Reason.PAUSED, why, by=by)
    log.warning("%s paused calls to %s: %s", by, destination, why)


def resume(engine: Engine, *, by: str, why: str = "", destination: str = CRM) -> None:
    """Let calls to a destination flow again, whatever paused them, and make all rows due that failed."""
    pauses.resume(engine, destination, by=by)
    log.warning("%s resumed calls to %s: %s", by, destination, why or "-")
