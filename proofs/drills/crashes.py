"""Properties 5 to 9 and 39: kill -9 at crash points, in storms and in loops; restarts; a killer row."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from leads.lifecycle import LOST_LEASES_ALARM
from leads.outbox.lease import sweep
from leads.overview import read_overview
from proofs.drills.drill import drill
from proofs.drills.environment import DrillEnvironment
from proofs.drills.faults import CrashPoint
from proofs.harness import outbox
from proofs.harness.case import require
from proofs.harness.process import Worker

ROWS = 20
UNKNOWN = "SELECT count(*) AS n FROM crm_attempts WHERE code IN ('TIMEOUT', 'CONNECTION_LOST', 'WORKER_LOST')"


@dataclass(frozen=True, slots=True)
class Death:
    """Where and when a worker died, and which rows it had."""

    place: str
    at: float  # seconds since the epoch
    rows: list[str]


@drill("5", "Every crash point with kill -9: exactly once, taken over within lease + tick + one call")
def crash_everywhere(env: DrillEnvironment) -> None:
    """One worker after the other dies at its crash point; then a healthy one must deliver every row."""
    env.store(1)
    env.ready_worker()  # mints the token, which must not add to the times below
    env.wait_delivered(30)
    env.workers[-1].kill()
    deaths = [_die_at(env, point) for point in CrashPoint]
    deaths += [_die_after_commit(env), _die_during_mark(env)]
    env.ready_worker()
    if env.short:  # rows that several workers lost in a row wait for 30 s
        env.wait(lambda: env.count("zoho_status = 'sending'") == 0, 30, "the last leases to run out")
        env.make_due()
    env.wait_delivered(3 * env.settings.crm_lease_seconds + 60)
    _in_time(env, deaths, env.settings.crm_lease_seconds + env.settings.crm_tick_seconds)
    env.note(f"{len(deaths)} workers killed, {ROWS} rows each: {', '.join(death.place for death in deaths)}")


def _die_at(env: DrillEnvironment, point: CrashPoint) -> Death:
    slow = point is CrashPoint.REQUEST_SENT
    if slow:
        env.sandbox.faults(latency={"ms": 1000})
    rows = env.store(ROWS)
    worker = env.worker(faulty=True, DRILL_CRASH_AT=str(point))
    env.wait(lambda: not worker.alive(), 60, f"the worker to die {point}")
    require(worker.exit_code == -9, f"{point}: the worker ended with {worker.exit_code}")
    at = time.time()
    if slow:
        env.wait(lambda: env.sandbox.summary()["in_flight"] == 0, 5, "the orphaned call to end")
        env.sandbox.faults(latency=False)
    return Death(str(point), at, rows)


def _die_after_commit(env: DrillEnvironment) -> Death:
    """The CRM has stored the rows but has not replied yet."""
    env.sandbox.faults(hang={"commit": True, "count": 1, "path": "upsert"})
    return _kill_when(env, "committed-no-reply", lambda rows: len(env.records_of(rows)) == len(rows))


def _die_during_mark(env: DrillEnvironment) -> Death:
    """The mark waits for a row that the drill has locked."""
    env.sandbox.faults(latency={"ms": 700})
    waits = (
        "SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%WITH mark AS%'"
    )
    rows = env.store(ROWS)
    with env.connect() as holder:
        worker = env.worker()
        env.wait_all("zoho_status = 'sending'", rows, 60, "a claim")
        holder.execute("BEGIN")
        holder.execute(outbox.LOCK.encode(), [rows])
        env.wait(lambda: env.rows(waits)[0]["n"] > 0, 10, "the mark to wait for a locked row")
        worker.kill()
        at = time.time()
        env.change("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name ~ '^worker '")
        holder.execute("ROLLBACK")
    env.sandbox.faults(latency=False)
    return Death("during-mark", at, rows)


def _kill_when(env: DrillEnvironment, place: str, ready: Callable[[list[str]], bool]) -> Death:
    rows = env.store(ROWS)
    worker: Worker = env.worker()
    env.wait(lambda: ready(rows), 60, f"the moment to kill: {place}", every=0.02)
    worker.kill()
    return Death(place, time.time(), rows)


def _in_time(env: DrillEnvironment, deaths: list[Death], limit: float) -> None:
    """From each death to the next claim of its rows."""
    slowest = 0.0
    for death in deaths:
        taken = env.rows(
            "SELECT max(first) AS at FROM (SELECT min(at) AS first FROM crm_attempts WHERE event = 'claimed'"
            " AND row_id = ANY(%s::uuid[]) AND at > to_timestamp(%s) GROUP BY row_id) AS firsts",
            death.rows,
            death.at,
        )[0]["at"]
        if not isinstance(taken, datetime):
            continue  # everything was delivered and marked before the death
        seconds = taken.timestamp() - death.at
        env.figure(death.place, seconds, "s")
        slowest = max(slowest, seconds)
    call = env.settings.crm_call_seconds
    env.within(slowest, limit + call, "rows of a dead worker taken over")


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


@drill("8", "A worker frozen in mid-call, its rows taken over, then thawed: fenced, and a success is kept")
def frozen_worker(env: DrillEnvironment) -> None:
    """Frozen past its lease while another worker delivers: its late mark is fenced."""
    frozen, rows = _freeze_in_call(env)
    other = env.ready_worker()
    env.sandbox.faults(latency=False)
    seconds = 6 if env.short else 120
    env.pause(seconds)
    if env.short:
        env.make_due("zoho_status = 'retrying'")
    env.wait_delivered(60)
    frozen.thaw()
    fenced = "SELECT count(*) AS n FROM crm_attempts WHERE event = 'fenced'"
    env.wait(lambda: env.rows(fenced)[0]["n"] >= len(rows), 30, "the late mark to be fenced")
    env.note(f"{len(rows)} rows, frozen for {seconds} s in mid-call while another worker delivered them")
    other.kill()
    frozen.kill()
    _late_success(env)


def _freeze_in_call(env: DrillEnvironment) -> tuple[Worker, list[str]]:
    env.sandbox.faults(latency={"ms": 1000})
    worker = env.ready_worker()
    rows = env.store(20)
    env.wait(lambda: env.sandbox.summary()["in_flight"] > 0, 30, "a call in flight", every=0.01)
    worker.freeze()
    env.wait(lambda: env.sandbox.summary()["in_flight"] == 0, 10, "the CRM's answer")
    return worker, rows


def _late_success(env: DrillEnvironment) -> None:
    """Thawed with the reply received, after its lease was taken back: the row waits, and the success counts."""
    frozen, rows = _freeze_in_call(env)
    env.arrange("next_retry_at = now()", "zoho_status = 'sending'")
    sweep(env.engine)
    waiting = env.count("zoho_status = 'retrying'")
    require(waiting == len(rows), f"{waiting} of {len(rows)} rows were taken back")
    frozen.thaw()
    env.wait_delivered(20)
    fenced = env.rows(
        "SELECT count(*) AS n FROM crm_attempts WHERE event = 'delivered' AND row_id = ANY(%s::uuid[])", rows
    )
    require(fenced[0]["n"] == len(rows), "the late success was not kept")
    updates = env.sandbox.summary()["updates"]
    env.note(
        f"frozen again, its lease taken back: its late success was kept ({updates} rows were sent twice in all)"
    )


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
