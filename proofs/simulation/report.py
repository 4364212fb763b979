"""The results of many runs: totals, and the page of the documentation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from proofs.drills.report import VERSIONS
from proofs.harness.page import machine, row, table, today
from proofs.simulation.run import Result

ABOUT = """# Simulation of delivery

`make simulate` runs the product's own code and SQL, unchanged, through weeks of trouble in seconds. It starts two
to four workers with their threads and ticks, two sites with their batches of enquiries, visitors, an operator and
the CRM sandbox in one process. A seed
decides everything: what goes wrong, for how long, and who is next at every statement and call. The same seed gives
the same run, so a failure can be repeated.

**The clock is virtual.** A schema in front of PostgreSQL's own replaces `now()` and `clock_timestamp()`, in
statements and in column defaults (`proofs/simulation/server.py`). The product's modules get a simulated
monotonic clock, wall clocks that may be an hour off, each worker's and the site's its own, events and conditions
(`proofs/simulation/stand_ins.py`). Waiting costs no real time. Ticks that would find nothing due are skipped, and
while nothing is delivered ticks become rarer, up to three hours apart.

**One scheduler decides the order.** Each thread of a worker is a fiber, a greenlet, and one fiber runs at a time.
It gives way at every statement, call and wait; the scheduler then takes whatever is next
(`proofs/simulation/scheduler.py`). No time passes in a transaction, so that one session with the server stands for
those of all workers: it outlives them, and what it has planned is planned for all runs. The product's Zoho client
runs down to `HttpClient.exchange`; behind it are the sandbox's handlers (`proofs/simulation/crm.py`).

**Faults can hit every step.** A worker dies before or after a statement or a call, or freezes until its lease is
over. A statement or its answer is lost, at a commit too. The network loses requests and replies, or is slow
(`proofs/simulation/faults.py`). Troubles of seconds to days overlap: outages of the CRM, spent credits, revoked
tokens, lost sessions, a database that stands still and then does what was sent to it, Redis lost or frozen,
replies that drip or contradict themselves, mail servers that refuse or hang, fields that become mandatory, no
workers, deployments, pauses and redrives by hand (`proofs/simulation/scenario.py`). A deployment adds a column to
every table under the plans of those who run, opens new sites, and starts new workers beside the old ones. Some
rows are odd: one kills its worker, one breaks its calls, one is refused. Chapters of trouble alternate with quiet
hours. Visitors add answers, and sales staff convert, change, delete, restore and merge records. At the end all
faults stop, and the run goes on until nothing is owed.

**Invariants are judged at every step and at the end.** A trigger tells of each change of each row, whatever the
product's own log says, and the sandbox's ledger tells what the CRM has got (`proofs/simulation/oracle.py`,
`proofs/simulation/checks.py`). The first violation ends the run. In a quiet hour everything that is due must flow:
what failed in an outage is delivered within 4 minutes, and one more for each try it has made (a probe every 30 s
opens the gate, and a success pulls forward what failed, spread over a minute a try; and three for each row that
kills its worker, as it may hold the only slot for retries). A shut gate is not judged within 25 minutes of a row
that killed its worker: that may have been the probe.

**What it does not show.** Statements of one transaction run without a break, so it sees no waiting for locks and
no deadlock. Redis is only bells that may be lost. Results come in the order of the rows on the CRM's word alone:
where a seed draws successes in another order, what visitors add to these rows is not judged. Retention,
a monotonic clock that stops, and a request that leaves a frozen machine after its deadline are
left out. Both versions of a deployment run the same code. Sockets, signals, real servers and the code of another
version are for the [drills](drills.md). Seeds are samples: that many hold says nothing of those that were not run.

```
make simulate                                            # 100 seeds
make simulate ARGS="--seeds 2000 --from 1 --jobs 2 --report docs/simulation.md"
make simulate ARGS="--seeds 2000 --minutes 60 --from $(date +%s)"   # other seeds each night, for an hour
make simulate ARGS="--replay 112"                        # one seed, with its schedule: a line for each step
make simulate ARGS="--list"                              # the troubles; --only draws from some of them
```

A failing seed prints its violation, its plan, the end of its schedule and the command that repeats it. In a
schedule `w2.1` is the first thread of the second worker process, and times are simulated. A short set runs in
`make test`; it also takes two rules out of the product and must find both (`tests/proofs/simulation`).
"""


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


def page(totals: Totals) -> str:
    """The page of the documentation."""
    outcome = f"**Seeds that do not hold: {', '.join(map(str, totals.failed))}.**\n" if totals.failed else ""
    seeds = f"seeds {min(totals.seeds)} to {max(totals.seeds)}" if totals.seeds else "no seeds"
    return "\n".join(
        [
            ABOUT,
            "## Report",
            "",
            f"{today()}, {seeds}: {totals.summary()}.",
            f"{totals.checks.total():,} checks of {len(totals.checks)} invariants.",
            f"{outcome}{machine(*VERSIONS)}",
            "",
            *_table("Invariant", "times checked", totals.checks),
            "",
            *_table("Fault or trouble", "times", totals.faults),
            "",
        ]
    )


def _table(name: str, number: str, counted: Counter[str]) -> list[str]:
    rows = (row((key, f"{value:,}")) for key, value in sorted(counted.items()) if value)
    return table((name, number), rows, numbers=1)
