"""Property 11: Redis restarted."""

from __future__ import annotations

import time
from collections.abc import Callable

from proofs.drills.drill import drill
from proofs.drills.environment import DrillEnvironment
from proofs.harness.case import require
from proofs.harness.process import Worker


@drill("11", "Redis restarted four ways: consumed again within 60 s, delivered without it meanwhile")
def restarted(env: DrillEnvironment) -> None:
    """Stopped, killed, frozen, and down for longer; leads keep arriving and must reach the CRM all the time."""
    worker = env.ready_worker()
    down = 2.0 if env.short else 20.0
    ways = (("stopped", _stop), ("killed", _kill), ("frozen", _freeze), ("long down", _kill))
    for name, fail in ways[1:3] if env.short else ways:
        restore = fail(env)
        ids = env.store(20)
        delivered = env.wait_in_crm(ids, 30, f"20 leads while Redis is {name}")
        env.pause(max(0.0, (down * 3 if name == "long down" else down) - delivered))
        restore()
        took = _next_task(env, worker, f"a task after Redis was {name}")
        env.figure(f"{name}: delivered without it", delivered, "s")
        env.figure(f"{name}: consumed again", took, "s")
    env.wait_delivered(60)
    env.note(
        "Redis killed and frozen"
        + (", stopped, and down for a minute" * (not env.short))
        + ", leads meanwhile and after"
    )


def _next_task(env: DrillEnvironment, worker: Worker, what: str) -> float:
    """Store leads until a task has run; returns the seconds. The first ones may be delivered without a task."""
    tasks, stored = _task_count(worker), env.store(20)
    began = time.monotonic()
    while _task_count(worker) == tasks:
        stored += env.store(1)
        env.pause(0.2)
        require(time.monotonic() - began <= 60, f"waited 60 s for {what}")
    took = time.monotonic() - began
    env.wait_in_crm(stored, 60, "the leads after it")
    return took


def _task_count(worker: Worker) -> int:
    return worker.text.count("succeeded in")


def _stop(env: DrillEnvironment) -> Callable[[], None]:
    env.servers.valkey.stop()
    return env.servers.valkey.start


def _kill(env: DrillEnvironment) -> Callable[[], None]:
    env.servers.valkey.kill()
    return env.servers.valkey.start


def _freeze(env: DrillEnvironment) -> Callable[[], None]:
    require(env.servers.valkey.alive(), "Valkey does not run")
    env.servers.valkey.freeze()
    return env.servers.valkey.thaw
