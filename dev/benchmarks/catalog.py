"""The benchmarks by name, in the order in which they run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dev.benchmarks.accept import measure_calm, measure_throughput
from dev.benchmarks.claim import measure_claims
from dev.benchmarks.deliver import measure_drain
from dev.benchmarks.end_to_end import measure_cost, measure_pickup
from dev.benchmarks.pages import measure_documents
from dev.benchmarks.redis_outage import measure_redis_away

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dev.benchmarks.bench import Bench
    from dev.benchmarks.targets import Finding


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One measurement; `keys` are the targets that it speaks of."""

    name: str
    keys: tuple[str, ...]
    title: str
    measure: Callable[[Bench], list[Finding]]


BENCHMARKS = (
    Benchmark(
        "accept", ("P1", "P2"), "enquiries accepted a second, beside two FastAPI applications", measure_throughput
    ),
    Benchmark("calm", ("P3", "P3b"), "slowest answers at half of saturation", measure_calm),
    Benchmark("redis", ("P4", "P4b"), "slowest answers without Redis", measure_redis_away),
    Benchmark("drain", ("P5",), "a backlog to the CRM, beside ready-made batches", measure_drain),
    Benchmark("pickup", ("P6", "P6b"), "from commit to the CRM at low load", measure_pickup),
    Benchmark("claim", ("P7",), "a claim beside a million finished rows", measure_claims),
    Benchmark("cost", ("P8",), "CPU of a lead's whole way", measure_cost),
    Benchmark("page", ("P12",), "pre-rendered pages a second", measure_documents),
)


def choose(only: Sequence[str] | None) -> list[Benchmark]:
    """All, or those named (by name or target); SystemExit names what nobody knows."""
    if not only:
        return list(BENCHMARKS)
    wanted = {word.lower() for word in only}
    known = {word.lower() for benchmark in BENCHMARKS for word in (benchmark.name, *benchmark.keys)}
    if wanted - known:
        raise SystemExit(f"no benchmark is called {', '.join(sorted(wanted - known))}; see --list")
    return [
        benchmark for benchmark in BENCHMARKS if wanted & {benchmark.name, *(key.lower() for key in benchmark.keys)}
    ]
