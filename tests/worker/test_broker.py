"""A Redis that others write to as well, or that takes nothing: no worker dies, and leads are delivered."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from fakeredis import FakeRedis, FakeServer
from redis import Redis

from leads.outbox.store import record_lead
from leads.queue import CRM_QUEUE
from tests.support.database import rows_of
from tests.support.processes import WorkerProcess, wait_for
from tests.support.samples import LEAD
from worker.broker import broker_error

QUEUE = f"crm.{CRM_QUEUE}"  # with the prefix of leads.queue
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


def test_the_probe_tells_whether_redis_answers(monkeypatch):
    server = FakeServer()
    monkeypatch.setattr("worker.broker.Redis", SimpleNamespace(from_url=lambda *_, **__: FakeRedis(server=server)))
    assert broker_error("redis://fake/0") is None
    server.connected = False
    assert broker_error("redis://fake/0") == "ConnectionError"


@pytest.mark.slow
def test_a_worker_drops_what_is_no_message_and_goes_on(engine, crm_environment, valkey, tmp_path):
    with (
        Redis.from_url(valkey.url) as redis,
        WorkerProcess({**crm_environment, "REDIS_URL": valkey.url}, tmp_path / "log") as worker,
    ):
        redis.flushall()
        wait_for(lambda: worker.is_ready, 30, "a start")
        redis.lpush(QUEUE, *NO_MESSAGES)
        wait_for(lambda: not redis.exists(QUEUE) or not worker.alive(), 30, "an empty queue")
        record_lead(engine, LEAD)
        sent = "SELECT 1 FROM deliveries WHERE status = 'sent'"
        wait_for(lambda: rows_of(engine, sent) != [], 30, "a lead after it")
        worker.stop_within(10)
