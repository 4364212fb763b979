"""A Redis that others write to as well: whatever stands under our names, no worker dies and leads are delivered."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from celery import Celery
from celery.worker import state
from fakeredis import FakeRedis, FakeServer
from kombu import Connection
from redis import Redis
from worker.tick import Ticker

from leads.outbox.store import record_lead
from tests.support.database import rows_of
from tests.support.pipeline import deliver, statuses
from tests.support.processes import WorkerProcess, wait_for
from tests.support.samples import LEAD
from worker.broker import SteadyTransport, broker_error

pytestmark = pytest.mark.slow

QUEUE = "crm.crm.fresh"
NO_MESSAGES = (
    "no json",
    b"\xff\xfe",
    "{}",
    "[]",
    "null",
    "5",
    "[" * 100_000,
    '{"properties": 5}',
    '{"properties": []}',
)


@pytest.fixture
def redis(valkey):
    with Redis.from_url(valkey.url) as redis:
        redis.flushall()
        yield redis
        redis.config_set("maxmemory", 0)
        redis.config_set("min-replicas-to-write", 0)
        redis.flushall()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda redis: redis.set(QUEUE, "not a list"),
        lambda redis: redis.set("crm._kombu.binding.crm.fresh", "not a set"),
        lambda redis: redis.config_set("maxmemory", 1),
        lambda redis: redis.config_set("min-replicas-to-write", 1),
    ],
    ids=["queue", "binding", "full", "read-only"],
)
def test_a_tick_delivers_by_itself_where_redis_takes_no_bell(context, redis, valkey, spoil):
    record_lead(context.engine, LEAD)
    spoil(redis)
    Ticker(Celery("ticker", broker=valkey.url, set_as_current=False), context).tick()
    assert statuses(context) == {"sent": 1}


def no_task() -> None:
    """The worker is given none."""


def a_task() -> None:
    """The worker is given one, and has done it."""
    state.total_count["worker.deliver"] += 1


@pytest.mark.parametrize(
    ("meanwhile", "found"), [(no_task, {"sent": 1}), (a_task, {"pending": 1})], ids=["no task", "a task"]
)
def test_a_tick_delivers_by_itself_where_its_worker_takes_no_bell(context, redis, valkey, meanwhile, found):
    """A full queue does not show that Redis is read-only, or that Celery's consumer hangs."""
    ticker = Ticker(Celery("ticker", broker=valkey.url, set_as_current=False), context)
    record_lead(context.engine, LEAD)
    ticker.tick()
    redis.config_set("min-replicas-to-write", 1)
    ticker.tick()
    meanwhile()
    assert statuses(context) == {"pending": 1}
    ticker.tick()
    assert statuses(context) == found


def test_a_queue_that_was_full_long_ago_does_not_count(context, redis, valkey):
    ticker = Ticker(Celery("ticker", broker=valkey.url, set_as_current=False), context)
    record_lead(context.engine, LEAD)
    ticker.tick()
    ticker.tick()
    deliver(context)
    ticker.tick()
    record_lead(context.engine, LEAD)
    ticker.tick()
    assert statuses(context) == {"sent": 1, "pending": 1}


def test_the_probe_tells_whether_redis_answers(monkeypatch):
    server = FakeServer()
    monkeypatch.setattr("worker.broker.Redis", SimpleNamespace(from_url=lambda *_, **__: FakeRedis(server=server)))
    assert broker_error("redis://fake/0") is None
    server.connected = False
    assert broker_error("redis://fake/0") == "ConnectionError"


def test_a_channel_keeps_its_client_until_its_pool_is_dropped(valkey):
    with Connection(valkey.url, transport=SteadyTransport) as connection:
        channel = connection.channel()
        with channel.conn_or_acquire() as first, channel.conn_or_acquire() as second:
            assert first is second
        channel._disconnect_pools()
        with channel.conn_or_acquire() as anew:
            assert anew is not first
            assert anew.ping()


def test_a_worker_drops_what_is_no_message_and_goes_on(engine, crm_environment, redis, valkey, tmp_path):
    environment = {**crm_environment, "REDIS_URL": valkey.url, "CRM_TICK_SECONDS": "0.5"}
    with WorkerProcess(environment, tmp_path / "log") as worker:
        wait_for(lambda: " ready." in worker.text, 30, "a start")
        redis.lpush(QUEUE, *NO_MESSAGES)
        wait_for(lambda: not redis.exists(QUEUE) or not worker.alive(), 30, "an empty queue")
        record_lead(engine, LEAD)
        sent = "SELECT 1 FROM crm_deliveries WHERE zoho_status = 'sent'"
        wait_for(lambda: rows_of(engine, sent) != [], 30, "a lead after it")
        wait_for(lambda: "succeeded in" in worker.text, 30, "a task after it")
        worker.stop_within(10)
