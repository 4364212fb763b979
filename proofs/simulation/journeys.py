"""The journeys: what visitors and operators do, from the first press to the last record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from leads.outbox.holds import RELEASE_AFTER_SECONDS, Held
from proofs.simulation import mail, outbox
from proofs.simulation.oracle import REFUSED
from proofs.simulation.people import ANSWERS, CHOSEN, TYPING_SECONDS
from proofs.simulation.workers import JOBS
from proofs.simulation.world import World

ANN, BOB = 1, 2
AWAKE_SECONDS = 6.0  # a look for due rows, and what it does


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


def _lead(world: World, start: float) -> None:
    _enquire(world, start, 1, ANN)


def _enquire(world: World, at: float, *what: Any, **more: Any) -> None:
    """A person sends the form at that time."""
    typing = min(at, TYPING_SECONDS)
    world.at(at - typing, partial(world.people.enquire, *what, typing=typing, **more))


def _click(world: World, start: float) -> None:
    world.at(start, partial(world.people.click, 1))


def _twice(world: World, start: float) -> None:
    for wait in (0.0, 0.002, 3.0):
        _enquire(world, start + wait, 1, ANN)


def _repeat(world: World, start: float) -> None:
    _lead(world, start)
    _enquire(world, start + 20, 2, ANN)


def _bad_row(world: World, start: float) -> None:
    for number, marker in enumerate(("", REFUSED, "", ""), 1):
        _enquire(world, start, number, number, marker)


def _outage(world: World, start: float) -> None:
    world.at(start - 1, lambda: world.crm.sandbox.change({"outage": {}}))
    for number in (1, 2):
        _enquire(world, start + 20 * (number - 1), number, number)
    world.at(start + 100, lambda: world.crm.sandbox.change({"outage": None}))


def _erasure(world: World, start: float) -> None:
    _lead(world, start)
    world.at(start + 0.06, partial(world.people.erase, ANN))  # the call is under way


def _operator(world: World, start: float) -> None:
    _enquire(world, start, 1, ANN, REFUSED)
    world.at(start + 2, partial(world.people.pause_for, 8.0))
    _enquire(world, start + 4, 2, BOB)
    _enquire(world, start + 4, 3, BOB, held=Held.HONEYPOT)
    world.at(start + 8, lambda: world.crm.sandbox.change({"reject_word": None}))
    world.at(start + 420, world.people.redrive_all)  # looks again: what was cut off may have come later


def _details(world: World, start: float) -> None:
    taps = (3.0, ANSWERS[0]), (2.0, {"interest": "Crowns"}), (8.0, {"already_has": "X-ray"}), (4.0, CHOSEN)
    _enquire(world, start, 1, ANN, taps=taps)


def _restart(world: World, start: float) -> None:
    _lead(world, start)
    world.at(start + 0.06, partial(world.pool.set_wanted, 0))  # the call is under way
    _enquire(world, start + 3, 2, BOB)
    world.at(start + 5, partial(world.pool.set_wanted, 1))
    for seconds in (10, 30, 60, 140, 250):  # a supervisor starts the next one once the last has ended
        world.at(start + seconds, world.pool.fill)


def _side_by_side(world: World, start: float) -> None:
    for number in range(1, 5):
        _enquire(world, start, number, number, site=number % 2)
    _enquire(world, start, 1, 1)


def _held(world: World, start: float) -> None:
    for number in (1, 2):
        _enquire(world, start, number, number, held=Held.NO_START)
    _look_in(world, start, *(RELEASE_AFTER_SECONDS + after for after in (2, 24, 46, 70, 200, 350, 600)))


def _retention(world: World, start: float) -> None:
    _lead(world, start - 15)
    world.at(start, partial(_grow_old, world))
    _look_in(world, start, *(JOBS["retain"] + after for after in (1, 135, 300, 480)))


def _grow_old(world: World) -> None:
    """The lead is three years old."""
    for (event,) in world.database.query(outbox.EXPIRE_ALL):
        world.oracle.rows[event].is_old = True


def _look_in(world: World, start: float, *seconds: float) -> None:
    for after in seconds:
        world.at(start + after, partial(world.wake, AWAKE_SECONDS))


JOURNEYS = (
    Journey("lead", "an enquiry: stored, a record, staff told", _lead),
    Journey("mail", "an enquiry of which visitor and staff get mail", _lead, settings=mail.SETTINGS),
    Journey("click", "a tap on WhatsApp", _click),
    Journey("twice", "one submission sent three times", _twice),
    Journey("repeat", "a person's second enquiry, a record of its own", _repeat),
    Journey(
        "bad-row", "a row that the CRM refuses among three good ones", _bad_row, leaves=frozenset({"refused"}),
    ),
    Journey("outage", "two enquiries while the CRM is away, and its return", _outage),
    Journey("erasure", "a person is erased while the call is in flight", _erasure),
    Journey("operator", "pause, a dead row, a held one; resume, redrive, release", _operator),
    Journey("details", "answers on the thank-you page, and another time for the call", _details),
    Journey("restart", "a worker told to stop in its call, and the next one", _restart),
    Journey("start", "a worker starts while an enquiry waits", _lead, from_start=True),
    Journey(
        "held", "two enquiries held, and let go after ten minutes", _held, settled=RELEASE_AFTER_SECONDS + 900.0,
    ),
    Journey(
        "retention", "an old lead is removed, and stays in the CRM", _retention, settled=JOBS["retain"] + 600.0,
    ),
    Journey(
        "side-by-side", "four enquiries at once, one of them on both sites, two workers", _side_by_side, workers=2,
    ),
)  # fmt: skip
