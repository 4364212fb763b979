"""Numbers the exchanges of a run, and cuts those it is told to. A cut is one exchange, and what becomes of it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random

from tools.simulation.crm import NetworkFate, SimulatedCall
from tools.simulation.database import ANSWER_SECONDS, FINE, LOST, Fate
from tools.simulation.fates import Fates
from tools.simulation.mail import StepFate
from tools.simulation.scheduler import SECOND, Process

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
_CALL_FATES: dict[str | None, NetworkFate] = {
    "refused": NetworkFate(connects=False),
    "never arrives": NetworkFate(there=None),
    "reply lost": NetworkFate(back=None),
    "done too late": NetworkFate(there=LATE_CALL_SECONDS),
}
_STEP_FATES: dict[str | None, StepFate] = {
    "refused for now": StepFate(is_done=False, refusal=b"451 4.3.0 later"),
    "refused for good": StepFate(is_done=False, refusal=b"554 5.7.1 policy"),
    "never arrives": StepFate(is_done=False, is_answered=False),
    "reply lost": StepFate(is_answered=False),
    "hangs": StepFate(is_silent=True),
}
# How the CRM itself cuts an exchange: by which fault of the sandbox.
_SANDBOX_FAULTS: dict[str | None, dict[str, object]] = {
    "500": {"server_error": {"status": 500, "count": 1}},
    "500 after commit": {"commit_then_error": {"count": 1}},
    "429": {"too_many_requests": {"cause": "concurrency", "body": "a", "retry_after": "5", "count": 1}},
    "hangs": {"hang": {"commit": True, "count": 1}},
}


class Kind(StrEnum):
    """What is exchanged, and with whom."""

    STATEMENT = "statement"
    INSIDE = "statement inside a transaction"
    CALL = "call"
    MESSAGE = "message"
    STEP = "step of SMTP"
    COMMAND = "command to Redis"


# How each kind is cut by the network, the neighbour or the clock; and, where a worker asks, by its own end.
BY_OTHERS: dict[Kind, tuple[str | None, ...]] = {
    Kind.STATEMENT: (
        "never arrives", "answer lost", "done too late", "cancelled", "cancelled for two minutes",
        "database stands still", "database is away", *CLOCK_STEPS,
    ),
    Kind.INSIDE: ("never arrives", "answer lost", "cancelled", "cancelled for two minutes"),
    Kind.CALL: (*_CALL_FATES, *_SANDBOX_FAULTS),
    Kind.MESSAGE: (*_CALL_FATES,),
    Kind.STEP: (*_STEP_FATES,),
    Kind.COMMAND: ("never arrives", "answer lost", "Redis goes", "Redis freezes"),
}  # fmt: skip
_DIES_IN_IT = {Kind.CALL, Kind.MESSAGE, Kind.STEP}
_TEXT = re.compile(r"(\d+):(.+)")


@dataclass(frozen=True, slots=True)
class Exchange:
    """An exchange of a journey: who asked, and what for."""

    number: int
    kind: Kind
    who: str
    what: str

    def cuts(self) -> "list[Cut]":
        """All ways of cutting it."""
        hows = BY_OTHERS[self.kind]
        if self.who.startswith("w"):  # a worker; another one is started when it dies
            hows += ("dies before", "dies in it" if self.kind in _DIES_IN_IT else "dies after", "freezes")
        return [Cut(self.number, str(how)) for how in hows]


@dataclass(frozen=True, slots=True)
class Cut:
    """The exchange of this number, and how it is cut; as text "17:reply lost"."""

    number: int
    how: str

    def __str__(self) -> str:
        """As the command line takes it."""
        return f"{self.number}:{self.how}"

    @classmethod
    def parse(cls, text: str) -> "Cut":
        """Read it from the command line; ValueError for anything else."""
        if (found := _TEXT.fullmatch(text)) is None:
            raise ValueError(f'"{text}" is no cut, such as "17:reply lost"')
        return cls(int(found[1]), found[2])


def draw_pairs(exchanges: Sequence[Exchange], number: int, chance: Random) -> Iterator[tuple[Cut, Cut]]:
    """Yield pairs of cuts, of different exchanges. After the first one the numbers are those of the cut journey."""
    for _ in range(number):
        first, second = sorted(chance.sample(exchanges, 2), key=lambda exchange: exchange.number)
        yield chance.choice(first.cuts()), chance.choice(second.cuts())


@dataclass(slots=True)
class Cutter(Fates):
    """The fates of a run: everything is well but for the cuts, at most one for each number.

    exchanges: what was numbered, while `is_counting` and until the quiet after the journey. made: the cuts.
    """

    cuts: dict[int, str]
    exchanges: list[Exchange] = field(default_factory=list)
    made: list[str] = field(default_factory=list)
    is_counting: bool = False
    _dies_in: set[SimulatedCall] = field(default_factory=set)
    _away_until: int = 0  # the database
    _failing: dict[str, int] = field(default_factory=dict)  # until when, by the statement's label

    def of_statement(self, process: Process, label: str, *, is_inside: bool) -> Fate:
        """See `Fates`."""
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
                self.expect_restart()
            case "freezes":
                self.freeze(process, FREEZE_SECONDS)
                if is_inside:
                    return LOST_IN_FREEZE
                world.scheduler.sleep(FREEZE_SECONDS)
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
        """See `Fates`."""
        how = self._number(Kind.CALL if call.is_for_crm else Kind.MESSAGE, call.words)
        if how in _SANDBOX_FAULTS:
            self.world.crm.sandbox.change(_SANDBOX_FAULTS[how])
        elif how == "dies in it":
            self._dies_in.add(call)
        self._strike(how, call.fiber.process)
        return _CALL_FATES.get(how, NetworkFate())

    def on_send(self, call: SimulatedCall) -> None:
        """See `Fates`."""
        Fates.on_send(self, call)
        if call in self._dies_in:
            self.kill(call.fiber.process, "in a call")

    def of_mail(self, step: str) -> StepFate:
        """See `Fates`."""
        how = self._number(Kind.STEP, step)
        process = self.world.scheduler.running().process
        if how == "dies in it":
            self.world.scheduler.after(0.0, lambda: self.kill(process, "at a step of SMTP"))
        self._strike(how, process)
        return _STEP_FATES.get(how, StepFate())

    def of_command(self, command: str) -> Fate:
        """See `Fates`."""
        how = self._number(Kind.COMMAND, command)
        world = self.world
        match how:
            case "Redis goes":
                world.set_broker(up=False)
                world.scheduler.after(REDIS_AWAY_SECONDS, lambda: world.set_broker(up=True))
            case "Redis freezes":
                world.broker.freeze()
                world.scheduler.after(REDIS_AWAY_SECONDS, world.broker.thaw)
            case "dies before" | "dies after":
                self.expect_restart()
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

    def _strike(self, how: str | None, process: Process) -> None:
        """End or freeze the caller before its step, if it is cut so."""
        if how == "dies before":
            self.kill_caller(process, "before its step")
        elif how == "freezes":
            self.world.scheduler.sleep(self.freeze(process, FREEZE_SECONDS))

    def expect_restart(self) -> None:
        """See `Fates`. A worker that dies after a statement may have had to wait for the database."""
        for seconds in (RESTART_SECONDS, RESTART_SECONDS + ANSWER_SECONDS):
            self.world.scheduler.after(seconds, self.world.pool.fill)
