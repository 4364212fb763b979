"""S3, S5b, S6 and P13: more web processes, accepting and draining at once, and what that makes in a day."""

from __future__ import annotations

import random
import time

from benchmarks import rows
from benchmarks.accept import rates as accept_rates
from benchmarks.accept import rounds
from benchmarks.bench import Bench
from benchmarks.drain import CALL_MILLISECONDS, Drained, drain
from benchmarks.drain import rates as drain_rates
from benchmarks.latency import p99s
from benchmarks.load import Answered, Served
from benchmarks.pinning import cores
from benchmarks.programs import BenchmarkError, CrmStandIn, Measured
from benchmarks.series import Series, number
from benchmarks.targets import TARGETS, Finding

MAX_RATE = 8_000  # rows a second: one worker's four calls of 100 rows in 50 ms
START_SECONDS = 4  # of the load generator, and its warm-up
DAY = 86_400


def measure_web_processes(bench: Bench) -> list[Finding]:
    """S3: two web processes on one database, half of the connections each, against one."""
    environment = bench.product(bench.database())
    sides = [bench.site(environment, 2), bench.site(bench.product(bench.database()))]
    two, one = rounds(bench, sides, bench.post, lambda answer: f"{number(answer.rate)}/s")
    note = f"32 connections, each process on a port and a core of its own, {len(cores())} cores for all"
    return [Finding(TARGETS["S3"], accept_rates(two), "one process", accept_rates(one), [note])]


def measure_both(bench: Bench) -> list[Finding]:
    """P13, S5b and S6: accepting and draining at once, each against itself alone."""
    database, crm = bench.database(), bench.crm(CALL_MILLISECONDS)
    environment = bench.product(database, crm)
    site, (worker,) = bench.site(environment), bench.workers(environment)
    alone: list[Answered] = []
    drained: list[Drained] = []
    both: list[tuple[Answered, float]] = []
    for turn in range(bench.rounds):
        drained.append(drain(bench, database, crm, [worker]))
        alone.append(_alone(bench, database, site, worker))
        both.append(_both(bench, database, crm, site))
        bench.say(
            f"round {turn + 1} of {bench.rounds}: {number(both[-1][0].rate)} accepted/s and {number(both[-1][1])}"
            f" delivered/s at once; alone {number(alone[-1].rate)} and {number(drained[-1].rate)}/s"
        )
    accepted = accept_rates([answer for answer, _ in both])
    delivered = Series(tuple(rate for _, rate in both), "rows/s")
    day = [DAY * min(pair) for pair in zip(accepted.values, delivered.values, strict=True)]
    note = f"32 connections and a backlog of {_backlog(bench):,} rows at once, calls of {CALL_MILLISECONDS:g} ms"
    notes = ["the lesser of the two rates of P13 and S5b, all day", "arithmetic, not a day's measurement"]
    return [
        Finding(TARGETS["P13"], accepted, "no drain", accept_rates(alone), [note]),
        Finding(TARGETS["P13b"], p99s([answer for answer, _ in both]), "no drain", p99s(alone), [note]),
        Finding(TARGETS["S5b"], delivered, "no accepts", drain_rates(drained), [note]),
        Finding(TARGETS["S6"], Series(tuple(day), "leads"), notes=notes),
    ]


def _alone(bench: Bench, database: str, site: Served, worker: Measured) -> Answered:
    """A round of posts while the worker is frozen."""
    rows.empty(database)
    bench.checkpoint()
    worker.freeze()
    try:
        return bench.post(site)
    finally:
        rows.empty(database)
        worker.thaw()


def _both(bench: Bench, database: str, crm: CrmStandIn, site: Served) -> tuple[Answered, float]:
    """A round of posts beside a backlog; returns it, and the rows delivered per second meanwhile."""
    rows.empty(database)
    crm.reset()
    bench.checkpoint()
    rows.store_waiting(database, range(_backlog(bench)), random.Random(f"{bench.seed}:both"))
    began, before = time.monotonic(), crm.totals()["rows"]
    answered = bench.post(site)
    delivered, took = crm.totals()["rows"] - before, time.monotonic() - began
    if not rows.waiting(database):
        raise BenchmarkError("the backlog was drained before the round's end: the figures would flatter")
    rows.drop_pending(database)
    rows.wait_delivered(database)
    return answered, delivered / took


def _backlog(bench: Bench) -> int:
    """More rows than are drained while both run."""
    return round(MAX_RATE * (bench.seconds + START_SECONDS))
