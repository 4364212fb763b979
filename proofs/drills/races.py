"""Property 15: claimers and tickers racing for the same rows."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

from leads.db import connect_engine
from leads.lifecycle import LOST_LEASES_ALONE, Delivered, Retryable
from leads.outbox.lease import Mark, begin, claim, mark, sweep
from leads.outbox.rows import Lane
from proofs.drills.drill import drill
from proofs.drills.environment import DrillEnvironment
from proofs.harness import outbox
from proofs.harness.case import require

FAILED_ONCE = 0.2  # share of rows whose first try fails, so that there are second attempts to race for


@drill("15", "20 claimers and tickers race for 100,000 rows: each claimed once per attempt")
def race(env: DrillEnvironment) -> None:
    """Sixteen claimers and four sweepers, each with its own connection; some claims die, some rows fail once.

    Among so many rows some lose claimer after claimer. None of them is to blame, so none may be dead.
    """
    rows = 5_000 if env.short else 100_000
    for _ in range(rows // 5_000):
        env.store(5_000)
    env.without_crm = True
    over = threading.Event()
    began = time.monotonic()
    with ThreadPoolExecutor(20) as pool:
        sweepers = [pool.submit(_sweep, env, over) for _ in range(4)]
        claimers = [pool.submit(_claim, env, over) for _ in range(16)]
        try:
            _until_all_are_settled(env)
        finally:
            over.set()
        claims = sum(claimer.result() for claimer in claimers)
        swept = sum(sweeper.result() for sweeper in sweepers)
    seconds = time.monotonic() - began
    _claimed_once(env)
    sent, dead = env.count("zoho_status = 'sent'"), env.count("zoho_status = 'dead'")
    require(sent == rows, f"{sent} rows are sent and {dead} dead, of {rows}")
    env.note(f"{rows:,} rows, 16 claimers, 4 tickers: {claims:,} claims, {swept:,} lost leases taken back")
    env.figure("claimed and marked", claims / seconds, "rows/s")
    env.figure("rows that lost two claimers or more", env.count(f"lost_leases >= {LOST_LEASES_ALONE}"))


def _until_all_are_settled(env: DrillEnvironment) -> None:
    """Count the rows and make retries due, both seldom: a hundred thousand rows are slow to scan."""
    while env.count(outbox.OWED) > 0:
        require(time.monotonic() < env.deadline, "there were still rows to send at the end of the drill's time")
        env.pause(0.5)
        env.make_due(outbox.RETRIES_UNLOCKED)


def _claim(env: DrillEnvironment, over: threading.Event) -> int:
    """Claim, then deliver most rows and fail some once; every 17th dies in its call, with a lease of 0.1 s."""
    engine = connect_engine(env.settings.database_url, pool=2, name="claimer")
    claims, rounds, lane = 0, 0, Lane.FRESH
    while not over.is_set():
        rounds += 1
        dies, call_id = rounds % 17 == 3, uuid4().hex
        taken = claim(engine, lane, rows=100, lease_seconds=0.1 if dies else 3, call_id=call_id)
        claims += len(taken)
        begun = begin(engine, taken) if taken else []
        if begun and not dies:
            mark(engine, [_judge(row) for row in begun])
        if len(taken) < 100:
            lane = Lane.RETRY if lane is Lane.FRESH else Lane.FRESH
            over.wait(0.05)
    engine.dispose()
    return claims


def _judge(row: Any) -> Mark:
    fails = row.sync.retry_count == 0 and row.id.int % 100 < 100 * FAILED_ONCE
    return Mark(row, Retryable("RECORD_LOCKED") if fails else Delivered("1"))


def _sweep(env: DrillEnvironment, over: threading.Event) -> int:
    engine = connect_engine(env.settings.database_url, pool=1, name="sweeper")
    swept = 0
    while not over.wait(0.05):
        swept += sweep(engine)
    engine.dispose()
    return swept


def _claimed_once(env: DrillEnvironment) -> None:
    """Between two claims of a row there must be a mark or a lost lease."""
    (doubled,) = env.rows(
        "SELECT count(*) AS n FROM (SELECT event, lag(event) OVER (PARTITION BY row_id ORDER BY id) AS before"
        " FROM crm_attempts WHERE event <> 'fenced') AS story WHERE event = 'claimed' AND before = 'claimed'"
    )
    require(doubled["n"] == 0, f"{doubled['n']} rows were claimed twice for one attempt")
