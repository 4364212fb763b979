"""What becomes of each step of a run: all is well, unless a seed's troubles or a cut decide otherwise."""

from dataclasses import dataclass

from tools.simulation.crm import NetworkFate, SimulatedCall
from tools.simulation.database import FINE, Fate
from tools.simulation.mail import StepFate
from tools.simulation.scheduler import SECOND, Process
from tools.simulation.world import World


@dataclass(slots=True)
class Fates:
    """Decides the fates, and carries them out. Who asks may die or freeze before his step."""

    world: World

    def of_statement(self, _process: Process, _label: str, *, is_inside: bool) -> Fate:  # noqa: ARG002 - for others
        """The fate of a statement; time may pass before it, but not inside a transaction."""
        return FINE

    def of_command(self, _command: str) -> Fate:
        """The fate of a command to Redis."""
        return FINE

    def of_call(self, _call: SimulatedCall) -> NetworkFate:
        """The fate of a call that is about to be made."""
        return NetworkFate()

    def of_mail(self, _step: str) -> StepFate:
        """The fate of a step of SMTP."""
        return StepFate()

    def on_send(self, call: SimulatedCall) -> None:
        """A call leaves: judge it."""
        self.world.oracle.on_send(call)

    def on_answer(self, call: SimulatedCall) -> None:
        """The CRM has answered a call, or dropped it: judge what it holds now."""
        outcome = call.outcome
        status = outcome.reply.status if outcome is not None and outcome.reply is not None else None
        how = outcome.ending if outcome is not None else "nothing"
        self.world.note(f"CRM: {call.call_id} {status} {how}")
        self.world.oracle.on_answer(call, self.world.crm)

    def expect_restart(self) -> None:
        """A supervisor starts another worker soon."""

    def kill(self, process: Process, how: str) -> None:
        """End a process as kill -9 does."""
        self.world.note(f"{process.name} dies {how}")
        self.world.scheduler.kill(process)
        self.expect_restart()

    def kill_caller(self, process: Process, where: str) -> None:
        """End the process that asks, before its step."""
        self.kill(process, where)
        self.world.scheduler.check_alive()

    def freeze(self, process: Process, seconds: float) -> float:
        """Stop a process for so long; returns the seconds."""
        process.frozen_until = self.world.scheduler.now + int(seconds * SECOND)
        self.world.note(f"{process.name} freezes for {seconds:.0f} s")
        return seconds
