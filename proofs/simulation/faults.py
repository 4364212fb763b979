"""The fate of each step of a run, drawn by the chances of the troubles that are on."""

from __future__ import annotations

from dataclasses import dataclass

from proofs.simulation.crm import HOST, KILLER, NetworkFate, SimulatedCall, carries
from proofs.simulation.database import FINE, LOST, Fate
from proofs.simulation.mail import StepFate
from proofs.simulation.scheduler import SECOND, Process
from proofs.simulation.world import World

STATEMENT_SECONDS, SLOW_STATEMENT_SECONDS = (0.0005, 0.001, 0.003), 0.5
TRAVEL_SECONDS = (0.01, 0.1, 0.4, 2.0)
FREEZE_SECONDS = (2.0, 20.0, 40.0, 70.0, 130.0, 600.0)


@dataclass(slots=True)
class Faults:
    """Draws the fates, and carries them out."""

    world: World

    def of_statement(self, process: Process, label: str, *, is_inside: bool) -> Fate:
        """The fate of a statement; time passes before it, but not inside a transaction."""
        world, chance = self.world, self.world.scheduler.random
        if not is_inside:
            is_slow = chance.random() > 0.98
            world.scheduler.sleep(SLOW_STATEMENT_SECONDS if is_slow else chance.choice(STATEMENT_SECONDS))
        fate = self._draw(process, label, is_inside=is_inside) if world.rates else FINE
        world.note(f"{world.scheduler.running().name}: {label}{_words(fate)}")
        if fate.kills:
            self._expect_restart()
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
        process.frozen_until = world.scheduler.now + int(seconds * SECOND)
        process.last_frozen = process.frozen_until
        world.note(f"{process.name} freezes for {seconds:.0f} s")
        return seconds

    def of_command(self, _command: str, /) -> Fate:
        """See `proofs.simulation.run.Fates`. Redis goes and freezes for a time; no command is lost alone."""
        return FINE

    def of_call(self, call: SimulatedCall) -> NetworkFate:
        """The fate of a call that is about to be made; its caller may die or freeze before."""
        world, chance, rates = self.world, self.world.scheduler.random, self.world.rates
        process = call.fiber.process
        if chance.random() < rates["kill"]:
            self._strike(process, "before a call")
            world.scheduler.check_alive()
        if chance.random() < rates["freeze"]:
            world.scheduler.sleep(self._freeze(process))
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
        path = call.request.url.removeprefix(HOST)
        world.note(f"{call.fiber.name}: {call.request.method} {path} {call.call_id} [{events}]")
        return fate

    def on_send(self, call: SimulatedCall) -> None:
        """A call leaves: judge it; its row may kill the caller now."""
        world = self.world
        world.oracle.on_send(call)
        world.calls += 1
        if call.is_upsert and not world.is_ending and carries(call, KILLER):
            world.killed_at = world.scheduler.now
            self._strike(call.fiber.process, "by its row")
        elif world.rates["kill"] and world.chance(0.05):
            self._strike(call.fiber.process, "in a call")

    def _strike(self, process: Process, how: str) -> None:
        self.world.note(f"{process.name} dies {how}")
        self.world.scheduler.kill(process)
        self._expect_restart()

    def _expect_restart(self) -> None:
        self.world.scheduler.after(self.world.scheduler.random.uniform(1, 8), self.world.pool.fill)

    def on_answer(self, call: SimulatedCall) -> None:
        """The CRM has answered a call, or dropped it."""
        outcome = call.outcome
        status = outcome.reply.status if outcome is not None and outcome.reply is not None else None
        how = outcome.ending if outcome is not None else "nothing"
        self.world.note(f"CRM: {call.call_id} {status} {how}")
        self.world.oracle.on_answer(call, self.world.crm)

    def of_mail(self, step: str) -> StepFate:
        """The fate of a step of SMTP; its client may die or freeze before."""
        world, chance, rates = self.world, self.world.scheduler.random, self.world.rates
        fiber = world.scheduler.running()
        if chance.random() < rates["kill"]:
            self._strike(fiber.process, "at a step of SMTP")
            world.scheduler.check_alive()
        if chance.random() < rates["freeze"]:
            world.scheduler.sleep(self._freeze(fiber.process))
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
