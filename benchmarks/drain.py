"""P5: draining a backlog to the CRM, compared with a loop that only sends ready-made batches."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks import rows
from benchmarks.bench import Bench
from benchmarks.programs import BenchmarkError, CrmStandIn, Measured
from benchmarks.series import Series, number
from benchmarks.targets import TARGETS, Finding
from dev.servers.server_process import ROOT
from dev.servers.waiting import wait_until
from leads.settings import read_settings
from proofs.harness import product

ROWS = 20_000
WARM_ROWS = 1_000
CALL_MILLISECONDS = 300.0
MAX_DRAIN = 120.0  # seconds
PEER = "ready-made batches"


@dataclass(frozen=True, slots=True)
class Drained:
    """Rows per second from the CRM's first call to its last reply, the calls, and CPU microseconds per row."""

    rate: float
    calls: int
    most_in_flight: int
    cpu: float


def measure_drain(bench: Bench) -> list[Finding]:
    """The worker and the loop alternately, with equally many calls in flight."""
    database, crm = bench.database(), bench.crm(CALL_MILLISECONDS)
    environment = bench.product(database, crm)
    in_flight = read_settings(environment).crm_concurrency
    workers = bench.workers(environment)
    drain(bench, database, crm, workers, WARM_ROWS)
    ours, theirs = [], []
    for turn in range(bench.rounds):
        for side in ("worker", "loop") if turn % 2 == 0 else ("loop", "worker"):
            if side == "worker":
                ours.append(drain(bench, database, crm, workers))
            else:
                theirs.append(_loop(environment, crm, in_flight))
        bench.say(
            f"round {turn + 1} of {bench.rounds}: {number(ours[-1].rate)} and {number(theirs[-1].rate)} rows/s,"
            f" CPU {number(ours[-1].cpu)} and {number(theirs[-1].cpu)} µs per row"
        )
    note = (
        f"rows of thirty fields, calls of 100 rows and {CALL_MILLISECONDS:g} ms, {in_flight} in flight;"
        f" {ours[0].calls} calls, at most {ours[0].most_in_flight} at once"
    )
    cpu = [Series(tuple(each.cpu for each in side), "µs") for side in (ours, theirs)]
    return [
        Finding(TARGETS["P5"], rates(ours), PEER, rates(theirs), [note]),
        Finding(TARGETS["P5b"], cpu[0], PEER, cpu[1], ["in the rounds of P5; PostgreSQL's part is in P8"]),
    ]


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
    before = sum(worker.cpu_seconds() for worker in workers)
    rows.store_waiting(database, range(count), random.Random(f"{bench.seed}:drain"))
    if not wait_until(lambda: crm.totals()["rows"] == count, MAX_DRAIN, every=0.2):
        raise BenchmarkError(f"{crm.totals()['rows']} of {count} rows were delivered in {MAX_DRAIN:g} s")
    rows.wait_delivered(database)
    return _drained(crm, count, sum(worker.cpu_seconds() for worker in workers) - before)


def _loop(environment: Mapping[str, str], crm: CrmStandIn, in_flight: int) -> Drained:
    crm.reset()
    words = ["--rows", str(ROWS), "--in-flight", str(in_flight)]
    with subprocess.Popen(
        [sys.executable, "-m", "benchmarks.peers.plain_loop", *words],
        cwd=ROOT,
        env=product.environment(environment),
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
    return Drained(count / seconds, totals["calls"], totals["most_in_flight"], 1e6 * cpu / count)
