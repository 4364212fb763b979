"""The journeys: what visitors and operators do, from the first press to the last record.

Each runs without a cut, which numbers its exchanges; then once for each cut, to judge what is left of it.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from uuid import UUID

from kombu.exceptions import OperationalError

from leads.destinations import CRM, CRM_QUEUE, DELIVER
from leads.outbox.holds import RELEASE_AFTER_SECONDS, Held
from tools.simulation import mail, outbox
from tools.simulation.checks import Checks
from tools.simulation.crm import WEBHOOK
from tools.simulation.cutter import Cut, Cutter
from tools.simulation.oracle import OWED, REFUSED
from tools.simulation.people import ANSWERS, CHOSEN, TYPING_SECONDS
from tools.simulation.run import Result, Run
from tools.simulation.server import fresh_database
from tools.simulation.workers import JOBS
from tools.simulation.world import DrawnSettings, World

ANN, BOB = 1, 2
START_SECONDS = 20.0
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
    # A turn that fails leaves its work to the next.
    _look_in(world, start, *(turn * JOBS["retain"] + after for turn in (1, 2) for after in (1, 135, 300, 480)))


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
    # A row that is refused is tried again after 15 minutes.
    Journey("operator", "pause, a refused row, a held one; resume, redrive, release", _operator, settled=1800.0),
    Journey("details", "answers on the thank-you page, and another time for the call", _details),
    Journey("restart", "a worker told to stop in its call, and the next one", _restart),
    Journey("start", "a worker starts while an enquiry waits", _lead, from_start=True),
    Journey(
        "held", "two enquiries held, and let go after ten minutes", _held, settled=RELEASE_AFTER_SECONDS + 900.0,
    ),
    Journey(
        "retention", "an old lead is removed, and stays in the CRM", _retention, settled=2 * JOBS["retain"] + 600.0,
    ),
    Journey(
        "side-by-side", "four enquiries at once, one of them on both sites, two workers", _side_by_side, workers=2,
    ),
)  # fmt: skip


class _Play:
    """One run of a journey: what is planned, and what must have come of it."""

    def __init__(self, world: World, journey: Journey, fates: Cutter, checks: Checks) -> None:
        self._world, self._journey, self._fates, self._checks = world, journey, fates, checks

    def plan(self) -> None:
        """Plan the journey, the look at what it left, and the calm end."""
        world, journey = self._world, self._journey
        world.people.enqueue = self._enqueue
        world.is_quiet = True  # ticks that do something never become rarer
        self._fates.is_counting = journey.from_start
        start = 1.0 if journey.from_start else START_SECONDS
        world.at(start - 0.001, self._begin)
        journey.act(world, start)
        world.at(start + journey.settled, self._settle)

    def _begin(self) -> None:
        self._fates.is_counting = True

    def _enqueue(self, row: UUID) -> None:
        with suppress(OperationalError):
            self._world.broker.publish(CRM_QUEUE, DELIVER, (CRM, str(row)))

    def _settle(self) -> None:
        """Nothing is owed any more; then the calm end sends what is dead or held."""
        world, checks, allowed = self._world, self._checks, self._journey.leaves
        left = {row: state for row, state in world.oracle.rows.items() if state.status in OWED}
        if "refused" in allowed:
            left = {row: state for row, state in left.items() if state.marker != REFUSED}
        world.oracle.require("delivered without help", not left, world.oracle.describe([*left]))
        old = [str(row) for row, state in world.oracle.rows.items() if state.is_old and state.status != "gone"]
        world.oracle.require("what is old is removed", not old, str(old))
        stopped = {state.status for state in world.oracle.rows.values()} & {"dead", "held"}
        world.oracle.require("nothing dead or held", stopped <= allowed, str(sorted(stopped)))
        checks.check_messages()
        owed = checks.messages_owed()
        world.oracle.require("staff and visitors are told", owed == 0, f"{owed} messages are owed")
        world.oracle.check_answers(world.crm, world.people.answered)
        # Where nothing waits, no row can be the trial: the next one is, at once.
        ((reason, is_due),) = world.database.query(outbox.CRM_PAUSE)
        world.oracle.require("a pause ends after trouble", reason is None or is_due, f"still paused: {reason}")
        world.is_ending = True
        world.calm_sandbox()
        world.set_broker(up=True)
        checks.begin_end()


def play_journey(server_url: str, journey: Journey, cuts: Sequence[Cut] = (), *, traced: bool = False) -> Result:
    """Run a journey with these cuts; a failed run is repeated to get its schedule.

    The plan of the result is the cuts that came about; a later one may not, after an earlier.
    """
    drawn = DrawnSettings(journey.workers, 1, 5.0, (0.0,), {}, {**WEBHOOK, **journey.settings})
    world = World(1, lambda _: drawn, traced=traced)
    fates = Cutter(world, {cut.number: cut.how for cut in cuts})
    run = Run(world, fresh_database(server_url), fates)
    words = " ".join(f"'{cut}'" for cut in cuts)
    plan = _Play(world, journey, fates, run.checks).plan
    result = run.play(plan, f"{journey.name} {words}", f"--only {journey.name} --cut {words}")
    if result.violations and not traced:
        return play_journey(server_url, journey, cuts, traced=True)
    return replace(result, plan=fates.made, exchanges=fates.exchanges)
