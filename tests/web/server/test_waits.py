"""The clocks that connections share. What each does to a connection: test_bare_port.py."""

from __future__ import annotations

import pytest

from web.server import waits
from web.server.waits import Clock


@pytest.fixture
def clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(waits, "monotonic", lambda: now[0])
    return now


def test_a_connection_expires_after_its_seconds_and_not_before(clock):
    expired = []
    waiting = Clock(10, expired.append)
    waiting.start("first")
    clock[0] += 5
    waiting.start("second")
    waiting.start("third")
    waiting.stop("third")
    clock[0] += 5.5
    waiting.expire_late()
    assert (expired, len(waiting)) == (["first"], 1)
    clock[0] += 5
    waiting.expire_late()
    assert (expired, len(waiting)) == (["first", "second"], 0)


def test_a_crowd_is_ended_a_few_at_a_time(clock):
    expired = []
    waiting = Clock(10, expired.append)
    for number in range(120):
        waiting.start(number)
    clock[0] += 11
    assert (waiting.expire_late(), len(expired)) == (True, 50)
    assert (waiting.expire_late(), waiting.expire_late(), len(expired)) == (True, False, 120)
