"""Properties 13, 14 and 17: PostgreSQL restarted and its sessions ended in mid-run; workers with wrong clocks."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

from dev.drills.drill import drill, require
from dev.drills.load import Load, recovery
from dev.servers.waiting import wait_until

if TYPE_CHECKING:
    from dev.drills.environment import Stage
    from dev.drills.servers import Servers

RECOVERY_SECONDS = 30.0  # back to 95 % of the rate (delivery property 13)


@drill(
    "13",
    "PostgreSQL restarted in mid-run (fast, immediate, kill -9): exactly once, 95 % of the rate in 30 s",
    short=False,
)
def restarts(stage: Stage) -> None:
    """Leads over HTTP all the while, two workers; three restarts (long: six), each followed by calm."""
    rate, calm = (15, 3) if stage.short else (25, 20)
    rounds = 1 if stage.short else 2
    site = stage.site()
    stage.fleet(2)
    back: dict[str, list[float]] = {name: [] for name in ENDINGS}
    with Load(stage, site, rate) as load:
        stage.pause(5)
        for name, end in [*ENDINGS.items()] * rounds:
            end(stage.servers)
            stage.pause(0.5)
            stage.servers.postgres.start()
            back[name].append(time.time())
            stage.pause(calm)
        before = len(load.answers)
        stage.wait(lambda: len(load.answers) > before + 10, 30, "posts after the last restart")
    stage.wait_delivered(120)
    _exactly(stage, load)
    for name, moments in back.items():
        slowest = max(recovery(stage, moment, _typical(load, rate)) for moment in moments)
        stage.figure(f"{name}: back to 95 %", slowest, "s")
        stage.within(slowest, RECOVERY_SECONDS, f"{name}: the rate was back")
    stage.say(f"{3 * rounds} restarts under {rate} leads a second, {len(load.answers):,} posts")


def _typical(load: Load, rate: float) -> float:
    """The rate the stream really had: on a busy machine the wanted one is not reached."""
    spent = sum(answer.seconds for answer in load.answers if answer.accepted)
    accepted = sum(answer.accepted for answer in load.answers)
    return min(rate, 0.9 * accepted / spent) if spent else rate


def _exactly(stage: Stage, load: Load) -> None:
    odd = {answer.status for answer in load.answers} - {0, 201, 503}
    require(not odd, f"posts were answered with {odd}")
    refused = sum(not answer.accepted for answer in load.answers)
    stage.figure("posts refused honestly", refused)
    stage.figure("accepted", len(stage.accepted))


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
def terminated(stage: Stage) -> None:
    """Of the site's and the workers' sessions one dies each second, whatever it is doing."""
    seconds = 8 if stage.short else 90
    site = stage.site()
    stage.fleet(2)
    ended = 0
    with Load(stage, site, 20) as load:
        for _ in range(seconds):
            stage.pause(1)
            pids = stage.rows(
                "SELECT pid FROM pg_stat_activity WHERE application_name IN ('web', 'worker') ORDER BY pid"
            )
            if pids:
                ended += stage.change("SELECT pg_terminate_backend(%s)", stage.random.choice(pids)["pid"])
    stage.wait_delivered(120)
    _exactly(stage, load)
    stage.say(f"{ended} sessions ended in {seconds} s, {len(load.answers):,} posts")


@drill("17", "Worker clocks an hour off either way: nothing early, nothing lost", short=False)
def wrong_clocks(stage: Stage) -> None:
    """One worker an hour fast, one an hour slow; some rows fail first, so that waits are kept too."""
    stage.sandbox.faults(record_locked={"probability": 0.2})
    for offset in ("3600", "-3600"):
        stage.ready_worker(tampered=True, DRILL_CLOCK_OFFSET=offset)
    rows = 200 if stage.short else 2000
    for _ in range(10):
        stage.store(rows // 10)
        stage.pause(0.5)
    stage.pause(5 if stage.short else 30)
    stage.sandbox.only_faults()
    if stage.short:
        stage.hurry()
    stage.wait_delivered(400)
    stage.wait(lambda: all(worker.alive() for worker in stage.workers), 1, "both workers to be alive")
    shifted = [worker.text for worker in stage.workers]
    require(all("Traceback" not in text for text in shifted), "a worker with a wrong clock logged a traceback")
    stage.say(f"{rows:,} leads, one worker an hour fast and one an hour slow, 20 % of the rows failing at first")
