"""The tick's bells and its sweep: no bell is rung twice, and only a lost worker is charged to its rows."""

from __future__ import annotations

import psycopg
import pytest
from celery import Celery
from redis import Redis
from sqlalchemy.exc import OperationalError

from leads.outbox.lease import begin, claim
from leads.outbox.rows import Lane
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


def begin_call(engine):
    """A worker begins a call, and its lease runs out."""
    record_lead(engine, LEAD)
    assert begin(engine, claim(engine, Lane.FRESH, rows=1, lease_seconds=0.0, call_id="call"))


def state(engine):
    query = "SELECT status, retry_count, lost_leases, code FROM deliveries JOIN attempts ON row_id = deliveries.id"
    return tuple(rows_of(engine, f"{query} WHERE event = 'lease_lost'")[0].values())


def test_a_lost_worker_is_charged_to_its_row(ticker, engine):
    ticker.tick()
    begin_call(engine)
    ticker.tick()
    assert state(engine) == ("retrying", 1, 1, "WORKER_LOST")


@pytest.mark.slow
@pytest.mark.parametrize("has_ticked", [True, False])
def test_a_database_that_stood_still_costs_no_row_anything(ticker, engine, database_url, has_ticked):
    """Here for the five seconds of a lock; half a lease is three. Bells may have come before the first tick."""
    if has_ticked:
        ticker.tick()
    begin_call(engine)
    with psycopg.connect(database_url) as lock:
        lock.execute("LOCK TABLE deliveries")
        with pytest.raises(OperationalError, match="lock timeout"):
            ticker.tick()
        lock.rollback()
    ticker.tick()
    assert state(engine) == ("pending", 0, 0, "DATABASE_SILENT")
