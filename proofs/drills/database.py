"""Properties 13 and 17: PostgreSQL restarted; workers with wrong clocks."""

from __future__ import annotations

import os
import signal
import time

from dev.servers.waiting import wait_until
from proofs.drills.drill import drill
from proofs.drills.environment import DrillEnvironment
from proofs.drills.load import Load, recovery
from proofs.harness.case import require
from proofs.harness.servers import Servers

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
    env.fleet(2)
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


@drill("17", "Worker clocks an hour off either way: nothing early, nothing lost", short=False)
def wrong_clocks(env: DrillEnvironment) -> None:
    """One worker an hour fast, one an hour slow; some rows fail first, so that there are waits to respect."""
    env.sandbox.faults(record_locked={"probability": 0.2}, latency={"ms": 100})
    for offset in ("3600", "-3600"):
        env.ready_worker(faulty=True, DRILL_CLOCK_OFFSET=offset)
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
