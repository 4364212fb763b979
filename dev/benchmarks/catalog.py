"""The benchmarks by name, in the order in which they run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dev.benchmarks.accept import measure_calm, measure_throughput
from dev.benchmarks.claim import measure_claims
from dev.benchmarks.deliver import measure_drain
from dev.benchmarks.end_to_end import measure_cost, measure_pickup
from dev.benchmarks.pages import measure_pages
from dev.benchmarks.redis_outage import measure_redis_outage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dev.benchmarks.bench import Bench
    from dev.benchmarks.targets import Finding


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One measurement; `keys` are its targets."""

    name: str
    keys: tuple[str, ...]
    title: str
    measure: Callable[[Bench], list[Finding]]


BENCHMARKS = (
    Benchmark(
        "accept",
        ("P1", "P2"),
        "enquiries accepted a second, compared with two FastAPI applications",
        measure_throughput,
    ),
    Benchmark("calm", ("P3", "P3b"), "p99 of replies at half of saturation", measure_calm),
    Benchmark("redis", ("P4", "P4b"), "p99 of replies without Redis", measure_redis_outage),
    Benchmark("drain", ("P5",), "draining a backlog to the CRM, compared with ready-made batches", measure_drain),
    Benchmark("pickup", ("P6", "P6b"), "from commit to the CRM at low load", measure_pickup),
    Benchmark("claim", ("P7",), "a claim with a million finished rows in the table", measure_claims),
    Benchmark("cost", ("P8",), "CPU per lead, from post to CRM", measure_cost),
    Benchmark("page", ("P12",), "pre-rendered pages a second", measure_pages),
)


def choose(only: Sequence[str] | None) -> list[Benchmark]:
    """All benchmarks, or those with these names or targets; SystemExit lists unknown ones."""
    if not only:
        return list(BENCHMARKS)
    wanted = {word.lower() for word in only}
    known = {word.lower() for benchmark in BENCHMARKS for word in (benchmark.name, *benchmark.keys)}
    if wanted - known:
        raise SystemExit(f"no benchmark is called {', '.join(sorted(wanted - known))}; see --list")
    return [
        benchmark for benchmark in BENCHMARKS if wanted & {benchmark.name, *(key.lower() for key in benchmark.keys)}
    ]
