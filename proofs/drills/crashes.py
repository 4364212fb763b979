"""Properties 6, 7, 9 and 39: kill -9 in storms and in loops; restarts; a killer row."""

from __future__ import annotations

import time

from leads.lifecycle import LOST_LEASES_ALARM
from leads.overview import read_overview
from proofs.drills.drill import drill
from proofs.drills.environment import DrillEnvironment
from proofs.drills.faults import CrashPoint
from proofs.harness import outbox
from proofs.harness.case import require
from proofs.harness.process import Worker

UNKNOWN = "SELECT count(*) AS n FROM crm_attempts WHERE code IN ('TIMEOUT', 'CONNECTION_LOST', 'WORKER_LOST')"


@drill("6", "Kill storm: a kill -9 a second, exactly once, without intervention")
def kill_storm(env: DrillEnvironment) -> None:
    """Half of the leads wait at the start, the others arrive during the storm; dead workers are replaced."""
    leads, count, storm = (400, 2, 10.0) if env.short else (10_000, 4, 150.0)
    env.orphans = count * env.settings.crm_concurrency
    env.sandbox.faults(latency={"ms": 200, "jitter_ms": 300})
    env.store(leads // 2)
    fleet = [env.worker() for _ in range(count)]
    began, kills, arrived = time.monotonic(), 0, leads // 2
    while time.monotonic() - began < storm:
        env.pause(1.0)
        number = env.random.randrange(count)
        fleet[number].kill()
        fleet[number] = env.worker()
        kills += 1
        more = min(leads - arrived, int(leads / storm) + 1)
        arrived += len(env.store(more)) if more else 0
    env.figure("in the CRM when the storm ends", env.in_crm())
    env.store(leads - arrived)
    settle = _settle(env)
    env.note(f"{leads:,} leads, {count} workers, {kills} kills in {storm:.0f} s")
    env.figure("seconds from storm's end to all delivered", settle)
    dead = env.count("zoho_status = 'dead'")
    require(not dead, f"{dead} leads ended dead: an operator would have to redrive them")


def _settle(env: DrillEnvironment, *, skip_waits: bool = False) -> float:
    """Wait until every row is sent or dead; returns the seconds it took.

    `skip_waits`, and the short set: without the back-off. A row that several workers died on waits for hours.
    """
    skip_waits = skip_waits or env.short

    def is_settled() -> bool:
        if skip_waits:
            env.make_due("zoho_status = 'retrying'")
        return env.count(outbox.OWED) == 0

    if skip_waits:
        env.pause(env.settings.crm_lease_seconds + 1)
    return env.wait(is_settled, 400, "all rows to be settled", every=0.5)


@drill("7", "SIGTERM: rolling restarts under load, no unknown outcomes, exit within the call limit", short=False)
def rolling_restarts(env: DrillEnvironment) -> None:
    """Two workers are replaced in turn, while leads keep arriving and calls take 300 ms."""
    env.sandbox.faults(latency={"ms": 300})
    restarts = 4 if env.short else 20
    fleet, slowest = env.fleet(2), 0.0
    for number in range(restarts):
        env.store(150)
        env.pause(env.random.uniform(0.1, 0.6))
        slowest = max(slowest, fleet[number % 2].stop_within(env.call_limit))
        fleet[number % 2] = env.ready_worker()
    env.wait_delivered(60)
    unknown = env.rows(UNKNOWN)[0]["n"]
    require(unknown == 0, f"{unknown} rows had an unknown outcome")
    updates = env.sandbox.summary()["updates"]
    require(updates == 0, f"{updates} rows were sent twice")
    env.note(f"{restarts} restarts, {len(env.accepted):,} leads")
    env.figure("slowest exit", slowest, "s")


@drill(
    "9", "A row that kills its worker: alone, rarely and with an alarm, while all others are delivered", short=False
)
def killer_row(env: DrillEnvironment) -> None:
    """A worker that dies is replaced, as a platform does, and new leads arrive. Hours between tries are skipped."""
    others = 199 if env.short else 999
    killers = env.store(env.people(1, "Killer"))
    env.store(others)
    deaths, wanted = 0, LOST_LEASES_ALARM + 1
    limit = time.monotonic() + wanted * (env.settings.crm_lease_seconds + 20)
    worker = env.worker(faulty=True, DRILL_KILLER="Killer")
    while deaths < wanted:
        require(time.monotonic() < limit, f"only {deaths} workers died of the row")
        env.pause(0.2)
        if not worker.alive():
            deaths += 1
            worker = env.worker(faulty=True, DRILL_KILLER="Killer")
            others += len(env.store(1))
        env.make_due("zoho_status = 'retrying'")
    env.wait(lambda: env.count(outbox.OWED) == 1, 60, "all others to be delivered", every=0.2)
    (left,) = env.look("id::text, lost_leases, zoho_status", outbox.OWED)
    require(left["id"] == killers[0], "a row other than the killer is left")
    require(read_overview(env.engine).losing == 1, "no alarm rings for the row that kills its workers")
    env.note(
        f"one killer among {others + 1} leads: {deaths} workers died, {others} leads delivered; the row is kept"
    )
    # Mended, the next version delivers it like any other.
    worker.kill()
    env.worker()
    env.figure("delivered by a worker that it does not kill", _settle(env, skip_waits=True), "s")


@drill(
    "39",
    "A crash loop, in which every worker dies after a claim or in a call: no innocent lead ends dead",
    short=False,
)
def crash_loop(env: DrillEnvironment) -> None:
    """Each worker is replaced as soon as it is dead; the hours between the tries of a row are skipped."""
    env.store(150)
    for point, deaths in ((CrashPoint.AFTER_CLAIM, 2), (CrashPoint.REQUEST_SENT, 4)):
        _loop(env, point, deaths if env.short else 8)
    _after_the_loop(env)


def _loop(env: DrillEnvironment, point: CrashPoint, deaths: int) -> None:
    env.orphans = env.settings.crm_concurrency
    env.sandbox.faults(latency={"ms": 600})
    for _ in range(deaths):
        worker = env.worker(faulty=True, DRILL_CRASH_AT=str(point))
        env.wait(lambda worker=worker: _has_died(env, worker), 90, f"a worker to die {point}", every=0.2)  # type: ignore[misc]
    env.note(f"{len(env.accepted)} leads, {deaths} workers died {point}")
    dead = env.count("zoho_status = 'dead'")
    require(not dead, f"{dead} innocent leads ended dead after {deaths} deaths {point}")


def _after_the_loop(env: DrillEnvironment) -> None:
    (lost,) = env.look("max(lost_leases) AS n")
    env.figure("most workers lost by a lead", lost["n"])
    env.sandbox.faults(latency=False)
    env.worker()
    env.figure("all delivered after the loop", _settle(env, skip_waits=True), "s")
    dead = env.count("zoho_status = 'dead'")
    require(not dead, f"{dead} innocent leads ended dead")


def _has_died(env: DrillEnvironment, worker: Worker) -> bool:
    env.make_due("zoho_status = 'retrying'")
    return not worker.alive() or env.count("zoho_status = 'dead'") > 0
