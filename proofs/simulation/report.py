"""The results of many runs: totals, and what is printed of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from proofs.simulation.run import Result


@dataclass(slots=True)
class Totals:
    """The sums over runs."""

    seeds: list[int] = field(default_factory=list)
    failed: list[int] = field(default_factory=list)
    steps: int = 0
    simulated_seconds: float = 0.0
    wall_seconds: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)
    checks: Counter[str] = field(default_factory=Counter)
    figures: Counter[str] = field(default_factory=Counter)

    def add(self, result: Result) -> None:
        """Add a run."""
        self.seeds.append(result.seed)
        if result.violations:
            self.failed.append(result.seed)
        self.steps += result.steps
        self.simulated_seconds += result.simulated_seconds
        self.faults.update(result.faults)
        self.checks.update(result.checks)
        most = max(self.figures["most calls in flight"], result.figures.pop("most calls in flight", 0))
        self.figures.update(result.figures)
        self.figures["most calls in flight"] = most

    def summary(self) -> str:
        """One line."""
        held = len(self.seeds) - len(self.failed)
        return (
            f"{held:,} of {len(self.seeds):,} seeds hold; {self.simulated_seconds / 86_400:,.0f} simulated days,"
            f" {self.figures['rows']:,} rows, {self.figures['calls']:,} calls, {self.steps:,} steps in"
            f" {self.wall_seconds / 60:.1f} minutes"
        )


def line(result: Result) -> str:
    """The line of a run."""
    mark = "FAILED" if result.violations else "holds "
    days = result.simulated_seconds / 86_400
    return f"{mark} seed {result.seed:<6} {days:5.1f} days {result.steps:7,} steps  {result.digest:08x}"


def failure(result: Result, lines: int, only: Sequence[str] = ()) -> str:
    """A failed run: the violation, the plan, the end of the schedule, and the command that shows all of it."""
    drawn = "".join(f" '{name}'" for name in only)
    command = f"--replay {result.seed}" + (f" --only{drawn}" if only else "")
    parts = [
        *(f"  ! {violation}" for violation in result.violations),
        *(f"    {planned}" for planned in result.plan),
        *result.schedule[-lines:],
        f'  whole schedule: make simulate ARGS="{command}"',
    ]
    return "\n".join(parts)


def replayed(result: Result) -> str:
    """A run that was repeated to be read: its plan, a line for each step, and how it ended."""
    violations = (f"  ! {violation}" for violation in result.violations)
    return "\n".join([*result.plan, *result.schedule, *violations, line(result)])
