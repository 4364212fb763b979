"""P6 and P8: a lead from the post to the CRM: the time it takes at low load, and its CPU time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dev.benchmarks import rows
from dev.benchmarks.accept import PEERS
from dev.benchmarks.programs import BenchmarkError, cpu_seconds
from dev.benchmarks.series import Series, number, percentile
from dev.benchmarks.targets import TARGETS, Finding
from dev.servers.waiting import wait_until

if TYPE_CHECKING:
    from dev.benchmarks.bench import Bench, Served
    from dev.benchmarks.programs import Program

LOW_RATE = 10.0  # enquiries a second
MAX_WAIT = 60.0  # seconds


def measure_pickup(bench: Bench) -> list[Finding]:
    """P6: from the row's creation to its arrival at the CRM, without the CRM's own 50 ms."""
    database, crm = bench.database(), bench.crm()
    environment = bench.product(database, crm)
    site = bench.site(environment)
    bench.worker(environment)
    bench.post(site, rate=LOW_RATE, seconds=2)
    waits: list[list[float]] = []
    known: set[str] = set()
    for turn in range(bench.rounds):
        bench.post(site, rate=LOW_RATE)
        _wait_delivered(database)
        arrived, stored = crm.arrivals(), rows.committed(database)
        waits.append(sorted(1000 * (arrived[lead] - at) for lead, at in stored.items() if lead not in known))
        known |= stored.keys()
        shown = [number(percentile(waits[-1], share)) for share in (0.5, 0.99)]
        bench.say(f"round {turn + 1} of {bench.rounds}: p50 {shown[0]}, p99 {shown[1]} ms")
    count = sum(map(len, waits))
    note = f"{LOW_RATE:g} enquiries a second at random moments, {count} leads; the CRM's own 50 ms come after"
    return [
        Finding(TARGETS[key], Series(tuple(percentile(wait, share) for wait in waits), "ms"), notes=[note])
        for key, share in (("P6", 0.5), ("P6b", 0.99))
    ]


def measure_cost(bench: Bench) -> list[Finding]:
    """P8: CPU of web and worker together, from the first post of 32 connections until the last lead is marked."""
    database, crm = bench.database(), bench.crm()
    environment = bench.product(database, crm)
    site, worker = bench.site(environment), bench.worker(environment)
    peer = bench.peer(PEERS["P1"], "fastapi_sqlalchemy", bench.database())
    found: list[tuple[float, float, float, float, float]] = []
    for turn in range(bench.rounds):
        bench.checkpoint()
        theirs = bench.post(peer).cpu if turn % 2 else 0.0
        found.append((*_cost(bench, database, site, worker), theirs or bench.post(peer).cpu))
        shown = [number(value) for value in found[-1]]
        bench.say(
            f"round {turn + 1} of {bench.rounds}: {shown[0]} ms per lead, {shown[1]} of it delivering; {shown[3]}"
            f" accepted/s meanwhile; the peer's accept alone {shown[4]} ms"
        )
    whole, worked, stored, rate, accepted = (Series(part, "ms") for part in zip(*found, strict=True))
    note = (
        f"web and worker at once under 32 connections, {number(rate.median)} leads/s accepted meanwhile;"
        f" of it delivering {number(worked.median)} ms; PostgreSQL's own {number(stored.median)} ms not counted"
    )
    return [Finding(TARGETS["P8"], whole, f"{PEERS['P1']}, accept alone", accepted, [note])]


def _cost(bench: Bench, database: str, site: Served, worker: Program) -> tuple[float, float, float, float]:
    """CPU milliseconds per lead: web and worker, worker alone, PostgreSQL; and leads accepted per second."""
    programs = (site.program.pid, worker.pid, bench.postgres.pid)
    count = len(rows.committed(database))
    before = [cpu_seconds(pid) for pid in programs]
    rate = bench.post(site).rate
    _wait_delivered(database)
    web, worked, stored = (cpu_seconds(pid) - start for pid, start in zip(programs, before, strict=True))
    leads = len(rows.committed(database)) - count
    return 1000 * (web + worked) / leads, 1000 * worked / leads, 1000 * stored / leads, rate


def _wait_delivered(database: str) -> None:
    if not wait_until(lambda: rows.waiting(database) == 0, MAX_WAIT, every=0.1):
        raise BenchmarkError(f"{rows.waiting(database)} leads were not delivered within {MAX_WAIT:g} s")
