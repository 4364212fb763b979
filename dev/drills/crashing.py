"""Properties 6 to 9: storms of kill -9, rolling restarts, a worker frozen in mid-call, a row that kills."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from dev.drills.drill import drill, require
from leads.outbox.lease import sweep

if TYPE_CHECKING:
    from dev.drills.environment import Stage
    from dev.drills.processes import Worker

UNKNOWN = "SELECT count(*) AS n FROM crm_attempts WHERE code IN ('TIMEOUT', 'CONNECTION_LOST', 'WORKER_LOST')"


@drill("6", "Kill storm: a kill -9 a second, exactly once, nobody touches anything")
def kill_storm(stage: Stage) -> None:
    """Half of the leads wait at the start, the others arrive during the storm; the dead are started again."""
    leads, count, storm = (400, 2, 10.0) if stage.short else (10_000, 4, 150.0)
    stage.orphans = count * stage.settings.crm_concurrency
    stage.sandbox.faults(latency={"ms": 200, "jitter_ms": 300})
    stage.store(leads // 2)
    fleet = [stage.worker() for _ in range(count)]
    began, kills, arrived = time.monotonic(), 0, leads // 2
    while time.monotonic() - began < storm:
        stage.pause(1.0)
        number = stage.random.randrange(count)
        fleet[number].kill()
        fleet[number] = stage.worker()
        kills += 1
        more = min(leads - arrived, int(leads / storm) + 1)
        arrived += len(stage.store(more)) if more else 0
    stage.figure("in the CRM when the storm ends", stage.in_crm())
    stage.store(leads - arrived)
    settle = _settle(stage)
    stage.say(f"{leads:,} leads, {count} workers, {kills} kills in {storm:.0f} s")
    stage.figure("seconds from storm's end to all delivered", settle)
    dead = stage.count("zoho_status = 'dead'")
    require(not dead, f"{dead} leads ended dead: a person would have to redrive them")


def _settle(stage: Stage) -> float:
    """Wait until every row is sent or dead; gives the seconds it took."""
    if stage.short:
        stage.pause(stage.settings.crm_lease_seconds + 1)
        stage.hurry("zoho_status = 'retrying'")
    return stage.wait(
        lambda: stage.count("zoho_status IN ('pending', 'sending', 'retrying')") == 0,
        400,
        "all rows to be settled",
        every=0.2,
    )


@drill("7", "SIGTERM: rolling restarts under load, no unknown outcomes, exit within the call limit", short=False)
def rolling_restarts(stage: Stage) -> None:
    """One of two workers after the other is replaced, while leads keep arriving and calls take 300 ms."""
    stage.sandbox.faults(latency={"ms": 300})
    restarts = 4 if stage.short else 20
    fleet, slowest = stage.fleet(2), 0.0
    for number in range(restarts):
        stage.store(150)
        stage.pause(stage.random.uniform(0.1, 0.6))
        slowest = max(slowest, fleet[number % 2].stop_within(stage.call_limit))
        fleet[number % 2] = stage.ready_worker()
    stage.wait_delivered(60)
    unknown = stage.rows(UNKNOWN)[0]["n"]
    require(unknown == 0, f"{unknown} rows had an unknown outcome")
    updates = stage.sandbox.summary()["updates"]
    require(updates == 0, f"{updates} rows were sent twice")
    stage.say(f"{restarts} restarts, {len(stage.accepted):,} leads")
    stage.figure("slowest exit", slowest, "s")


@drill("8", "A worker frozen in mid-call, its rows taken over, then thawed: fenced, and a success is kept")
def frozen_worker(stage: Stage) -> None:
    """Frozen past its lease while another delivers: its mark is fenced."""
    frozen, rows = _freeze_in_call(stage)
    other = stage.ready_worker()
    stage.sandbox.faults(latency=False)
    seconds = 6 if stage.short else 120
    stage.pause(seconds)
    if stage.short:
        stage.hurry("zoho_status = 'retrying'")
    stage.wait_delivered(60)
    frozen.thaw()
    fenced = "SELECT count(*) AS n FROM crm_attempts WHERE event = 'fenced'"
    stage.wait(lambda: stage.rows(fenced)[0]["n"] >= len(rows), 30, "the late mark to be fenced")
    stage.say(f"{len(rows)} rows, frozen for {seconds} s in mid-call while another worker delivered them")
    other.kill()
    frozen.kill()
    _late_success(stage)


def _freeze_in_call(stage: Stage) -> tuple[Worker, list[str]]:
    stage.sandbox.faults(latency={"ms": 1000})
    worker = stage.ready_worker()
    rows = stage.store(20)
    stage.wait(lambda: stage.sandbox.summary()["in_flight"] > 0, 30, "a call in flight", every=0.01)
    worker.freeze()
    stage.wait(lambda: stage.sandbox.summary()["in_flight"] == 0, 10, "the CRM's answer")
    return worker, rows


def _late_success(stage: Stage) -> None:
    """Thawed with the answer in hand, after its lease was taken away: the row waits, and the success counts."""
    frozen, rows = _freeze_in_call(stage)
    stage.change("UPDATE leads SET next_retry_at = now() WHERE zoho_status = 'sending'")
    sweep(stage.engine)
    waiting = stage.count("zoho_status = 'retrying'")
    require(waiting == len(rows), f"{waiting} of {len(rows)} rows were taken back")
    frozen.thaw()
    stage.wait_delivered(20)
    fenced = stage.rows(
        "SELECT count(*) AS n FROM crm_attempts WHERE event = 'delivered' AND row_id = ANY(%s::uuid[])", rows
    )
    require(fenced[0]["n"] == len(rows), "the late success was not kept")
    updates = stage.sandbox.summary()["updates"]
    stage.say(
        f"frozen again, its lease taken back: its late success was kept ({updates} rows were sent twice in all)"
    )


@drill("9", "A row that kills its worker: dead after three, the others delivered", short=False)
def killer_row(stage: Stage) -> None:
    """A keeper starts a worker whenever one dies, as a container platform does."""
    others = 199 if stage.short else 999
    killers = stage.store(stage.people(1, "Killer"))
    stage.store(others)
    stage.excused[killers[0]] = "it kills its worker"
    deaths, limit = 0, time.monotonic() + 400
    worker = stage.worker(tampered=True, DRILL_KILLER="Killer")
    while stage.count("zoho_status IN ('pending', 'sending', 'retrying')"):
        require(time.monotonic() < limit, "the rows did not settle")
        stage.pause(0.2)
        if not worker.alive():
            deaths += 1
            worker = stage.worker(tampered=True, DRILL_KILLER="Killer")
        if stage.short:
            stage.hurry("zoho_status = 'retrying'")
    (dead,) = stage.rows("SELECT id::text, last_error FROM leads WHERE zoho_status = 'dead'")
    require(dead["id"] == killers[0], "another row than the killer is dead")
    require(deaths == 3, f"the row killed {deaths} workers, not 3")
    stage.say(f"one killer among {others + 1} leads: {deaths} workers died, {others} leads delivered")
