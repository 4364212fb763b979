"""P7 and S7: what claiming and marking a row costs PostgreSQL, by how many finished rows lie beside it."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import uuid4

from sqlalchemy import Engine, text

from benchmarks import rows
from benchmarks.bench import Bench
from benchmarks.finished import Stored, check_disk, store_finished
from benchmarks.programs import session_cpu_seconds
from benchmarks.series import Series, number
from benchmarks.targets import TARGETS, Finding
from leads.db import connect_engine
from leads.lifecycle import Delivered
from leads.outbox.lease import Mark, claim, mark
from leads.outbox.rows import Lane
from leads.settings import read_settings

SIZES = {"S7": 1_000, "S7b": 100_000, "S7c": 1_000_000, "S7d": 10_000_000}
FEW, MANY = SIZES["S7"], SIZES["S7d"]
BATCH = 100
CLAIMS = 50  # per side and round
_FLUSH = text("SELECT pg_stat_force_next_flush()")
_STATE = text("SELECT pg_backend_pid(), pg_current_wal_insert_lsn() - '0/0', wal_fpi FROM pg_stat_wal")


@dataclass(frozen=True, slots=True)
class Cost:
    """What a row costs, claimed and marked: bytes of WAL, CPU of the session and elapsed microseconds.

    `images`: whole pages in the WAL.
    """

    wal: float
    images: float
    cpu: float
    wall: float


def measure_claims(bench: Bench) -> list[Finding]:
    """Claims of a hundred rows, each marked as delivered before the next, after a checkpoint that follows storing.

    So each index page that a round touches first is written to the log as a whole, as it is in production.
    """
    sizes = sorted({min(size, bench.finished_rows) for size in SIZES.values()})
    check_disk(bench, sum(sizes))
    databases = {size: bench.database() for size in sizes}
    stored = store_finished(bench, databases)
    costs: dict[int, list[Cost]] = {size: [] for size in sizes}
    for turn in range(bench.rounds):
        for step in range(len(sizes)):
            size = sizes[(turn + step) % len(sizes)]
            costs[size].append(_round(bench, databases[size], turn))
        line = ", ".join(
            f"{size:,}: {number(side[-1].wal)} B, {number(side[-1].cpu)} µs" for size, side in costs.items()
        )
        bench.say(f"round {turn + 1} of {bench.rounds}: {line}")
    return findings(costs, stored)


def _round(bench: Bench, database: str, turn: int) -> Cost:
    """A round on one side: store, checkpoint, then claim and mark all of it on one session."""
    count = BATCH * CLAIMS
    numbers = range(turn * count, (turn + 1) * count)
    rows.store_waiting(database, numbers, random.Random(f"{bench.seed}:claims:{turn}"))
    url = read_settings(bench.product(database)).database_url
    engine = connect_engine(url, pool=1, name="bench")
    try:
        _claim(engine)  # connects, and plans the statements
        bench.checkpoint()
        return _measure(engine, CLAIMS - 1)
    finally:
        engine.dispose()


def _measure(engine: Engine, claims: int) -> Cost:
    pid, wal, images = _state(engine)
    cpu, began = session_cpu_seconds(pid), time.perf_counter()
    for _ in range(claims):
        _claim(engine)
    wall, spent = time.perf_counter() - began, session_cpu_seconds(pid) - cpu
    _, wal_after, images_after = _state(engine)
    count = BATCH * claims
    return Cost((wal_after - wal) / count, (images_after - images) / count, 1e6 * spent / count, 1e6 * wall / count)


def _state(engine: Engine) -> tuple[int, int, int]:
    """The session's process, and the server's WAL so far: bytes and whole pages."""
    with engine.connect() as connection:
        connection.execute(_FLUSH)
        pid, wal, images = connection.execute(_STATE).one()
    return int(pid), int(wal), int(images)


def _claim(engine: Engine) -> None:
    """Claim and mark a batch."""
    claimed = claim(engine, Lane.FRESH, rows=BATCH, lease_seconds=60, call_id=uuid4().hex)
    if len(claimed) != BATCH:
        raise RuntimeError(f"{len(claimed)} rows were claimed instead of {BATCH}")
    outcome = Delivered("4876876000000000001")
    mark(engine, [Mark(row, outcome) for row in claimed])


def findings(costs: Mapping[int, Sequence[Cost]], stored: Mapping[int, Stored]) -> list[Finding]:
    """P7 of the largest table against the smallest, and a row for each size."""
    few, most = min(costs), max(costs)
    took = stored[most]
    notes = [f"ONLY {most:,} finished rows instead of {MANY:,}"] if most < MANY else []
    notes.append(f"claims of {BATCH} rows, {CLAIMS} a round, after a checkpoint")
    notes.append(f"{most:,} rows with two attempts each, {took.gigabytes:.1f} GB, made in {took.seconds:.0f} s")
    peer = f"{few:,} finished rows"
    wal, cpu, wall = (
        {size: _series(side, name) for size, side in costs.items()} for name in ("wal", "cpu", "wall")
    )
    elapsed = f"elapsed µs per row {number(wall[most].median)} to {number(wall[few].median)}"
    images = {size: number(_series(side, "images").median) for size, side in costs.items()}
    pages = f"whole pages in the WAL per row {images[most]} to {images[few]}"
    found = [
        Finding(TARGETS["P7"], wal[most], peer, wal[few], [*notes, pages, elapsed]),
        Finding(
            TARGETS["P7b"], cpu[most], peer, cpu[few], ["of the session that claims and marks, in the same rounds"]
        ),
    ]
    for key, size in SIZES.items():
        if size in costs:
            note = f"WAL {number(wal[size].median)} bytes, elapsed {number(wall[size].median)} µs per row"
            found.append(Finding(TARGETS[key], cpu[size], notes=[note]))
    return found


def _series(side: Sequence[Cost], name: str) -> Series:
    unit = "bytes per row" if name == "wal" else "µs per row"
    return Series(tuple(getattr(cost, name) for cost in side), unit)
