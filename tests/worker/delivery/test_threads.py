"""The thread of a destination: it works when woken, outlasts whatever fails, and ends when the worker does."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace

import pytest
from psycopg import OperationalError as PostgresGone
from sqlalchemy.exc import OperationalError

from leads.outbox.rows import Lane
from tests.support.processes import wait_for
from worker.delivery import threads as module
from worker.delivery.threads import DestinationThread


@pytest.fixture(autouse=True)
def due(monkeypatch):
    """The lanes that have something due: both, until a test takes one out."""
    lanes = list(Lane)
    monkeypatch.setattr(module, "find_due", lambda _engine, _destination: lanes)
    return lanes


@pytest.fixture
def delivered(monkeypatch):
    """The lanes that were delivered; the first item of `fails` is raised once instead."""
    lanes = SimpleNamespace(seen=[], fails=[])

    def deliver(_context, _destination, lane, *, seconds):
        lanes.seen.append((lane, seconds))
        if lanes.fails:
            raise lanes.fails.pop()

    monkeypatch.setattr(module, "deliver", deliver)
    return lanes


@pytest.fixture
def thread():
    context = SimpleNamespace(engine=None, stopping=threading.Event(), turn_seconds=5.0)
    thread = DestinationThread(context, SimpleNamespace(name="staff-mail"))
    thread.start()
    yield thread
    context.stopping.set()
    thread.join(5)
    assert not thread._thread.is_alive()


BOTH = [(Lane.FRESH, 5.0), (Lane.RETRY, 5.0)]


def test_it_delivers_both_lanes_when_it_is_woken_and_not_before(thread, delivered):
    assert delivered.seen == []
    thread.wake()
    wait_for(lambda: delivered.seen == BOTH, 5, "both lanes")
    thread.wake()
    wait_for(lambda: delivered.seen == BOTH * 2, 5, "both lanes again")


def test_it_delivers_only_what_is_due(thread, due, delivered):
    due.remove(Lane.FRESH)
    thread.wake()
    wait_for(lambda: delivered.seen == BOTH[1:], 5, "the retries")


def test_a_wake_during_a_delivery_is_not_forgotten(thread, monkeypatch):
    seen, running, may_end = [], threading.Event(), threading.Event()

    def deliver(_context, _destination, lane, *, seconds):
        seen.append(lane)
        running.set()
        may_end.wait(5)

    monkeypatch.setattr(module, "deliver", deliver)
    thread.wake()
    running.wait(5)
    thread.wake()
    may_end.set()
    wait_for(lambda: seen == [*Lane, *Lane], 5, "a second look")


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (OperationalError("SELECT", {}, PostgresGone("ended")), "the database failed a delivery to staff-mail"),
        (RuntimeError("odd"), "a delivery to staff-mail failed"),
    ],
    ids=["database", "anything"],
)
def test_it_outlasts_whatever_fails(thread, delivered, caplog, failure, words):
    delivered.fails.append(failure)
    thread.wake()
    wait_for(lambda: words in caplog.text, 5, "the failure's line")
    thread.wake()
    wait_for(lambda: delivered.seen[1:] == BOTH, 5, "the next delivery")


def test_a_thread_that_waits_ends_at_once(delivered):
    context = SimpleNamespace(engine=None, stopping=threading.Event(), turn_seconds=5.0)
    thread = DestinationThread(context, SimpleNamespace(name="visitor"))
    thread.start()
    context.stopping.set()
    begun = time.monotonic()
    thread.join(10)
    assert time.monotonic() - begun < 5
    assert not thread._thread.is_alive()


def test_who_waits_for_a_thread_that_never_ends_waits_no_longer_than_told(monkeypatch):
    may_end = threading.Event()
    monkeypatch.setattr(module, "deliver", lambda *_, **__: may_end.wait(30))
    context = SimpleNamespace(engine=None, stopping=threading.Event(), turn_seconds=5.0)
    thread = DestinationThread(context, SimpleNamespace(name="visitor"))
    thread.start()
    thread.wake()
    context.stopping.set()
    assert thread._thread.daemon
    begun = time.monotonic()
    thread.join(0.2)
    assert 0.1 < time.monotonic() - begun < 5
    may_end.set()
    thread.join(5)


def test_a_thread_that_was_never_started_can_be_joined():
    context = SimpleNamespace(engine=None, stopping=threading.Event(), turn_seconds=5.0)
    DestinationThread(context, SimpleNamespace(name="visitor")).join(5)
