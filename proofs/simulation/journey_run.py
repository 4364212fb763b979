"""A journey's run: without a cut, to number its exchanges; then once for each cut, to judge what is left of it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from uuid import UUID

from kombu.exceptions import OperationalError

from leads.destinations import CRM, CRM_QUEUE, DELIVER
from proofs.simulation import outbox
from proofs.simulation.checks import Checks
from proofs.simulation.crm import WEBHOOK
from proofs.simulation.cutter import Cut, Cutter
from proofs.simulation.journeys import Journey
from proofs.simulation.oracle import OWED, REFUSED
from proofs.simulation.run import Result, Run
from proofs.simulation.scheduler import Scheduler
from proofs.simulation.server import fresh_database
from proofs.simulation.world import DrawnSettings, World

START_SECONDS = 20.0
_SEED = 1


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

    def settings(_scheduler: Scheduler) -> DrawnSettings:
        return DrawnSettings(journey.workers, 1, 5.0, (0.0,), {}, {**WEBHOOK, **journey.settings})

    world = World(_SEED, settings, traced=traced)
    fates = Cutter(world, {cut.number: cut.how for cut in cuts})
    run = Run(world, fresh_database(server_url), fates)
    words = " ".join(f"'{cut}'" for cut in cuts)
    plan = _Play(world, journey, fates, run.checks).plan
    result = run.play(plan, f"{journey.name} {words}", f"--only {journey.name} --cut {words}")
    if result.violations and not traced:
        return play_journey(server_url, journey, cuts, traced=True)
    return replace(result, plan=fates.made, exchanges=fates.exchanges)
