"""The clocks that connections share: who is let go when, and who first when there are too many."""

from __future__ import annotations

import pytest

from web.server import waits
from web.server.waits import Clock, Waits


class FakeConnection:
    def __init__(self):
        self.ended = []

    def time_out(self):
        self.ended.append("timed out")

    def let_go(self):
        self.ended.append("let go")

    def abort(self):
        self.ended.append("aborted")


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


def test_each_wait_ends_in_its_own_way(clock):
    connections = [FakeConnection() for _ in range(3)]
    shared = Waits(10)
    for one, waiting in zip(connections, (shared.unfinished, shared.idle, shared.stalled), strict=True):
        waiting.start(one)
    clock[0] += 100
    shared.expire_late()
    assert [one.ended for one in connections] == [["timed out"], ["let go"], ["aborted"]]


def test_too_many_connections_cost_the_one_that_has_waited_longest(clock):
    shared = Waits(2)
    connections = [FakeConnection() for _ in range(3)]
    for place, one in enumerate(connections):
        shared.unfinished.start(one)
        shared.make_room(place + 1)
    assert [one.ended for one in connections] == [["aborted"], [], []]


def test_too_many_bytes_of_unfinished_requests_cost_the_oldest_of_them(clock):
    shared = Waits(10)
    connections = [FakeConnection() for _ in range(2)]
    for one in connections:
        shared.unfinished.start(one)
        shared.count_bytes(waits.MAX_UNREAD_BYTES - 1)
        shared.count_bytes(2 - waits.MAX_UNREAD_BYTES)
    shared.count_bytes(waits.MAX_UNREAD_BYTES)
    assert [one.ended for one in connections] == [["aborted"], []]
