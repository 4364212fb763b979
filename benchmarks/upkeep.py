"""P15: how long a reply takes beside the database's upkeep: a backup, an index built by a migration."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.bench import Bench
from benchmarks.finished import check_disk, fill
from benchmarks.latency import p99s
from benchmarks.load import Answered
from benchmarks.series import Series, number
from benchmarks.targets import TARGETS, Finding
from dev.servers.postgres import program

FINISHED_ROWS = 1_000_000  # one every four seconds: six weeks of them
RATE = 100.0  # enquiries a second
INDEX = "CREATE INDEX CONCURRENTLY beside ON leads (session_id, created_at)"
# As migrations/env.py sets it.
ONE_CORE = {"PGOPTIONS": "-c max_parallel_maintenance_workers=0"}
# What is over before the round is done once more.
AGAIN = "while :; do {}; done"


def measure_upkeep(bench: Bench) -> list[Finding]:
    """100 enquiries a second into a million finished rows: alone, and beside each work by turns."""
    rows = min(FINISHED_ROWS, bench.finished_rows)
    check_disk(bench, 2 * rows)  # and a dump
    database = bench.database()
    fill(database, rows, bench.say)
    environment = bench.product(database)
    site = bench.site(environment)
    works = {
        "P15": _dump(bench, database),
        "P15b": AGAIN.format(f"{_psql(database, INDEX)}; {_psql(database, 'DROP INDEX CONCURRENTLY beside')}"),
    }
    variables = environment | ONE_CORE

    @contextmanager
    def beside(work: str) -> Iterator[None]:
        job = bench.job(["sh", "-c", work], variables) if work else None
        try:
            yield
        finally:
            if job is not None:
                job.stop()

    answers: dict[str, list[Answered]] = {key: [] for key in ("alone", *works)}
    for turn in range(bench.rounds):
        order = [("alone", ""), *works.items()]
        for key, work in order if turn % 2 == 0 else reversed(order):
            bench.checkpoint()
            with beside(work):
                answers[key].append(bench.post(site, rate=RATE))
        shown = [f"{key} {number(found[-1].p99)} ms" for key, found in answers.items()]
        bench.say(f"round {turn + 1} of {bench.rounds}: p99 {', '.join(shown)}")
    note = f"{RATE:g} enquiries a second at random moments into {rows:,} finished rows"
    alone = answers.pop("alone")
    return [
        Finding(TARGETS[key], p99s(found), "nothing beside it", p99s(alone), [note, _half(found, alone)])
        for key, found in answers.items()
    ]


def _half(found: list[Answered], alone: list[Answered]) -> str:
    beside, without = (Series(tuple(each.p50 for each in side)).median for side in (found, alone))
    return f"p50 ms {number(beside)} to {number(without)}"


def _dump(bench: Bench, database: str) -> str:
    """As deploy/backup/backup.sh does."""
    words = [program("pg_dump"), "--format=custom", f"--file={bench.folder / 'beside.dump'}", database]
    return AGAIN.format(shlex.join(words))


def _psql(database: str, statement: str) -> str:
    return shlex.join([program("psql"), "--quiet", "--command", statement, database])
