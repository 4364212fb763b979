"""P6: from a row's creation to its arrival at the CRM (not its own 50 ms) at low load, beside the bare way."""

from __future__ import annotations

from benchmarks import rows
from benchmarks.bench import Bench
from benchmarks.series import Series, number, percentile
from benchmarks.targets import TARGETS, Finding
from benchmarks.ways import BARE_WAY, Way, ways

RATE = 10.0  # enquiries a second


def measure_pickup(bench: Bench) -> list[Finding]:
    """The waits of all leads of a round, from the commit's time to the CRM's ledger; both ways by turns."""
    both = ways(bench)
    for way in both:
        bench.post(way.site, rate=RATE, seconds=2)
        rows.wait_delivered(way.database)
    waits: dict[str, list[list[float]]] = {way.name: [] for way in both}
    for turn in range(bench.rounds):
        for way in both if turn % 2 == 0 else reversed(both):
            waits[way.name].append(_round(bench, way))
        shown = [f"{name} {number(percentile(found[-1], 0.5))} ms" for name, found in waits.items()]
        bench.say(f"round {turn + 1} of {bench.rounds}: p50 {', '.join(shown)}")
    ours, theirs = waits.values()
    count = sum(map(len, ours))
    note = f"{RATE:g} enquiries a second at random moments, {count} leads; the CRM's own 50 ms come after"
    return [
        Finding(TARGETS[key], _at(share, ours), BARE_WAY, _at(share, theirs), [note])
        for key, share in (("P6", 0.5), ("P6b", 0.99))
    ]


def _round(bench: Bench, way: Way) -> list[float]:
    """The waits in milliseconds, in order."""
    known = rows.committed(way.database).keys()
    bench.post(way.site, rate=RATE)
    rows.wait_delivered(way.database)
    arrived, stored = way.crm.arrivals(), rows.committed(way.database)
    return sorted(1000 * (arrived[lead] - at) for lead, at in stored.items() if lead not in known)


def _at(share: float, waits: list[list[float]]) -> Series:
    return Series(tuple(percentile(wait, share) for wait in waits), "ms")
