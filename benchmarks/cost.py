"""P8: the CPU time of a lead, from the first post of 32 connections until the last lead is marked."""

from __future__ import annotations

from benchmarks import rows
from benchmarks.bench import Bench
from benchmarks.load import Served
from benchmarks.programs import Measured, cpu_seconds
from benchmarks.series import Series, number
from benchmarks.targets import TARGETS, Finding


def measure_cost(bench: Bench) -> list[Finding]:
    """Web, worker and PostgreSQL together, while leads are accepted and delivered at once."""
    database, crm = bench.database(), bench.crm()
    environment = bench.product(database, crm)
    site, (worker,) = bench.site(environment), bench.workers(environment)
    parts: list[tuple[float, float, float]] = []
    rates: list[float] = []
    for turn in range(bench.rounds):
        bench.checkpoint()
        part, rate = _round(bench, database, site, worker)
        parts.append(part)
        rates.append(rate)
        shown = [number(value) for value in (sum(part), *part)]
        bench.say(
            f"round {turn + 1} of {bench.rounds}: {shown[0]} ms per lead: web {shown[1]}, worker {shown[2]},"
            f" PostgreSQL {shown[3]}; {number(rate)} accepted/s meanwhile"
        )
    web, worked, stored = (number(Series(part).median) for part in zip(*parts, strict=True))
    notes = [
        f"web {web}, worker {worked}, PostgreSQL {stored} ms",
        f"32 connections, {number(Series(tuple(rates)).median)} leads/s accepted meanwhile",
    ]
    return [Finding(TARGETS["P8"], Series(tuple(map(sum, parts)), "ms"), notes=notes)]


def _round(bench: Bench, database: str, site: Served, worker: Measured) -> tuple[tuple[float, float, float], float]:
    """CPU milliseconds per lead of web, worker and PostgreSQL; and leads accepted per second."""

    def spent() -> tuple[float, ...]:
        return site.cpu_seconds(), worker.cpu_seconds(), cpu_seconds(bench.postgres.pid)

    count, before = rows.count(database), spent()
    rate = bench.post(site).rate
    rows.wait_delivered(database)
    after, leads = spent(), rows.count(database) - count
    web, worked, stored = (1000 * (end - start) / leads for start, end in zip(before, after, strict=True))
    return (web, worked, stored), rate
