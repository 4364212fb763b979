"""P5: draining a backlog to a CRM of the real latency, against its limit of calls, or beside a bare delivery."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks import rows
from benchmarks.bench import Bench
from benchmarks.programs import BenchmarkError, CrmStandIn, Measured, cpu_seconds, megabytes
from benchmarks.series import Series, number
from benchmarks.targets import TARGETS, Finding
from benchmarks.ways import BARE
from dev.servers.waiting import wait_until
from leads.settings import read_settings

ROWS, MANY_ROWS, WARM_ROWS = 20_000, 100_000, 1_000
CALL_ROWS = 100
# A call to Zoho takes some 300 ms, and an edition allows 10 to 25 of them at once.
CALL_MILLISECONDS, JITTER_MILLISECONDS = 300.0, 100.0
# By target: calls in flight, rows that wait, workers.
AT_THE_LIMIT = {
    "P5": (10, MANY_ROWS, 1),
    "P5c": (25, MANY_ROWS, 1),
    "S4": (25, MANY_ROWS, 2),
    "S4b": (10, 10_000, 1),
    "S4c": (10, 100, 1),
}
MAX_DRAIN = 120.0  # seconds


@dataclass(frozen=True, slots=True)
class Drained:
    """Rows a second from the CRM's first call to its last reply; the calls; CPU microseconds a row; memory."""

    rate: float
    calls: int
    most_in_flight: int
    cpu: float
    stored: float  # PostgreSQL's
    megabytes: float  # of the workers, shared pages counted by their share


@dataclass(frozen=True, slots=True)
class Side:
    """Who drains a database to a CRM."""

    database: str
    crm: CrmStandIn
    workers: Sequence[Measured]


def measure_drain(bench: Bench) -> list[Finding]:
    """At the real latency against the limit of calls; then without any latency, beside a bare delivery."""
    return [*(_at_the_limit(bench, key, *what) for key, what in AT_THE_LIMIT.items()), *_at_once(bench)]


def _at_the_limit(bench: Bench, key: str, in_flight: int, count: int, workers: int) -> Finding:
    database, crm = bench.database(), bench.crm(CALL_MILLISECONDS, JITTER_MILLISECONDS)
    given = {"CRM_CALLS_IN_FLIGHT": str(in_flight)}
    side = Side(database, crm, bench.workers(bench.product(database, crm) | given, workers))
    (ours,) = _by_turns(bench, [side], count)
    at_once = min(in_flight, -(-count // CALL_ROWS))
    limit = at_once * CALL_ROWS / (CALL_MILLISECONDS / 1000)
    note = (
        f"{count:,} rows, calls of {CALL_ROWS} rows and {CALL_MILLISECONDS:g} ± {JITTER_MILLISECONDS:g} ms,"
        f" {max(each.most_in_flight for each in ours)} at once, {workers} worker{'s' if workers > 1 else ''};"
        f" CPU a row {_median(ours, 'cpu')} µs, PostgreSQL's {_median(ours, 'stored')} µs;"
        f" {_median(ours, 'megabytes')} MB"
    )
    allowed = Series((limit,) * len(ours), "rows/s")
    return Finding(TARGETS[key], rates(ours), f"{at_once} in flight at all times", allowed, [note])


def _at_once(bench: Bench) -> list[Finding]:
    database, crm = bench.database(), bench.crm(0.0, 0.0)
    environment = bench.product(database, crm)
    in_flight = read_settings(environment).crm_calls_in_flight
    product = Side(database, crm, bench.workers(environment))
    database, crm = bench.database(), bench.crm(0.0, 0.0)
    bare = Side(database, crm, bench.bare_worker(database, crm, in_flight))
    ours, theirs = _by_turns(bench, [product, bare], ROWS)
    note = f"{ROWS:,} rows of thirty fields, calls of {CALL_ROWS} rows without a wait, {in_flight} in flight"
    stored = f"PostgreSQL's part {_median(ours, 'stored')} to {_median(theirs, 'stored')} µs"
    cpu = [Series(tuple(each.cpu for each in side), "µs") for side in (ours, theirs)]
    return [
        Finding(TARGETS["S8"], rates(ours), BARE, rates(theirs), [note]),
        Finding(TARGETS["P5b"], cpu[0], BARE, cpu[1], ["in the rounds of S8", stored]),
    ]


def _by_turns(bench: Bench, sides: Sequence[Side], count: int) -> list[list[Drained]]:
    """Drain so many rows in each round, by one side after the other."""
    found: list[list[Drained]] = [[] for _ in sides]
    for side in sides:
        drain(bench, side.database, side.crm, side.workers, WARM_ROWS)
    for turn in range(bench.rounds):
        for place in range(len(sides)) if turn % 2 == 0 else reversed(range(len(sides))):
            side = sides[place]
            found[place].append(drain(bench, side.database, side.crm, side.workers, count))
        shown = [f"{number(each[-1].rate)} rows/s, CPU {number(each[-1].cpu)} µs a row" for each in found]
        bench.say(f"round {turn + 1} of {bench.rounds}: {'; bare '.join(shown)}")
    bench.clear()
    return found


def _median(drains: Sequence[Drained], name: str) -> str:
    return number(Series(tuple(getattr(each, name) for each in drains)).median)


def rates(drains: Sequence[Drained]) -> Series:
    """Rows per second, by round."""
    return Series(tuple(each.rate for each in drains), "rows/s")


def drain(bench: Bench, database: str, crm: CrmStandIn, workers: Sequence[Measured], count: int = ROWS) -> Drained:
    """Store a backlog, let the workers' own ticks find it, and wait until the last row is marked.

    Args:
        bench: the run.
        database: the backlog's.
        crm: the stand-in; its ledger is emptied first.
        workers: who drains.
        count: how many rows.

    Returns:
        The result by the CRM's ledger.

    Raises:
        BenchmarkError: Rows were not delivered in time.
    """
    rows.empty(database)
    crm.reset()
    bench.checkpoint()
    before = _cpu(workers)
    rows.store_waiting(database, range(count), random.Random(f"{bench.seed}:drain"))
    stored_at = cpu_seconds(bench.postgres.pid)
    if not wait_until(lambda: crm.totals()["rows"] == count, MAX_DRAIN, every=0.2):
        raise BenchmarkError(f"{crm.totals()['rows']} of {count} rows were delivered in {MAX_DRAIN:g} s")
    rows.wait_delivered(database)
    totals = crm.totals()
    return Drained(
        count / (totals["last"] - totals["first"]),
        totals["calls"],
        totals["most_in_flight"],
        1e6 * (_cpu(workers) - before) / count,
        1e6 * (cpu_seconds(bench.postgres.pid) - stored_at) / count,
        sum(megabytes(worker.pid) for worker in workers),
    )


def _cpu(workers: Sequence[Measured]) -> float:
    return sum(worker.cpu_seconds() for worker in workers)
