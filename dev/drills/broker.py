"""Properties 10 to 12: Redis emptied, restarted, and full of bells that nobody needs."""

from __future__ import annotations

import json
import time
from datetime import datetime
from typing import TYPE_CHECKING

from celery import Celery
from redis import Redis

from dev.drills.drill import drill, require
from leads.queue import QUEUES, TASK_NAME, publisher_options

if TYPE_CHECKING:
    from collections.abc import Callable

    from dev.drills.environment import Stage
    from dev.drills.processes import Worker

PICK_UP_P95 = 10.0  # seconds (delivery property 10)


def pick_ups(stage: Stage, since: datetime | None = None) -> list[float]:
    """Seconds from a lead's acceptance to its first call in the CRM's ledger, shortest first."""
    first: dict[str, datetime] = {}
    for call in stage.sandbox.calls(kind="api"):
        for result in call["row_results"]:
            first.setdefault(result["event_id"], datetime.fromisoformat(call["at"]))
    stored = stage.rows(
        "SELECT id::text, created_at FROM leads WHERE created_at >= coalesce(%s::timestamptz, '-infinity')", since
    )
    return sorted((first[row["id"]] - row["created_at"]).total_seconds() for row in stored if row["id"] in first)


def percentile(values: list[float], share: float) -> float:
    """The value below which this share lies."""
    return values[min(len(values) - 1, int(len(values) * share))]


@drill("10", "FLUSHALL every 2 s while leads flow: nothing lost, p95 pick-up at most 10 s", short=False)
def flushed(stage: Stage) -> None:
    """Leads arrive over HTTP, twenty a second, and ring; everything in Redis goes away every two seconds."""
    seconds, rate = (10, 20) if stage.short else (180, 20)
    site = stage.site()
    stage.fleet(2)
    flushes, began, next_flush = 0, time.monotonic(), 2.0
    with Redis.from_url(stage.servers.valkey.url) as redis:
        for number in range(seconds * rate):
            stage.post(site, stage.people(1), threads=1)
            if time.monotonic() - began >= next_flush:
                redis.flushall()
                flushes, next_flush = flushes + 1, next_flush + 2.0
            stage.pause(max(0.0, began + (number + 1) / rate - time.monotonic()))
    require(not stage.possible, f"{len(stage.possible)} posts were not accepted")
    stage.wait_delivered(60)
    found = pick_ups(stage)
    stage.say(f"{len(stage.accepted):,} leads in {seconds} s, {flushes} times FLUSHALL")
    stage.figure("p95 pick-up", percentile(found, 0.95), "s")
    stage.figure("slowest pick-up", found[-1], "s")
    require(percentile(found, 0.95) <= PICK_UP_P95, "p95 pick-up is above 10 s")


@drill("11", "Redis restarted four ways: consumed again within 60 s, the tick delivers meanwhile")
def restarted(stage: Stage) -> None:
    """Stopped, killed, frozen, and away for longer; leads keep coming and must reach the CRM all the while."""
    worker = stage.ready_worker()
    away = 2.0 if stage.short else 20.0
    ways = (("stopped", _stop), ("killed", _kill), ("frozen", _freeze), ("long away", _kill))
    for name, harm in ways[1:3] if stage.short else ways:
        cure = harm(stage)
        ids = stage.store(20)
        delivered = stage.wait_in_crm(ids, 30, f"20 leads while Redis is {name}")
        stage.pause(max(0.0, (away * 3 if name == "long away" else away) - delivered))
        cure()
        took = _heard_again(stage, worker, f"a task after Redis was {name}")
        stage.figure(f"{name}: delivered without it", delivered, "s")
        stage.figure(f"{name}: consumed again", took, "s")
    stage.wait_delivered(60)
    stage.say(
        "Redis killed and frozen"
        + (", stopped, and away for a minute" * (not stage.short))
        + ", leads meanwhile and after"
    )


def _heard_again(stage: Stage, worker: Worker, what: str) -> float:
    """Store leads until a task has run; gives the seconds. The first ones a tick may deliver without any task."""
    tasks, stored = _task_count(worker), stage.store(20)
    began = time.monotonic()
    while _task_count(worker) == tasks:
        stored += stage.store(1)
        stage.pause(0.2)
        require(time.monotonic() - began <= 60, f"waited 60 s for {what}")
    took = time.monotonic() - began
    stage.wait_in_crm(stored, 60, "the leads after it")
    return took


def _task_count(worker: Worker) -> int:
    return worker.text.count("succeeded in")


def _stop(stage: Stage) -> Callable[[], None]:
    stage.servers.valkey.stop()
    return stage.servers.valkey.start


def _kill(stage: Stage) -> Callable[[], None]:
    stage.servers.valkey.kill()
    return stage.servers.valkey.start


def _freeze(stage: Stage) -> Callable[[], None]:
    require(stage.servers.valkey.alive(), "Valkey does not run")
    stage.servers.valkey.freeze()
    return stage.servers.valkey.thaw


@drill("12", "Bells duplicated 100 times and reordered: no CRM call beyond what is due", short=False)
def too_many_bells(stage: Stage) -> None:
    """Every bell is there a hundred times, both lanes shuffled; the CRM gets one call for each hundred rows.

    Threads that claim the last hundred in the same moment share it: that is a call more for each of them but one.
    """
    batches = 5
    stage.store(100 * batches)
    _ring_and_shuffle(stage, 100 * batches)
    stage.ready_worker()
    stage.wait_delivered(60)
    stage.wait(lambda: _queued(stage) == 0, 60, "every bell to be heard")
    calls = stage.sandbox.summary()["api_calls"]
    stage.say(f"{200 * batches} bells for {batches} batches, shuffled: {calls} calls")
    carried = sum(call["rows"] for call in stage.sandbox.calls(kind="api"))
    require(carried == 100 * batches, f"{carried} rows were sent, {100 * batches} were due")
    most = batches + stage.settings.crm_concurrency - 1
    require(batches <= calls <= most, f"{calls} calls were made for {batches} batches, {most} are allowed")


def _ring_and_shuffle(stage: Stage, bells: int) -> None:
    app = Celery("drill", broker=stage.servers.valkey.url, set_as_current=False)
    app.conf.broker_transport_options = publisher_options()
    for lane, queue in QUEUES.items():
        for _ in range(bells):
            app.send_task(TASK_NAME, (lane,), queue=queue)
    app.close()
    with Redis.from_url(stage.servers.valkey.url) as redis:
        for queue in QUEUES.values():
            key = f"crm.{queue}"
            messages = redis.lrange(key, 0, -1)
            require(len(messages) == bells, f"{len(messages)} bells are in {key}")
            require(json.loads(messages[0])["body"], "a bell has no body")
            redis.delete(key)
            stage.random.shuffle(messages)
            redis.rpush(key, *messages)


def _queued(stage: Stage) -> int:
    with Redis.from_url(stage.servers.valkey.url) as redis:
        return sum(int(redis.llen(f"crm.{queue}")) for queue in QUEUES.values())
