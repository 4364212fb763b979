"""The tick's bells and its end: no bell is rung twice, and a worker that stops in order is no lost one."""

from __future__ import annotations

import pytest
from celery import Celery
from redis import Redis

from leads.outbox.store import record_lead
from leads.queue import KEY_PREFIX, QUEUES
from leads.settings import read_settings
from tests.support.database import rows_of
from tests.support.samples import LEAD
from worker.context import make_context
from worker.tick import Ticker


@pytest.fixture
def ticker(crm_environment, valkey):
    """A worker's tick on a Valkey where nobody takes bells; batches are of one row."""
    with Redis.from_url(valkey.url) as redis:
        redis.flushall()
    environment = {**crm_environment, "REDIS_URL": valkey.url, "CRM_BATCH_ROWS": "1"}
    context = make_context(read_settings(environment))
    yield Ticker(Celery("ticker", broker=valkey.url, set_as_current=False), context)
    context.close()


def bells(valkey):
    with Redis.from_url(valkey.url) as redis:
        return redis.llen(f"{KEY_PREFIX}{QUEUES['fresh']}")


def test_a_second_tick_adds_no_bell_to_those_that_still_wait(ticker, engine, valkey):
    for _ in range(3):
        record_lead(engine, LEAD)
    ticker.tick()
    assert bells(valkey) == 3
    record_lead(engine, LEAD)
    ticker.tick()
    assert bells(valkey) == 4


def test_a_worker_that_ends_in_order_says_so(ticker, engine):
    ticker._context.worker.note_started(["zoho"])
    # What `stop` does, without its watchdog, which would end this process.
    ticker._context.stopping.set()
    ticker.start()
    ticker.join()
    assert [row["stopped_at"] is not None for row in rows_of(engine, "SELECT stopped_at FROM workers")] == [True]
