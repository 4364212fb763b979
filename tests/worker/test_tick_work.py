"""What a tick rings, wakes and delivers, and what becomes of it all when the worker is told to end."""

from __future__ import annotations

import threading
import time
from contextlib import closing
from types import SimpleNamespace

import pytest
from celery import Celery
from redis import Redis

from leads.outbox.gate import Reason, shut_gate
from leads.outbox.store import record_lead
from leads.settings import read_settings
from tests.support.database import change, rows_of
from tests.support.messages import states
from tests.support.processes import wait_for
from tests.support.receiver import Receiver
from tests.support.samples import LEAD, WEBHOOK_SECRET
from worker.context import make_context
from worker.tick import MAX_BELLS, Ticker

OWED = {"zoho": 0.0, "staff-webhook": 0.0}
FRESH, RETRY = "crm.crm.fresh", "crm.crm.retry"


@pytest.fixture
def receiver():
    with Receiver() as receiver:
        yield receiver


@pytest.fixture
def environment(crm_environment, receiver):
    return {
        **crm_environment,
        "LEAD_WEBHOOK_URL": receiver.url,
        "LEAD_WEBHOOK_SECRET": WEBHOOK_SECRET,
        "CRM_TICK_SECONDS": "0.2",
        "CRM_BATCH_ROWS": "2",
    }


@pytest.fixture
def context(environment):
    with closing(make_context(read_settings(environment))) as context:
        yield context


@pytest.fixture
def redis(valkey):
    with Redis.from_url(valkey.url) as redis:
        redis.flushall()
        yield redis
        redis.flushall()


@pytest.fixture
def ticker(context, valkey, redis):
    return Ticker(Celery("ticker", broker=valkey.url, set_as_current=False), context)


@pytest.fixture
def alone(context):
    """A ticker without Redis."""
    return Ticker(Celery("ticker", broker=context.settings.redis_url, set_as_current=False), context)


def store(context, count=1, owed=OWED):
    return [record_lead(context.engine, LEAD, owed=owed).id for _ in range(count)]


def make_retries(context):
    change(context.engine, "UPDATE deliveries SET status = 'retrying', retry_count = 1 WHERE destination = 'zoho'")


def wakes(context, monkeypatch):
    """The destinations whose threads are woken from here on."""
    woken = []
    for thread in context.messages:
        monkeypatch.setattr(thread, "wake", lambda name=thread.destination.name: woken.append(name))
    return woken


def test_retries_have_bells_of_their_own(ticker, context, redis):
    store(context, 3)
    make_retries(context)
    ticker.tick()
    assert (redis.llen(FRESH), redis.llen(RETRY)) == (0, 2)


def test_no_more_bells_than_keep_the_threads_busy(ticker, context, redis):
    store(context, 2 * MAX_BELLS + 6)
    ticker.tick()
    assert redis.llen(FRESH) == MAX_BELLS


def test_a_shut_gate_has_no_bells_until_its_probe_is_due_and_then_one(ticker, context, redis):
    store(context, 9)
    shut_gate(context.engine, Reason.RATE, "429", by="worker")
    ticker.tick()
    assert redis.llen(FRESH) == 0
    change(context.engine, "UPDATE crm_gate SET until_at = now()")
    ticker.tick()
    assert redis.llen(FRESH) == 1


def test_only_the_threads_of_what_is_due_are_woken(ticker, context, monkeypatch):
    woken = wakes(context, monkeypatch)
    store(context, owed={"zoho": 0.0})
    ticker.tick()
    assert woken == []
    store(context, owed={"staff-webhook": 60.0})
    ticker.tick()
    assert woken == []
    change(context.engine, "UPDATE deliveries SET next_retry_at = now()")
    ticker.tick()
    assert woken == ["staff-webhook"]
    change(context.engine, "UPDATE deliveries SET status = 'retrying' WHERE destination = 'staff-webhook'")
    ticker.tick()
    assert woken == ["staff-webhook"] * 2


@pytest.mark.slow
def test_without_redis_the_tick_delivers_to_the_crm_and_the_threads_the_messages(alone, context, receiver, sandbox):
    store(context, 5)
    alone.start()
    try:
        wait_for(lambda: states(context.engine, "staff-webhook") == {"sent": 5}, 20, "five notices")
        wait_for(lambda: states(context.engine, "zoho") == {"sent": 5}, 20, "five records")
    finally:
        alone.stop()
        alone.join()
    assert len(receiver.requests) == 5
    assert sandbox.summary()["records"] == 5


def test_a_worker_that_was_told_to_end_claims_nothing(alone, context, receiver):
    alone.start()
    wait_for(lambda: rows_of(context.engine, "SELECT 1 FROM workers") != [], 10, "a first tick")
    alone.stop()
    store(context)
    alone.join()
    ended = [alone._thread, *(thread._thread for thread in context.messages)]
    # A tick that looks for Redis may outlast the wait for it, but begins nothing.
    wait_for(lambda: not any(thread.is_alive() for thread in ended), 10, "all threads to end")
    assert receiver.requests == []
    assert states(context.engine, "zoho") == states(context.engine, "staff-webhook") == {"pending": 1}


def test_a_message_in_flight_may_end_and_no_other_begins(alone, context, receiver, monkeypatch):
    monkeypatch.setattr("worker.destinations.webhook.SECONDS", 1.0)
    receiver.silent = True
    store(context, 3, owed={"staff-webhook": 0.0})
    alone.start()
    wait_for(lambda: bool(receiver.requests), 10, "a first message")
    alone.stop()
    begun = time.monotonic()
    alone.join()
    assert time.monotonic() - begun < context.settings.crm_call_seconds + 2
    assert len(receiver.requests) <= 2
    assert states(context.engine, "staff-webhook").get("sending", 0) == 0


@pytest.mark.slow
def test_a_thread_that_never_ends_holds_no_worker_longer_than_a_call(context):
    may_end, waited = [], []

    class Endless:
        def start(self):
            may_end.append("started")

        def join(self, seconds):
            waited.append(seconds)
            threading.Event().wait(seconds)

    several = SimpleNamespace(
        messages=[Endless(), Endless()],
        settings=context.settings,
        stopping=context.stopping,
        worker=context.worker,
        access=context.access,
        gates=context.gates,
    )
    ticker = Ticker(None, several)
    ticker.tick = lambda: None
    ticker.start()
    ticker.stop()
    begun = time.monotonic()
    ticker.join()
    assert len(may_end) == len(waited) == 2
    assert time.monotonic() - begun < context.settings.crm_call_seconds + 2
