"""What is due to a destination: one question tells in which piles of its lanes a claim would find rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Engine

from leads.destinations import CRM
from leads.lifecycle import LOST_LEASES_ALONE
from leads.outbox.rows import Kind, Lane
from leads.tables.delivery import ALONE

_BATCHABLE = f"lost_leases < {LOST_LEASES_ALONE}"


@dataclass(frozen=True, slots=True)
class Search:
    """One search of a claim: for rows of one kind in one pile. `alone`: of those that are sent one at a time."""

    kind: Kind
    pile: str
    alone: bool

    @property
    def rows(self) -> str:
        """SQL that selects them. It is literal, or a prepared statement could not use the partial indexes."""
        isolation = ALONE if self.alone else _BATCHABLE
        return f"kind = '{self.kind}' AND {self.pile} AND next_retry_at <= now() AND {isolation}"

    def is_due(self, destination: str) -> str:
        """SQL for whether there are any that the destination (SQL) is owed."""
        return f"EXISTS (SELECT FROM deliveries WHERE destination = {destination} AND {self.rows})"


def _searches(lane: Lane) -> tuple[Search, ...]:
    """Return a lane's searches in order of precedence: leads before clicks, and both before requeued rows.

    Only the retry lane can hold rows that must be sent alone. They are searched first: a claim stops at the first
    search that finds rows, so a steady supply of other rows would starve them.
    """
    order = (False,) if lane is Lane.FRESH else (True, False)
    return tuple(Search(kind, pile, alone) for pile in lane.piles for kind in Kind for alone in order)


SEARCHES: Mapping[Lane, Sequence[Search]] = {lane: _searches(lane) for lane in Lane}
_ASKED = [(lane, search) for lane, searches in SEARCHES.items() for search in searches]
_WHICH = ", ".join(search.is_due("%(destination)s") for _, search in _ASKED)
_FIND = f"SELECT array_positions(ARRAY[{_WHICH}], true) AS found"


def find_due(engine: Engine, destination: str = CRM) -> dict[Lane, list[Search]]:
    """Return the lanes that have rows due to a destination, and which searches find them; none: nothing is due."""
    with engine.connect() as connection:
        found = connection.exec_driver_sql(_FIND, {"destination": destination}).scalar_one()
    due: dict[Lane, list[Search]] = {}
    for number in found:
        lane, search = _ASKED[number - 1]
        due.setdefault(lane, []).append(search)
    return due
