"""Numbers the exchanges of a run, and cuts those it is told to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from proofs.cuts.cut import BY_ITSELF, Cut, Exchange, Kind
from proofs.simulation.crm import HOST, KILLER, NetworkFate, SimulatedCall, carries
from proofs.simulation.database import FINE, Fate
from proofs.simulation.scheduler import SECOND, Process
from proofs.simulation.world import World

STATEMENT_SECONDS = 0.001
# As long as a client waits for a statement (leads/db.py); longer than one waits for a call (CRM_CALL_SECONDS), and
# than a lease lasts.
LATE_STATEMENT_SECONDS, LATE_CALL_SECONDS, FREEZE_SECONDS = 20.0, 40.0, 130.0
# Longer than a worker tries to mark its results: the sweep finds a lease that is over.
STILL_SECONDS = 200.0
RESTART_SECONDS, REDIS_AWAY_SECONDS = 2.0, 60.0
BY_THEMSELVES = tuple({how for hows in BY_ITSELF.values() for how in hows})
LOST_IN_FREEZE = Fate(is_run=False, is_answered=False, stall=FREEZE_SECONDS)
_FATES: dict[str | None, Fate] = {
    "never arrives": Fate(is_run=False, is_answered=False),
    "answer lost": Fate(is_answered=False),
    "done too late": Fate(is_answered=False),
    "cancelled": Fate(is_run=False, is_cancelled=True),
    "dies before": Fate(is_run=False, kills=True),
    "dies after": Fate(kills=True),
}
# The sandbox's faults that stand for a cut of the neighbour's own.
_OF_NEIGHBOUR = {
    "500": {"server_error": {"status": 500, "count": 1}},
    "500 after commit": {"commit_then_error": {"count": 1}},
    "429": {"too_many_requests": {"cause": "concurrency", "body": "a", "retry_after": "5", "count": 1}},
    "hangs": {"hang": {"commit": True, "count": 1}},
}


@dataclass(slots=True)
class Cutter:
    """The fates of a run: everything is well but for the cuts.

    exchanges: what was numbered, from `begin` until the quiet after the journey.
    """

    world: World
    cuts: dict[int, str]
    exchanges: list[Exchange] = field(default_factory=list)
    made: list[str] = field(default_factory=list)
    is_counting: bool = False
    _still_until: int = 0
    _dies_in: set[SimulatedCall] = field(default_factory=set)

    @classmethod
    def of(cls, world: World, cuts: Iterable[Cut]) -> Cutter:
        """Make one; at most one cut for each number."""
        return cls(world, {cut.number: cut.how for cut in cuts})

    def of_statement(self, process: Process, label: str, *, is_inside: bool) -> Fate:
        """See `proofs.simulation.run.Fates`."""
        world = self.world
        if not is_inside:
            world.scheduler.sleep(STATEMENT_SECONDS)
            if world.scheduler.now < self._still_until:
                return self._wait_in_vain()
        how = self._number(Kind.INSIDE if is_inside else Kind.STATEMENT, label)
        match how:
            case "database stands still":
                self._still_until = world.scheduler.now + int(STILL_SECONDS * SECOND)
                return self._wait_in_vain()
            case "done too late":
                world.scheduler.sleep(LATE_STATEMENT_SECONDS)
            case "dies before" | "dies after":
                self._expect_restart()
            case "freezes":
                self._freeze(process)
                if not is_inside:
                    world.scheduler.sleep(FREEZE_SECONDS)
                return LOST_IN_FREEZE if is_inside else FINE
        return _FATES.get(how, FINE)

    def of_call(self, call: SimulatedCall) -> NetworkFate:
        """See `proofs.simulation.run.Fates`."""
        path = call.request.url.removeprefix(HOST)
        how = self._number(Kind.CALL if call.is_for_crm else Kind.MESSAGE, f"{call.request.method} {path}")
        match how:
            case "refused":
                return NetworkFate(connects=False)
            case "never arrives":
                return NetworkFate(there=None)
            case "reply lost":
                return NetworkFate(back=None)
            case "done too late":
                return NetworkFate(there=LATE_CALL_SECONDS)
            case "dies before":
                self._kill(call.fiber.process)
                self.world.scheduler.check_alive()
            case "dies in it":
                self._dies_in.add(call)
            case "freezes":
                self._freeze(call.fiber.process)
                self.world.scheduler.sleep(FREEZE_SECONDS)
            case str():
                self.world.crm.sandbox.change(_OF_NEIGHBOUR[how])
        return NetworkFate()

    def on_send(self, call: SimulatedCall) -> None:
        """See `proofs.simulation.run.Fates`."""
        self.world.oracle.on_send(call, self.world.crm.living_calls())
        if call in self._dies_in or (not self.world.is_ending and carries(call, KILLER)):
            self._kill(call.fiber.process)

    def on_answer(self, call: SimulatedCall) -> None:
        """See `proofs.simulation.run.Fates`."""
        self.world.oracle.on_answer(call, self.world.crm)

    @property
    def has_hit_worker(self) -> bool:
        """Whether a worker was killed or frozen."""
        return any(made.endswith(BY_THEMSELVES) for made in self.made)

    def rings(self) -> bool:
        """Number a bell; False when it is lost."""
        how = self._number(Kind.BELL, "ring")
        if how == "Redis goes":
            self.world.set_broker(up=False)
            self.world.scheduler.after(REDIS_AWAY_SECONDS, lambda: self.world.set_broker(up=True))
        return how is None

    def _number(self, kind: Kind, what: str) -> str | None:
        """Number the exchange of the running fiber; return how it is cut."""
        who = self.world.scheduler.running().name
        if not self.is_counting or self.world.is_ending:
            return None
        exchange = Exchange(len(self.exchanges) + 1, kind, who, what)
        self.exchanges.append(exchange)
        how = self.cuts.get(exchange.number)
        self.world.note(f"{exchange.number:4} {who}: {what}{f' -- {how}' if how else ''}")
        if how is not None:
            self.made.append(f"{exchange.number}: {who}, {what}: {how}")
        return how

    def _wait_in_vain(self) -> Fate:
        """A client gives a frozen server up; what it had sent is not done when the server thaws."""
        self.world.scheduler.sleep(LATE_STATEMENT_SECONDS)
        return Fate(is_run=False, is_answered=False)

    def _freeze(self, process: Process) -> None:
        process.frozen_until = self.world.scheduler.now + int(FREEZE_SECONDS * SECOND)
        process.last_frozen = process.frozen_until

    def _kill(self, process: Process) -> None:
        self.world.scheduler.kill(process)
        self._expect_restart()

    def _expect_restart(self) -> None:
        self.world.scheduler.after(RESTART_SECONDS, self.world.pool.fill)
