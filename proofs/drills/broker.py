"""Properties 10 to 12: Redis emptied, restarted, and full of needless doorbell messages."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection
from datetime import datetime

from celery import Celery
from redis import Redis

from leads.queue import QUEUES, TASK_NAME, publisher_options
from proofs.drills.drill import drill
from proofs.drills.environment import DrillEnvironment
from proofs.drills.load import percentile
from proofs.harness.case import require
from proofs.harness.process import Worker

PICK_UP_P95 = 10.0  # seconds (delivery property 10)


def pick_ups(
    env: DrillEnvironment, since: datetime | None = None, *, only: Collection[str] | None = None
) -> list[float]:
    """Seconds from a lead's acceptance to its first call in the CRM's ledger, shortest first.

    `since`: leads accepted before are left out; `only`: and all leads but these.
    """
    first: dict[str, datetime] = {}
    for call in env.sandbox.calls(kind="api"):
        for result in call["row_results"]:
            first.setdefault(result["event_id"], datetime.fromisoformat(call["at"]))
    stored = env.rows(
        "SELECT id::text, created_at FROM leads WHERE created_at >= coalesce(%s::timestamptz, '-infinity')", since
    )
    wanted = first.keys() if only is None else first.keys() & set(only)
    return sorted((first[row["id"]] - row["created_at"]).total_seconds() for row in stored if row["id"] in wanted)


@drill("10", "FLUSHALL every 2 s while leads flow: nothing lost, p95 pick-up at most 10 s", short=False)
def flushed(env: DrillEnvironment) -> None:
    """Twenty leads a second arrive over HTTP and ring the doorbell; every two seconds Redis is emptied."""
    seconds, rate = (10, 20) if env.short else (180, 20)
    site = env.site()
    env.fleet(2)
    flushes, began, next_flush = 0, time.monotonic(), 2.0
    with Redis.from_url(env.servers.valkey.url) as redis:
        for number in range(seconds * rate):
            env.post(site, env.people(1), threads=1)
            if time.monotonic() - began >= next_flush:
                redis.flushall()
                flushes, next_flush = flushes + 1, next_flush + 2.0
            env.pause(max(0.0, began + (number + 1) / rate - time.monotonic()))
    require(not env.possible, f"{len(env.possible)} posts were not accepted")
    env.wait_delivered(60)
    found = pick_ups(env)
    env.note(f"{len(env.accepted):,} leads in {seconds} s, {flushes} times FLUSHALL")
    env.figure("p95 pick-up", percentile(found, 0.95), "s")
    env.figure("slowest pick-up", found[-1], "s")
    require(percentile(found, 0.95) <= PICK_UP_P95, "p95 pick-up is above 10 s")


@drill("11", "Redis restarted four ways: consumed again within 60 s, the tick delivers meanwhile")
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
    """Store leads until a task has run; returns the seconds. A tick may deliver the first ones without a task."""
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


@drill("12", "Doorbell messages duplicated 100 times and reordered: no CRM call beyond what is due", short=False)
def too_many_bells(env: DrillEnvironment) -> None:
    """Every doorbell message exists a hundred times, lanes shuffled; no row is sent twice, and batches are full.

    The number of calls is not exact: threads that claim the last rows at the same moment share them.
    """
    batches, size = 25, 20
    env.store(size * batches)
    _ring_and_shuffle(env, size * batches)
    env.sandbox.faults(latency={"ms": 100})
    env.ready_worker(CRM_BATCH_ROWS=str(size))
    env.wait_delivered(60)
    env.wait(lambda: _queued(env) == 0, 60, "every bell to be consumed")
    sizes = [call["rows"] for call in env.sandbox.calls(kind="api")]
    env.note(f"{2 * size * batches} bells for {batches} batches, shuffled: {len(sizes)} calls")
    updates = env.sandbox.summary()["updates"]
    require(
        updates == 0 and sum(sizes) == size * batches, f"{sum(sizes)} rows were sent, {size * batches} were due"
    )
    part = sum(rows < size for rows in sizes)
    limit = env.settings.crm_concurrency
    require(part <= limit, f"{part} calls were not full, {limit} threads may share the last rows")


def _ring_and_shuffle(env: DrillEnvironment, bells: int) -> None:
    app = Celery("drill", broker=env.servers.valkey.url, set_as_current=False)
    app.conf.broker_transport_options = publisher_options()
    for lane, queue in QUEUES.items():
        for _ in range(bells):
            app.send_task(TASK_NAME, (lane,), queue=queue)
    app.close()
    with Redis.from_url(env.servers.valkey.url) as redis:
        for queue in QUEUES.values():
            key = f"crm.{queue}"
            messages = redis.lrange(key, 0, -1)
            require(len(messages) == bells, f"{len(messages)} bells are in {key}")
            require(json.loads(messages[0])["body"], "a bell has no body")
            redis.delete(key)
            env.random.shuffle(messages)
            redis.rpush(key, *messages)


def _queued(env: DrillEnvironment) -> int:
    with Redis.from_url(env.servers.valkey.url) as redis:
        return sum(int(redis.llen(f"crm.{queue}")) for queue in QUEUES.values())
