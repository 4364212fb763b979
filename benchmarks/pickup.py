"""P6: from a row's creation to its arrival at the CRM at low load, without the CRM's own 50 ms."""

from __future__ import annotations

from benchmarks import rows
from benchmarks.bench import Bench
from benchmarks.series import Series, number, percentile
from benchmarks.targets import TARGETS, Finding

RATE = 10.0  # enquiries a second


def measure_pickup(bench: Bench) -> list[Finding]:
    """The waits of all leads of a round, from the commit's time to the CRM's ledger."""
    database, crm = bench.database(), bench.crm()
    environment = bench.product(database, crm)
    site = bench.site(environment)
    bench.workers(environment)
    bench.post(site, rate=RATE, seconds=2)
    rows.wait_delivered(database)
    waits: list[list[float]] = []
    known = set(rows.committed(database))
    for turn in range(bench.rounds):
        bench.post(site, rate=RATE)
        rows.wait_delivered(database)
        arrived, stored = crm.arrivals(), rows.committed(database)
        waits.append(sorted(1000 * (arrived[lead] - at) for lead, at in stored.items() if lead not in known))
        known |= stored.keys()
        shown = [number(percentile(waits[-1], share)) for share in (0.5, 0.99)]
        bench.say(f"round {turn + 1} of {bench.rounds}: p50 {shown[0]}, p99 {shown[1]} ms")
    count = sum(map(len, waits))
    note = f"{RATE:g} enquiries a second at random moments, {count} leads; the CRM's own 50 ms come after"
    return [
        Finding(TARGETS[key], Series(tuple(percentile(wait, share) for wait in waits), "ms"), notes=[note])
        for key, share in (("P6", 0.5), ("P6b", 0.99))
    ]
