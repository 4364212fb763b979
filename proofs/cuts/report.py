"""The results of many cuts: totals by journey, and what is printed of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from proofs.cuts.cut import Exchange
from proofs.cuts.journeys import Journey
from proofs.cuts.run import Verdict


@dataclass(slots=True)
class Tally:
    """What became of one journey's cuts. singles, pairs: how many were to be run."""

    journey: Journey
    exchanges: Sequence[Exchange]
    singles: int
    pairs: int
    failed: list[Verdict] = field(default_factory=list)
    run: int = 0
    seconds: float = 0.0

    def add(self, verdict: Verdict) -> None:
        """Count a run."""
        self.run += 1
        if verdict.violations:
            self.failed.append(verdict)

    def line(self) -> str:
        """One line."""
        held = self.run - len(self.failed)
        return f"{self.journey.name}: {held:,} of {self.run:,} runs hold, {self.seconds:.0f} s"


def failure(verdict: Verdict, lines: int) -> str:
    """A run that does not hold: what broke, what was cut, the end of the schedule, and how to repeat it."""
    cuts = " ".join(f"'{cut}'" for cut in verdict.cuts)
    return "\n".join([
        *(f"  ! {violation}" for violation in verdict.violations),
        *(f"    {made}" for made in verdict.made),
        *verdict.schedule[-lines:],
        f'  again: make cuts ARGS="--only {verdict.journey} --cut {cuts}"',
    ])  # fmt: skip


def replayed(verdict: Verdict) -> str:
    """A run that was repeated to be read."""
    ended = [f"  ! {violation}" for violation in verdict.violations] or ["holds"]
    return "\n".join([*verdict.schedule, *(f"    {made}" for made in verdict.made), *ended])
