"""Numbers the exchanges of a run, and cuts those it is told to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from proofs.simulation.crm import HOST, KILLER, NetworkFate, SimulatedCall, carries
from proofs.simulation.cuts import Cut, Exchange, Kind
from proofs.simulation.database import ANSWER_SECONDS, FINE, LOST, Fate
from proofs.simulation.mail import StepFate
from proofs.simulation.scheduler import SECOND, Process
from proofs.simulation.world import World

STATEMENT_SECONDS = 0.001
# Longer than one waits for a call, and than a lease lasts.
LATE_CALL_SECONDS, FREEZE_SECONDS = 40.0, 130.0
# Longer than a worker tries to write its outcomes: a lease that is over is claimed again.
STILL_SECONDS = 200.0
RESTART_SECONDS, REDIS_AWAY_SECONDS = 2.0, 60.0
# Every statement of its kind runs into its time limit, as behind a lock or by a bad plan.
FAILING_SECONDS = 120.0
# The wall clock of the process that asks.
CLOCK_STEPS = {"clock goes back": -3600.0, "clock goes on": 3600.0}
CANCELLED = Fate(is_run=False, is_cancelled=True)
LOST_IN_FREEZE = Fate(is_run=False, is_answered=False, stall=FREEZE_SECONDS)
_FATES: dict[str | None, Fate] = {
    "never arrives": LOST,
    "answer lost": Fate(is_answered=False),
    "done too late": Fate(is_answered=False),
    "cancelled": CANCELLED,
    "dies before": Fate(is_run=False, kills=True),
    "dies after": Fate(kills=True),
}
_STEP_FATES: dict[str | None, StepFate] = {
    "refused for now": StepFate(is_done=False, refusal=b"451 4.3.0 later"),
    "refused for good": StepFate(is_done=False, refusal=b"554 5.7.1 policy"),
    "never arrives": StepFate(is_done=False, is_answered=False),
    "reply lost": StepFate(is_answered=False),
    "hangs": StepFate(is_silent=True),
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
    _dies_in: set[SimulatedCall] = field(default_factory=set)
    _away_until: int = 0  # the database
    _failing: dict[str, int] = field(default_factory=dict)  # until when, by the statement's label

    @classmethod
    def of(cls, world: World, cuts: Iterable[Cut]) -> Cutter:
        """Make one; at most one cut for each number."""
        return cls(world, {cut.number: cut.how for cut in cuts})

    def of_statement(self, process: Process, label: str, *, is_inside: bool) -> Fate:
        """See `proofs.simulation.run.Fates`."""
        world = self.world
        if not is_inside:
            world.scheduler.sleep(STATEMENT_SECONDS)
        how = self._number(Kind.INSIDE if is_inside else Kind.STATEMENT, label)
        if (trouble := self._trouble(how, label)) is not None:
            return trouble
        match how:
            case "clock goes back" | "clock goes on":
                process.skew += CLOCK_STEPS[how]
            case "done too late":
                world.scheduler.sleep(ANSWER_SECONDS)
            case "dies before" | "dies after":
                self._expect_restart()
            case "freezes":
                self._freeze(process)
                if not is_inside:
                    world.scheduler.sleep(FREEZE_SECONDS)
                return LOST_IN_FREEZE if is_inside else FINE
        return _FATES.get(how, FINE)

    def _trouble(self, how: str | None, label: str) -> Fate | None:
        """Begin a trouble of the database that outlasts the statement; the fate of a statement in one."""
        world, now = self.world, self.world.scheduler.now
        match how:
            case "cancelled for two minutes":
                self._failing[label] = now + int(FAILING_SECONDS * SECOND)
            case "database is away":
                world.database.cut_sessions()
                self._away_until = now + int(STILL_SECONDS * SECOND)
            case "database stands still":
                world.database.stand_still()
                world.scheduler.after(STILL_SECONDS, world.database.go_on)
        if now < self._away_until:
            return LOST
        return CANCELLED if now < self._failing.get(label, 0) else None

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
            case "dies in it":
                self._dies_in.add(call)
            case "dies before" | "freezes":
                self._strike(how, call.fiber.process)
            case str():
                self.world.crm.sandbox.change(_OF_NEIGHBOUR[how])
        return NetworkFate()

    def on_send(self, call: SimulatedCall) -> None:
        """See `proofs.simulation.run.Fates`."""
        self.world.oracle.on_send(call)
        if call in self._dies_in or (not self.world.is_ending and carries(call, KILLER)):
            self._kill(call.fiber.process)

    def on_answer(self, call: SimulatedCall) -> None:
        """See `proofs.simulation.run.Fates`."""
        self.world.oracle.on_answer(call, self.world.crm)

    def of_mail(self, step: str) -> StepFate:
        """See `proofs.simulation.run.Fates`."""
        how = self._number(Kind.STEP, step)
        process = self.world.scheduler.running().process
        match how:
            case "dies in it":
                self.world.scheduler.after(0.0, lambda: self._kill(process))
            case "dies before" | "freezes":
                self._strike(how, process)
        return _STEP_FATES.get(how, StepFate())

    def of_command(self, command: str, /) -> Fate:
        """See `proofs.simulation.run.Fates`."""
        how = self._number(Kind.COMMAND, command)
        world = self.world
        match how:
            case "Redis goes":
                world.set_broker(up=False)
                world.scheduler.after(REDIS_AWAY_SECONDS, lambda: world.set_broker(up=True))
            case "Redis freezes":
                world.freeze_broker()
                world.scheduler.after(REDIS_AWAY_SECONDS, world.broker.thaw)
            case "dies before" | "dies after":
                self._expect_restart()
            case "freezes":
                self._strike(how, world.scheduler.running().process)
        return _FATES.get(how, FINE)

    def _number(self, kind: Kind, what: str) -> str | None:
        """Number the exchange of the running fiber; return how it is cut."""
        who = self.world.scheduler.running().name
        if not self.is_counting or self.world.is_ending:
            return None
        exchange = Exchange(len(self.exchanges) + 1, kind, who, what)
        self.exchanges.append(exchange)
        how = self.cuts.get(exchange.number)
        # The first cut of a pair may put another kind of exchange where the second was to come.
        if how not in {cut.how for cut in exchange.cuts()}:
            how = None
        self.world.note(f"{exchange.number:4} {who}: {what}{f' -- {how}' if how else ''}")
        if how is not None:
            self.made.append(f"{exchange.number}: {who}, {what}: {how}")
        return how

    def _freeze(self, process: Process) -> None:
        process.frozen_until = self.world.scheduler.now + int(FREEZE_SECONDS * SECOND)
        process.last_frozen = process.frozen_until

    def _strike(self, how: str, process: Process) -> None:
        """End or freeze the caller before its call leaves."""
        if how == "dies before":
            self._kill(process)
            self.world.scheduler.check_alive()
        else:
            self._freeze(process)
            self.world.scheduler.sleep(FREEZE_SECONDS)

    def _kill(self, process: Process) -> None:
        self.world.scheduler.kill(process)
        self._expect_restart()

    def _expect_restart(self) -> None:
        # A worker that dies after a statement may have had to wait for the database.
        for seconds in (RESTART_SECONDS, RESTART_SECONDS + ANSWER_SECONDS):
            self.world.scheduler.after(seconds, self.world.pool.fill)
