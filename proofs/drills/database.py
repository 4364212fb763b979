"""Properties 13, 14, 17 and 32: PostgreSQL restarted, its sessions ended, read-only; workers with wrong clocks."""

from __future__ import annotations

import os
import signal
import time
from datetime import datetime

import psycopg
from psycopg import sql

from dev.servers.waiting import wait_until
from proofs.drills.drill import drill
from proofs.drills.environment import DrillEnvironment
from proofs.drills.load import Load, recovery
from proofs.harness.case import require
from proofs.harness.servers import Servers
from proofs.harness.site import Answer

BACK_SECONDS = 5.0  # after the end of a read-only time (delivery properties 31 and 32)
RECOVERY_SECONDS = 30.0  # back to 95 % of the rate (delivery property 13)


@drill(
    "13",
    "PostgreSQL restarted in mid-run (fast, immediate, kill -9): exactly once, 95 % of the rate in 30 s",
    short=False,
)
def restarts(env: DrillEnvironment) -> None:
    """A steady load over HTTP and two workers; three restarts (long set: six), a calm period after each."""
    rate, calm = (15, 8) if env.short else (25, 20)
    rounds = 1 if env.short else 2
    site = env.site()
    env.sandbox.faults(latency={"ms": 200})
    env.fleet(2, CRM_BATCH_ROWS="5")
    back: dict[str, list[float]] = {name: [] for name in ENDINGS}
    with Load(env, site, rate) as load:
        env.pause(5)
        for name, end in [*ENDINGS.items()] * rounds:
            end(env.servers)
            env.pause(0.5)
            env.servers.postgres.start()
            back[name].append(time.time())
            env.pause(calm)
        before = len(load.answers)
        env.wait(lambda: len(load.answers) > before + 10, 30, "posts after the last restart")
    env.wait_delivered(120)
    _exactly(env, load)
    for name, moments in back.items():
        slowest = max(recovery(env, moment, _typical(load, rate)) for moment in moments)
        env.figure(f"{name}: back to 95 %", slowest, "s")
        env.within(slowest, RECOVERY_SECONDS, f"{name}: the rate was back")
    env.note(f"{3 * rounds} restarts under {rate} leads a second, {len(load.answers):,} posts")


def _typical(load: Load, rate: float) -> float:
    """The actual rate of the load: a busy machine does not reach the intended one."""
    spent = sum(answer.seconds for answer in load.answers if answer.accepted)
    accepted = sum(answer.accepted for answer in load.answers)
    return min(rate, 0.9 * accepted / spent) if spent else rate


def _exactly(env: DrillEnvironment, load: Load) -> None:
    odd = {answer.status for answer in load.answers} - {0, 201, 503}
    require(not odd, f"posts were answered with {odd}")
    refused = sum(not answer.accepted for answer in load.answers)
    env.figure("posts refused honestly", refused)
    env.figure("accepted", len(env.accepted))


def _fast(servers: Servers) -> None:
    servers.postgres.stop()


def _immediate(servers: Servers) -> None:
    pid = servers.postgres.pid
    if pid is not None:
        os.kill(pid, signal.SIGQUIT)
    wait_until(lambda: not servers.postgres.alive(), 10)


def _kill(servers: Servers) -> None:
    servers.postgres.kill()


ENDINGS = {"fast": _fast, "immediate": _immediate, "kill -9": _kill}


@drill("14", "One random backend terminated a second: exactly once for every accepted lead")
def terminated(env: DrillEnvironment) -> None:
    """Every second one session of the site or a worker is terminated, whatever it is doing."""
    seconds = 8 if env.short else 90
    site = env.site()
    env.sandbox.faults(latency={"ms": 200})
    env.fleet(2, CRM_BATCH_ROWS="5")
    ended = 0
    with Load(env, site, 20) as load:
        for _ in range(seconds):
            env.pause(1)
            pids = env.rows(
                "SELECT pid FROM pg_stat_activity WHERE application_name ~ '^(web|worker) ' ORDER BY pid"
            )
            if pids:
                ended += env.change("SELECT pg_terminate_backend(%s)", env.random.choice(pids)["pid"])
    env.wait_delivered(120)
    _exactly(env, load)
    env.note(f"{ended} sessions ended in {seconds} s, {len(load.answers):,} posts")


@drill("17", "Worker clocks an hour off either way: nothing early, nothing lost", short=False)
def wrong_clocks(env: DrillEnvironment) -> None:
    """One worker an hour fast, one an hour slow; some rows fail first, so that there are waits to respect."""
    env.sandbox.faults(record_locked={"probability": 0.2}, latency={"ms": 100})
    for offset in ("3600", "-3600"):
        env.ready_worker(faulty=True, DRILL_CLOCK_OFFSET=offset, CRM_BATCH_ROWS="10")
    rows = 200 if env.short else 2000
    for _ in range(10):
        env.store(rows // 10)
        env.pause(0.5)
    env.pause(5 if env.short else 30)
    env.sandbox.only_faults(latency={"ms": 100})
    if env.short:
        env.make_due()
    env.wait_delivered(400)
    env.wait(lambda: all(worker.alive() for worker in env.workers), 1, "both workers to be alive")
    shifted = [worker.text for worker in env.workers]
    require(all("Traceback" not in text for text in shifted), "a worker with a wrong clock logged a traceback")
    env.note(f"{rows:,} leads, one worker an hour fast and one an hour slow, 20 % of the rows failing at first")


@drill("32", "A server that becomes read-only in mid-run, and keeps its sessions so: back within 5 s of the end")
def read_only(env: DrillEnvironment) -> None:
    """As on a demoted primary, every session becomes read-only; later new sessions may write, old ones not."""
    site = env.site()
    env.sandbox.faults(latency={"ms": 100})
    env.fleet(2, CRM_BATCH_ROWS="5")
    superuser = psycopg.connect(env.servers.postgres.superuser_url, autocommit=True)
    with superuser, Load(env, site, 20) as load:
        try:
            env.pause(2)
            superuser.execute("ALTER SYSTEM SET default_transaction_read_only = on")
            superuser.execute("SELECT pg_reload_conf()")
            env.pause(3 if env.short else 20)
            refused = sum(not answer.accepted for answer in load.answers)
            require(refused, "no post was refused while the server was read-only")
            name = sql.Identifier(env.database_url.rsplit("/", 1)[1])
            writable = sql.SQL("ALTER DATABASE {} SET default_transaction_read_only = off").format(name)
            superuser.execute("SET default_transaction_read_only = off")
            superuser.execute(writable)
            at = time.time()
            _back(env, load, at)
        finally:
            superuser.execute("SET default_transaction_read_only = off")
            superuser.execute("ALTER SYSTEM RESET default_transaction_read_only")
            superuser.execute("SELECT pg_reload_conf()")
    _exactly(env, load)
    env.wait_delivered(60)
    env.note(f"{refused} of {len(load.answers)} posts refused while the server was read-only")


def _back(env: DrillEnvironment, load: Load, at: float) -> None:
    """Wait until the site accepts and a worker delivers again; each within 5 s of `at`, the end of the trouble."""
    before, calls = len(load.answers), len(env.sandbox.calls(kind="api"))
    env.wait(lambda: any(_accepted(load.answers[before:])), 60, "a post to be accepted")
    site = time.time() - at
    env.figure("site back after", site, "s")
    env.within(site, BACK_SECONDS, "the site accepted again")
    env.wait(lambda: len(env.sandbox.calls(kind="api")) > calls, 60, "a call of a worker")
    first = env.sandbox.calls(kind="api", offset=calls)[0]
    worker = datetime.fromisoformat(first["at"]).timestamp() - at
    env.figure("workers back after", worker, "s")
    env.within(worker, BACK_SECONDS, "a worker delivered again")
    env.pause(2)


def _accepted(answers: list[Answer]) -> list[bool]:
    return [answer.accepted for answer in answers]
