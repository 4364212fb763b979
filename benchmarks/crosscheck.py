"""S2: the same load by autocannon, a load generator from the field, as a check of our own."""

from __future__ import annotations

from benchmarks.accept import median, rates
from benchmarks.bench import Bench
from benchmarks.load import Answered, autocannon
from benchmarks.series import number
from benchmarks.targets import TARGETS, Finding


def measure_with_autocannon(bench: Bench) -> list[Finding]:
    """The product at the full speed of 32 connections, under either generator by turns."""
    site = bench.site(bench.product(bench.database()))
    field: list[Answered] = []
    own: list[Answered] = []
    for turn in range(bench.rounds):
        bench.checkpoint()
        for is_own in (True, False) if turn % 2 == 0 else (False, True):
            if is_own:
                own.append(bench.post(site))
            else:
                field.append(bench.post(site, generator=autocannon))
        bench.say(
            f"round {turn + 1} of {bench.rounds}: autocannon {number(field[-1].rate)}/s,"
            f" our generator {number(own[-1].rate)}/s"
        )
    notes = [
        "the product alone, 32 connections, the same bodies, keys and tokens",
        f"the generator's own CPU ms per request {median(field, 'load')} to {median(own, 'load')}",
        f"p50 ms {median(field, 'p50')} to {median(own, 'p50')}",
        f"p99 ms {median(field, 'p99')} to {median(own, 'p99')} (autocannon's are whole milliseconds)",
    ]
    return [Finding(TARGETS["S2"], rates(field), "our generator", rates(own), notes)]
