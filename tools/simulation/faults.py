"""The fate of each step of a run, drawn by the chances of the troubles that are on."""

from dataclasses import dataclass

from tools.simulation.crm import KILLER, NetworkFate, SimulatedCall, carries
from tools.simulation.database import FINE, LOST, Fate
from tools.simulation.fates import Fates
from tools.simulation.mail import StepFate
from tools.simulation.scheduler import SECOND, Process

STATEMENT_SECONDS, SLOW_STATEMENT_SECONDS = (0.0005, 0.001, 0.003), 0.5
TRAVEL_SECONDS = (0.01, 0.1, 0.4, 2.0)
FREEZE_SECONDS = (2.0, 20.0, 40.0, 70.0, 130.0, 600.0)


@dataclass(slots=True)
class Faults(Fates):
    """Draws the fates. Redis goes and freezes for a time; no command to it is lost alone."""

    def of_statement(self, process: Process, label: str, *, is_inside: bool) -> Fate:
        """See `Fates`."""
        world, chance = self.world, self.world.scheduler.random
        if not is_inside:
            is_slow = chance.random() > 0.98
            world.scheduler.sleep(SLOW_STATEMENT_SECONDS if is_slow else chance.choice(STATEMENT_SECONDS))
        fate = self._draw(process, label, is_inside=is_inside) if world.rates else FINE
        world.note(f"{world.scheduler.running().name}: {label}{_words(fate)}")
        if fate.kills:
            self.expect_restart()
        return fate

    def _draw(self, process: Process, label: str, *, is_inside: bool) -> Fate:
        chance, rates = self.world.scheduler.random, self.world.rates
        if chance.random() < rates["statement"]:
            return LOST
        if chance.random() < rates["answer"]:
            return Fate(is_answered=False)
        if not process.name.startswith("w"):
            return FINE
        # A crash loop also strikes workers that carry innocent rows: it must not end them.
        is_loop = rates["loop"] and label.startswith(("claim", "settle")) and chance.random() < rates["loop"]
        if is_loop or chance.random() < rates["kill"]:
            return Fate(is_run=chance.random() < 0.5, kills=True)
        if chance.random() < rates["freeze"]:
            seconds = self._freeze(process)
            if is_inside:
                return Fate(is_run=False, is_answered=False, stall=seconds)
            self.world.scheduler.sleep(seconds)
        return FINE

    def _freeze(self, process: Process) -> float:
        world = self.world
        seconds = world.scheduler.random.choice(FREEZE_SECONDS)
        end = world.oracle.lease_end_of(process)
        if end is not None and world.chance(0.6):
            # The worst moment to come back: just after somebody else has taken the rows.
            seconds = (end - world.scheduler.now) / SECOND + world.scheduler.random.uniform(0, 40)
        return self.freeze(process, seconds)

    def _interrupt(self, process: Process, where: str) -> None:
        """The caller may die before its step, or freeze."""
        world, chance, rates = self.world, self.world.scheduler.random, self.world.rates
        if chance.random() < rates["kill"]:
            self.kill_caller(process, where)
        if chance.random() < rates["freeze"]:
            world.scheduler.sleep(self._freeze(process))

    def of_call(self, call: SimulatedCall) -> NetworkFate:
        """See `Fates`."""
        world, chance, rates = self.world, self.world.scheduler.random, self.world.rates
        self._interrupt(call.fiber.process, "before a call")
        there, back = chance.choice(TRAVEL_SECONDS), chance.choice(TRAVEL_SECONDS)
        # A row that was lost before is the most interesting one: its former holder may come back meanwhile.
        is_retold = not world.is_quiet and world.oracle.carries_lost_row(call)
        if chance.random() < rates["slow"] + 0.3 * is_retold:
            there, back = chance.uniform(1, 40), chance.uniform(1, 15)
        fate = NetworkFate(
            connects=chance.random() >= rates["connect" if call.is_for_crm else "webhook"],
            there=None if chance.random() < rates["request"] else there,
            back=None if chance.random() < rates["reply" if call.is_for_crm else "webhook drips"] else back,
            contradicts=call.is_upsert and chance.random() < rates["contradiction"],
        )
        events = ", ".join(str(row.get("Website_Event_ID", ""))[:8] for row in call.rows)
        world.note(f"{call.fiber.name}: {call.words} {call.call_id} [{events}]")
        return fate

    def on_send(self, call: SimulatedCall) -> None:
        """See `Fates`. The call's row may kill the caller now."""
        Fates.on_send(self, call)
        world = self.world
        if call.is_upsert and not world.is_ending and carries(call, KILLER):
            world.killed_at = world.scheduler.now
            self.kill(call.fiber.process, "by its row")
        elif world.rates["kill"] and world.chance(0.05):
            self.kill(call.fiber.process, "in a call")

    def expect_restart(self) -> None:
        """See `Fates`."""
        self.world.scheduler.after(self.world.scheduler.random.uniform(1, 8), self.world.pool.fill)

    def of_mail(self, step: str) -> StepFate:
        """See `Fates`."""
        world, chance, rates = self.world, self.world.scheduler.random, self.world.rates
        fiber = world.scheduler.running()
        self._interrupt(fiber.process, "at a step of SMTP")
        world.note(f"{fiber.name}: SMTP {step}")
        if chance.random() < rates["mail"]:
            return StepFate(is_done=False, refusal=chance.choice((b"451 4.3.0 later", b"421 4.3.2 closing")))
        is_silent = chance.random() < rates["mail hangs"]
        is_done, is_answered = chance.random() >= rates["request"], chance.random() >= rates["reply"]
        return StepFate(is_done=is_done, is_answered=is_answered and is_done, is_silent=is_silent)


def _words(fate: Fate) -> str:
    if fate.kills:
        return " -- dies after it" if fate.is_run else " -- dies before it"
    if fate.is_answered:
        return ""
    return " -- answer lost" if fate.is_run else " -- never arrives"
