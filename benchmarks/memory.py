"""P14: the memory of the whole product on one machine, at rest and after many leads."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from benchmarks import rows
from benchmarks.bench import Bench
from benchmarks.programs import megabytes
from benchmarks.series import Series, number
from benchmarks.targets import TARGETS, Finding

LEADS = 100_000
LOAD_SECONDS = 20.0  # of each round of posts
REST_SECONDS = 15.0  # some ticks of the worker, after the last reply


def measure_memory(bench: Bench) -> list[Finding]:
    """Site, worker, Flower, PostgreSQL and Valkey with their default settings, once."""
    database = bench.database()
    environment = bench.product(database, bench.crm())
    site = bench.site(environment)
    workers, flower = bench.workers(environment), bench.flower(environment)

    def look() -> dict[str, float]:
        threading.Event().wait(REST_SECONDS)
        pids = {
            "site": [program.pid for program in site.programs],
            "worker": [program.pid for program in workers],
            "Flower": [flower.pid],
            "PostgreSQL": [bench.postgres.pid],
            "Valkey": [bench.valkey.pid],
        }
        found = {name: sum(map(megabytes, each)) for name, each in pids.items()}
        bench.say(f"{number(sum(found.values()))} MB: {_parts(found)}")
        return found

    at_rest = look()
    while (stored := rows.count(database)) < LEADS:
        bench.post(site, seconds=LOAD_SECONDS)
        rows.wait_delivered(database)
    after = look()
    shared = "shared pages counted by their share"
    return [
        _finding("P14", at_rest, shared),
        _finding("P14b", after, f"{stored:,} leads accepted and delivered since the start; {shared}"),
    ]


def _finding(key: str, found: Mapping[str, float], how: str) -> Finding:
    return Finding(TARGETS[key], Series((sum(found.values()),), "MB"), notes=[_parts(found), how])


def _parts(found: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {number(size)}" for name, size in found.items())
