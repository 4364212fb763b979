"""The journeys: what visitors and operators do, from the first press to the last record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from leads.outbox.holds import Held
from proofs.simulation.oracle import REFUSED
from proofs.simulation.world import World

ANN, BOB = 1, 2


@dataclass(frozen=True, slots=True)
class Journey:
    """A journey. act: puts it into the world's queue, from `start` on.

    settled: seconds after its start when nothing is owed any more, whatever was cut, without anybody's help; what
    is dead or held by then is the journey's own (`leaves`). from_start: the workers' start is part of it.
    """

    name: str
    about: str
    act: Callable[[World, float], None] = field(repr=False)
    settled: float = 900.0
    leaves: frozenset[str] = frozenset()
    workers: int = 1
    settings: Mapping[str, str] = field(default_factory=dict)
    from_start: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """What chooses it."""
        return (self.name,)


def _lead(world: World, start: float) -> None:
    world.at(start, partial(world.people.enquire, 1, ANN))


def _click(world: World, start: float) -> None:
    world.at(start, partial(world.people.click, 1))


def _twice(world: World, start: float) -> None:
    for wait in (0.0, 0.002, 3.0):
        world.at(start + wait, partial(world.people.enquire, 1, ANN))


def _merge(world: World, start: float) -> None:
    _lead(world, start)
    world.at(start + 20, partial(world.people.enquire, 2, ANN))


def _bad_row(world: World, start: float) -> None:
    for number, marker in enumerate(("", REFUSED, "", ""), 1):
        world.at(start, partial(world.people.enquire, number, number, marker))


def _outage(world: World, start: float) -> None:
    world.at(start - 1, lambda: world.crm.sandbox.change({"outage": {}}))
    for number in (1, 2):
        world.at(start + 20 * (number - 1), partial(world.people.enquire, number, number))
    world.at(start + 100, lambda: world.crm.sandbox.change({"outage": None}))


def _erasure(world: World, start: float) -> None:
    _lead(world, start)
    world.at(start + 0.06, partial(world.people.erase, ANN))  # the call is under way


def _operator(world: World, start: float) -> None:
    world.at(start, partial(world.people.enquire, 1, ANN, REFUSED))
    world.at(start + 2, partial(world.people.pause_for, 8.0))
    world.at(start + 4, partial(world.people.enquire, 2, BOB))
    world.at(start + 4, partial(world.people.enquire, 3, BOB, held=Held.HONEYPOT))
    world.at(start + 8, lambda: world.crm.sandbox.change({"reject_word": None}))
    world.at(start + 420, world.people.redrive_all)  # looks again: what was cut off may have come later


def _restart(world: World, start: float) -> None:
    _lead(world, start)
    world.at(start + 0.06, partial(world.pool.set_wanted, 0))  # the call is under way
    world.at(start + 3, partial(world.people.enquire, 2, BOB))
    world.at(start + 5, partial(world.pool.set_wanted, 1))
    for seconds in (10, 30, 60, 140, 250):  # a supervisor starts the next one once the last has ended
        world.at(start + seconds, world.pool.fill)


def _side_by_side(world: World, start: float) -> None:
    for number in range(1, 5):
        world.at(start, partial(world.people.enquire, number, number))


JOURNEYS = (
    Journey("lead", "an enquiry: stored, a record, staff told", _lead),
    Journey("click", "a tap on WhatsApp", _click),
    Journey("twice", "one submission sent three times", _twice),
    Journey("merge", "a person's second enquiry, as a note on the first", _merge, settings={"CRM_REPEAT": "merge"}),
    Journey(
        "bad-row", "a row that the CRM refuses among three good ones", _bad_row, leaves=frozenset({"dead"}),
    ),
    Journey("outage", "two enquiries while the CRM is away, and its return", _outage),
    Journey("erasure", "a person is erased while the call is in flight", _erasure),
    Journey("operator", "pause, a dead row, a held one; resume, redrive, release", _operator),
    Journey("restart", "a worker told to stop in its call, and the next one", _restart),
    Journey("start", "a worker starts while an enquiry waits", _lead, from_start=True),
    Journey("side-by-side", "four enquiries at once, two workers", _side_by_side, workers=2),
)  # fmt: skip
