"""Property 5: a worker dies by kill -9 at every named place, and its rows are taken over in time."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from dev.drills.drill import drill, require
from worker.crash import CrashPoint

if TYPE_CHECKING:
    from collections.abc import Callable

    from dev.drills.environment import Stage
    from dev.drills.processes import Worker

ROWS = 20


@dataclass(frozen=True, slots=True)
class Death:
    """Where a worker died, when, and which rows it had been given."""

    place: str
    at: float  # seconds since the epoch
    rows: list[str]


@drill("5", "Every crash point with kill -9: exactly once, taken over within lease + tick + one call")
def crash_everywhere(stage: Stage) -> None:
    """One worker after the other dies at its place; then a healthy one starts and every row is waited for."""
    stage.store(1)
    stage.ready_worker()  # mints the token, so that the places below are what is measured
    stage.wait_delivered(30)
    stage.workers[-1].kill()
    deaths = [_die_at(stage, point) for point in CrashPoint if point is not CrashPoint.DURING_MINT]
    deaths += [_die_after_commit(stage), _die_during_mark(stage)]
    stage.ready_worker()
    if stage.short:  # rows that several workers took down in a row wait for 30 s
        stage.wait(lambda: stage.count("zoho_status = 'sending'") == 0, 30, "the last leases to run out")
        stage.hurry()
    stage.wait_delivered(3 * stage.settings.crm_lease_seconds + 60)
    _in_time(stage, deaths, stage.settings.crm_lease_seconds + stage.settings.crm_tick_seconds)
    stage.say(f"{len(deaths)} workers killed, {ROWS} rows each: {', '.join(death.place for death in deaths)}")


@drill("5b", "Kill -9 during a token refresh: exactly once, taken over within the spacing of mints", short=False)
def crash_during_mint(stage: Stage) -> None:
    """The dead minter's mint counts: nobody mints for 90 s after it, which keeps the limit of 10 in 10 minutes."""
    death = _die_at(stage, CrashPoint.DURING_MINT)
    stage.ready_worker()
    if stage.short:
        stage.change("UPDATE crm_token SET next_mint_at = now() + interval '5 s', minting_until = now()")
    stage.wait_delivered(200)
    _in_time(
        stage,
        [death],
        (stage.settings.crm_lease_seconds if stage.short else 99) + 2 * stage.settings.crm_tick_seconds,
    )
    stage.say(f"a worker killed while it alone might mint, {ROWS} rows" + (", spacing of 5 s" * stage.short))


def _die_at(stage: Stage, point: CrashPoint) -> Death:
    slow = point is CrashPoint.REQUEST_SENT
    if slow:
        stage.sandbox.faults(latency={"ms": 1000})
    rows = stage.store(ROWS)
    worker = stage.worker(CRASH_AT=str(point))
    stage.wait(lambda: not worker.alive(), 60, f"the worker to die {point}")
    require(worker.exit_code == -9, f"{point}: the worker ended with {worker.exit_code}")
    at = time.time()
    if slow:
        stage.wait(lambda: stage.sandbox.summary()["in_flight"] == 0, 5, "the orphaned call to end")
        stage.sandbox.faults(latency=False)
    return Death(str(point), at, rows)


def _die_after_commit(stage: Stage) -> Death:
    """The CRM has stored the rows and has not answered yet."""
    stage.sandbox.faults(hang={"commit": True, "count": 1, "path": "upsert"})
    return _kill_when(stage, "committed-no-reply", lambda rows: len(stage.records_of(rows)) == len(rows))


def _die_during_mark(stage: Stage) -> Death:
    """The mark waits for a row that the drill has locked."""
    stage.sandbox.faults(latency={"ms": 700})
    waits = "SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%verdict%'"
    claimed = "SELECT count(*) AS n FROM leads WHERE zoho_status = 'sending' AND id = ANY(%s::uuid[])"
    rows = stage.store(ROWS)
    with stage.connect() as holder:
        worker = stage.worker()
        stage.wait(lambda: stage.rows(claimed, rows)[0]["n"] == len(rows), 60, "a claim", every=0.01)
        holder.execute("BEGIN")
        holder.execute("SELECT 1 FROM leads WHERE id = ANY(%s::uuid[]) FOR UPDATE", [rows])
        stage.wait(lambda: stage.rows(waits)[0]["n"] > 0, 10, "the mark to wait for a locked row")
        worker.kill()
        at = time.time()
        stage.change("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'worker'")
        holder.execute("ROLLBACK")
    stage.sandbox.faults(latency=False)
    return Death("during-mark", at, rows)


def _kill_when(stage: Stage, place: str, ready: Callable[[list[str]], bool]) -> Death:
    rows = stage.store(ROWS)
    worker: Worker = stage.worker()
    stage.wait(lambda: ready(rows), 60, f"the moment to kill: {place}", every=0.02)
    worker.kill()
    return Death(place, time.time(), rows)


def _in_time(stage: Stage, deaths: list[Death], limit: float) -> None:
    """From each death to the CRM call that carried its rows next, or to the mark where the CRM had them already."""
    slowest = 0.0
    for death in deaths:
        taken = stage.rows(
            "SELECT max(first) AS at FROM (SELECT min(at) AS first FROM crm_attempts WHERE event = 'claimed'"
            " AND row_id = ANY(%s::uuid[]) AND at > to_timestamp(%s) GROUP BY row_id) AS firsts",
            death.rows,
            death.at,
        )[0]["at"]
        if not isinstance(taken, datetime):
            continue  # everything was delivered and marked before the death
        seconds = taken.timestamp() - death.at
        stage.figure(death.place, seconds, "s")
        slowest = max(slowest, seconds)
    call = stage.settings.crm_call_seconds
    stage.within(slowest, limit + call, "rows of a dead worker taken over")
