"""P5: draining a backlog to the CRM, compared with a loop that only sends ready-made batches."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dev.benchmarks import rows
from dev.benchmarks.programs import BenchmarkError, child_environment
from dev.benchmarks.series import Series, number
from dev.benchmarks.targets import TARGETS, Finding
from dev.servers.server_process import ROOT
from dev.servers.waiting import wait_until
from leads.settings import read_settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dev.benchmarks.bench import Bench
    from dev.benchmarks.programs import CrmStandIn, Program

ROWS = 20_000
WARM_ROWS = 1_000
CALL_MILLISECONDS = 50.0
MAX_DRAIN = 120.0  # seconds


@dataclass(frozen=True, slots=True)
class Drained:
    """Rows per second from the CRM's first call to its last reply, the calls, and CPU milliseconds per row."""

    rate: float
    calls: int
    most_in_flight: int
    cpu: float


def measure_drain(bench: Bench) -> list[Finding]:
    """The worker and the loop alternately, with equally many calls in flight."""
    database, crm = bench.database(), bench.crm(CALL_MILLISECONDS)
    environment = bench.product(database, crm)
    in_flight = read_settings(environment).crm_concurrency
    worker = bench.worker(environment)
    _drain(bench, database, crm, worker, WARM_ROWS)
    ours, theirs = [], []
    for turn in range(bench.rounds):
        for side in ("worker", "loop") if turn % 2 == 0 else ("loop", "worker"):
            if side == "worker":
                ours.append(_drain(bench, database, crm, worker, ROWS))
            else:
                theirs.append(_loop(environment, crm, in_flight))
        bench.say(
            f"round {turn + 1} of {bench.rounds}: {number(ours[-1].rate)} and {number(theirs[-1].rate)} rows/s"
        )
    cpu = [number(Series(tuple(side.cpu for side in drained)).median) for drained in (ours, theirs)]
    notes = [
        (
            f"rows of thirty fields, calls of 100 rows and {CALL_MILLISECONDS:g} ms, {in_flight} in flight;"
            f" {ours[0].calls} calls, at most {ours[0].most_in_flight} at once; CPU ms per row {cpu[0]} to {cpu[1]}"
        )
    ]
    found, peer = (Series(tuple(side.rate for side in drained), "rows/s") for drained in (ours, theirs))
    return [Finding(TARGETS["P5"], found, "ready-made batches", peer, notes)]


def _drain(bench: Bench, database: str, crm: CrmStandIn, worker: Program, count: int) -> Drained:
    """Store a backlog, let the worker's own tick find it, and wait until the last row is marked."""
    rows.empty(database)
    crm.reset()
    before = worker.cpu_seconds()
    rows.store_waiting(database, range(count), random.Random(f"{bench.seed}:drain"))
    if not wait_until(lambda: crm.totals()["rows"] == count, MAX_DRAIN, every=0.2):
        raise BenchmarkError(f"{crm.totals()['rows']} of {count} rows were delivered in {MAX_DRAIN:g} s")
    wait_until(lambda: rows.waiting(database) == 0, 10)
    return _drained(crm, count, worker.cpu_seconds() - before)


def _loop(environment: Mapping[str, str], crm: CrmStandIn, in_flight: int) -> Drained:
    crm.reset()
    words = ["--rows", str(ROWS), "--in-flight", str(in_flight)]
    with subprocess.Popen(
        [sys.executable, "-m", "dev.benchmarks.peers.plain_loop", *words],
        cwd=ROOT,
        env=child_environment(environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as loop:
        if loop.stdin is None or loop.stdout is None or loop.stdout.readline() != "ready\n":
            raise BenchmarkError("the plain loop did not start")
        out, _ = loop.communicate("go\n", timeout=MAX_DRAIN)
    return _drained(crm, ROWS, float(out))


def _drained(crm: CrmStandIn, count: int, cpu: float) -> Drained:
    """The result by the CRM's ledger, computed alike for both sides."""
    totals = crm.totals()
    if totals["rows"] != count:
        raise BenchmarkError(f"the CRM got {totals['rows']} rows of {count}")
    seconds = totals["last"] - totals["first"]
    return Drained(count / seconds, totals["calls"], totals["most_in_flight"], 1000 * cpu / count)
