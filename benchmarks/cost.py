"""P8: the CPU time of a lead, from the first of many posts until the last lead is marked, beside the bare way."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks import rows
from benchmarks.bench import Bench
from benchmarks.programs import cpu_seconds
from benchmarks.series import Series, number
from benchmarks.targets import TARGETS, Finding
from benchmarks.ways import BARE_WAY, Way, ways


@dataclass(frozen=True, slots=True)
class Spent:
    """CPU milliseconds a lead, and leads accepted a second meanwhile."""

    web: float
    worker: float
    postgres: float
    rate: float

    @property
    def total(self) -> float:
        """All of it."""
        return self.web + self.worker + self.postgres


def measure_cost(bench: Bench) -> list[Finding]:
    """Site, worker and PostgreSQL together, while leads are accepted and delivered at once; both ways by turns."""
    both = ways(bench)
    spent: dict[str, list[Spent]] = {way.name: [] for way in both}
    for turn in range(bench.rounds):
        for way in both if turn % 2 == 0 else reversed(both):
            bench.checkpoint()
            spent[way.name].append(_round(bench, way))
        shown = [f"{name} {number(found[-1].total)} ms" for name, found in spent.items()]
        bench.say(f"round {turn + 1} of {bench.rounds}: {', '.join(shown)} a lead")
    ours, theirs = spent.values()
    notes = [f"{_parts(ours)}, the bare way {_parts(theirs)}", "32 connections"]
    return [Finding(TARGETS["P8"], _totals(ours), BARE_WAY, _totals(theirs), notes)]


def _round(bench: Bench, way: Way) -> Spent:
    def now() -> tuple[float, float, float]:
        worked = sum(worker.cpu_seconds() for worker in way.workers)
        return way.site.cpu_seconds(), worked, cpu_seconds(bench.postgres.pid)

    count, before = rows.count(way.database), now()
    rate = bench.post(way.site).rate
    rows.wait_delivered(way.database)
    after, leads = now(), rows.count(way.database) - count
    web, worked, stored = (1000 * (end - start) / leads for start, end in zip(before, after, strict=True))
    return Spent(web, worked, stored, rate)


def _totals(spent: list[Spent]) -> Series:
    return Series(tuple(each.total for each in spent), "ms")


def _parts(spent: list[Spent]) -> str:
    web, worked, stored, rate = (
        number(Series(part).median)
        for part in zip(*((each.web, each.worker, each.postgres, each.rate) for each in spent), strict=True)
    )
    return f"web {web}, worker {worked}, PostgreSQL {stored} ms at {rate} leads/s"
