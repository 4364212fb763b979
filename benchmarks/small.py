"""S9: what a machine with one core carries: site, worker, Flower, PostgreSQL and Valkey share one."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import psutil

from benchmarks import rows
from benchmarks.bench import Bench
from benchmarks.pinning import cores
from benchmarks.programs import megabytes
from benchmarks.scale import DAY
from benchmarks.series import Series, number
from benchmarks.targets import TARGETS, Finding

LOAD_SECONDS = 20.0


def measure_small(bench: Bench) -> list[Finding]:
    """Accept and deliver at once; a round lasts from the first post until the last lead is delivered."""
    crm = bench.crm(300, 100)
    database = bench.database()
    environment = bench.product(database, crm)
    site, workers, flower = bench.site(environment), bench.workers(environment), bench.flower(environment)
    measured = (*site.programs, *workers, flower, bench.postgres, bench.valkey)
    pids = [program.pid for program in measured]
    days, p99s, sizes = [], [], []
    with _on_one_core(pids):
        for turn in range(bench.rounds):
            bench.checkpoint()
            before, began = rows.count(database), time.monotonic()
            answered = bench.post(site, seconds=LOAD_SECONDS)
            rows.wait_delivered(database)
            leads, took = rows.count(database) - before, time.monotonic() - began
            days.append(DAY * leads / took)
            p99s.append(answered.p99)
            sizes.append(sum(map(megabytes, pids)))
            bench.say(f"round {turn + 1} of {bench.rounds}: {leads:,} leads in {number(took)} s")
    notes = [
        f"accepted and delivered at once, from the first post to the last mark; {number(max(sizes))} MB",
        f"p99 of the replies {number(Series(tuple(p99s)).median)} ms at 32 connections",
        "calls of 300 ± 100 ms; the load and the CRM on the other core",
    ]
    return [Finding(TARGETS["S9"], Series(tuple(days), "leads"), notes=notes)]


@contextmanager
def _on_one_core(pids: Sequence[int | None]) -> Iterator[None]:
    """Keep these processes, and those they start, on one core while the block runs."""
    allowed = cores()
    trees = [psutil.Process(pid) for pid in pids if pid is not None]
    try:
        _allow(trees, allowed[-1:])
        yield
    finally:
        _allow(trees, allowed)


def _allow(trees: Sequence[psutil.Process], allowed: list[int]) -> None:
    for process in [each for tree in trees for each in (tree, *tree.children(recursive=True))]:
        for thread in process.threads():
            with suppress(ProcessLookupError):
                os.sched_setaffinity(thread.id, allowed)
