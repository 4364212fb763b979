"""P7: the cost of a claim with a million finished rows in the table, compared with a thousand."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING
from uuid import uuid4

from dev.benchmarks import rows
from dev.benchmarks.series import Series, number
from dev.benchmarks.targets import TARGETS, Finding
from leads.db import connect_engine
from leads.lifecycle import Delivered
from leads.outbox.lease import Mark, claim, mark
from leads.outbox.rows import Lane
from leads.settings import read_settings

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from dev.benchmarks.bench import Bench

MANY, FEW = 1_000_000, 1_000
BATCH = 100
CLAIMS = 40  # per side and round, alternating


def measure_claims(bench: Bench) -> list[Finding]:
    """Claims of a hundred rows, alternating between the sides; each is marked as delivered before the next."""
    sides: list[tuple[str, Engine]] = []
    for count in (MANY, FEW):
        database = bench.database()
        bench.say(f"storing {count:,} finished rows")
        rows.store_finished(database, count)
        url = read_settings(bench.product(database)).database_url
        sides.append((database, connect_engine(url, pool=1, name="bench")))
    bench.checkpoint()
    found: list[list[float]] = [[], []]
    for turn in range(bench.rounds):
        first = turn * BATCH * CLAIMS
        for database, _ in sides:
            rows.store_waiting(
                database, range(first, first + BATCH * CLAIMS), random.Random(f"{bench.seed}:{turn}")
            )
        costs = _round([engine for _, engine in sides])
        for place, series in enumerate(costs):
            found[place].append(series.median)
        shown = [number(series.median) for series in costs]
        bench.say(f"round {turn + 1} of {bench.rounds}: {shown[0]} and {shown[1]} µs per row")
    for _, engine in sides:
        engine.dispose()
    many, few = (Series(tuple(side), "µs per row") for side in found)
    note = f"claims of {BATCH} rows, the median of {CLAIMS} a round; {MANY:,} finished rows with two attempts each"
    return [Finding(TARGETS["P7"], many, f"{FEW:,} finished rows", few, [note])]


def _round(engines: list[Engine]) -> list[Series]:
    """The times of all claims, in microseconds per row, by side."""
    times: list[list[float]] = [[] for _ in engines]
    for turn in range(CLAIMS):
        for place in (0, 1) if turn % 2 == 0 else (1, 0):
            times[place].append(_claim(engines[place]))
    return [Series(tuple(side)) for side in times]


def _claim(engine: Engine) -> float:
    """Claim and mark a batch; returns the microseconds per row of the claim alone."""
    began = time.perf_counter()
    claimed = claim(engine, Lane.FRESH, rows=BATCH, lease_seconds=60, call_id=uuid4().hex)
    took = time.perf_counter() - began
    outcome = Delivered("4876876000000000001")
    mark(engine, [Mark(row, outcome) for row in claimed])
    return 1e6 * took / len(claimed)
