"""The results of many cuts: totals by journey, and the page of the documentation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from proofs.cuts.cut import BY_ITSELF, BY_OTHERS, Exchange, Kind
from proofs.cuts.journeys import JOURNEYS, Journey
from proofs.cuts.run import Verdict
from proofs.drills.report import VERSIONS
from proofs.harness.page import machine, merged, row, table, today

MOST_NAMED = 5  # of the cuts that broke a promise

ABOUT = """# Every link cut once

`make cuts` runs a journey once and numbers every exchange with the outside: each statement and commit, each call
to the CRM, each message to staff's webhook, each step of SMTP, each command to Redis. Then it runs the journey
again for each number and each way of cutting it, waits, and judges what is left. The parts are those of the
[simulation](simulation.md): the product's own code and SQL, a virtual clock, the sandbox. The simulation draws at
random and meets combinations; this goes through all single cuts and leaves none to chance.

**The verdict.** The invariants of the simulation hold at every step. A quarter of an hour after the journey,
without anybody's help: everybody who has a receipt is in the CRM, once; staff were told, with one id; nothing is
owed, dead or held but what the journey itself leaves so; no row lost a lease unless a worker was lost; the gate is
open. Then dead rows are sent again and held ones released, and everything must be in the CRM.

**What it does not show.** The site is its storing function with its batches: the server in front of it, limits and
tokens are for other tests, but for the start token, which comes from the other site. The form without script has
the same function; its key is one of what was entered and the day, so a reload is the journey `twice`.
Statements of one transaction are not interrupted by those of others. Migrations are cut at each statement by a test
of their own (`tests/migrations/test_interrupted.py`).

```
make cuts                                                # all journeys, every single cut
make cuts ARGS="--only lead erasure --pairs 500"         # and 500 pairs of cuts of each, drawn by --seed
make cuts ARGS="--only lead --cut '17:reply lost'"       # one run, with its schedule: a line for each exchange
make cuts ARGS="--list"                                  # the journeys
```

A cut that breaks a promise prints what broke, the end of the schedule, and the command that repeats it.
"""


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


def page(tallies: Sequence[Tally], before: str) -> str:
    """The page of the documentation; journeys that were not run keep their rows."""
    new = {tally.journey.name: _cells(tally) for tally in tallies}
    rows = merged(before.partition("## Report")[2], new, (journey.name for journey in JOURNEYS))
    kinds = (f"{kind}s" for kind in _COLUMNS)
    return "\n".join([
        ABOUT,
        "## Ways of cutting",
        "",
        *table(("exchange", "by the network, the neighbour or the clock", "by the worker itself"), (
            row((kind, ", ".join(BY_OTHERS[kind]), ", ".join(BY_ITSELF[kind]) or "-")) for kind in Kind
        )),
        "",
        "## Report",
        "",
        machine(*VERSIONS),
        "",
        *table(("journey", "what happens", *kinds, "cuts", "pairs", "wrong", "run"), rows.values()),
        "",
    ])  # fmt: skip


_COLUMNS = {
    "statement": (Kind.STATEMENT, Kind.INSIDE),
    "call": (Kind.CALL,),
    "message": (Kind.MESSAGE, Kind.STEP),
    "command": (Kind.COMMAND,),
}


def _cells(tally: Tally) -> tuple[str, ...]:
    kinds = Counter(exchange.kind for exchange in tally.exchanges)
    counts = [sum(kinds[kind] for kind in group) for group in _COLUMNS.values()]
    wrong = ", ".join(" and ".join(map(str, verdict.cuts)) for verdict in tally.failed[:MOST_NAMED])
    numbers = [f"{number:,}" for number in (*counts, tally.singles, tally.pairs, len(tally.failed))]
    ended = f"{today()}, {tally.seconds:.0f} s"
    return (
        tally.journey.name,
        tally.journey.about,
        *numbers[:-1],
        f"{numbers[-1]}{f': {wrong}' if wrong else ''}",
        ended,
    )
