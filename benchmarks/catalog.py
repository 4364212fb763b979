"""The benchmarks by name, in the order in which they run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.accept import measure_throughput
from benchmarks.bench import Bench
from benchmarks.claim import measure_claims
from benchmarks.cost import measure_cost
from benchmarks.crosscheck import measure_with_autocannon
from benchmarks.drain import measure_drain
from benchmarks.first_load import measure_first_load
from benchmarks.latency import measure_equal_rate, measure_half_load
from benchmarks.lighthouse import measure_lighthouse
from benchmarks.memory import measure_memory
from benchmarks.pages import measure_pages
from benchmarks.pickup import measure_pickup
from benchmarks.presses import measure_presses
from benchmarks.redis_outage import measure_redis_outage
from benchmarks.scale import measure_both, measure_web_processes
from benchmarks.small import measure_small
from benchmarks.targets import Finding
from benchmarks.upkeep import measure_upkeep


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One measurement; `keys` are its targets."""

    name: str
    keys: tuple[str, ...]
    title: str
    measure: Callable[[Bench], list[Finding]]

    @property
    def names(self) -> tuple[str, ...]:
        """What chooses it: its name, and its targets."""
        return self.name, *self.keys


BENCHMARKS = (
    Benchmark("accept", ("P1", "P2", "P2b"), "enquiries accepted a second, beside two peers", measure_throughput),
    Benchmark("latency", ("P3", "P3b"), "p99 of replies at an equal rate, beside the peers", measure_equal_rate),
    Benchmark("half", ("S1", "S1b"), "p99 of replies at half of each side's own maximum", measure_half_load),
    Benchmark("check", ("S2",), "our load generator beside autocannon", measure_with_autocannon),
    Benchmark("redis", ("P4", "P4b"), "p99 of replies without Redis", measure_redis_outage),
    Benchmark(
        "drain",
        ("P5", "P5c", "S4", "S4b", "S4c", "S8", "P5b"),
        "draining a backlog, beside the limit and a bare way",
        measure_drain,
    ),
    Benchmark("pickup", ("P6", "P6b"), "from commit to the CRM at low load, beside a bare way", measure_pickup),
    Benchmark("cost", ("P8",), "CPU per lead, from post to CRM, beside a bare way", measure_cost),
    Benchmark("lighthouse", ("P9", "P9b", "P9c", "P9d", "P10", "P10b", "P10c"), "Lighthouse", measure_lighthouse),
    Benchmark("presses", ("P10d",), "every press on a phone with a slow processor", measure_presses),
    Benchmark("size", ("P11", "P11b", "P11c", "P11d", "P11e"), "bytes of a page's first load", measure_first_load),
    Benchmark("page", ("P12",), "pre-rendered pages a second", measure_pages),
    Benchmark("web", ("S3",), "two web processes beside one", measure_web_processes),
    Benchmark("both", ("P13", "P13b", "S5b", "S6"), "accepting and draining at once, leads a day", measure_both),
    Benchmark("small", ("S9",), "the whole product on one core", measure_small),
    Benchmark("memory", ("P14", "P14b"), "memory of the whole, at rest and after 100,000 leads", measure_memory),
    Benchmark("upkeep", ("P15", "P15b"), "p99 beside a backup, an index", measure_upkeep),
    Benchmark(
        "claim",
        ("P7", "P7b", "S7", "S7b", "S7c", "S7d"),
        "claim and mark beside up to ten million finished rows",
        measure_claims,
    ),
)
