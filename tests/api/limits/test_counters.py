"""Counting in each process and together in Redis: never slow, and wrong by no more than was not shared yet."""

from __future__ import annotations

import socket
import threading
from time import perf_counter, time
from uuid import uuid4

import pytest
from fakeredis import FakeRedis
from redis import Redis

from api.limits import counters as module
from api.limits.counters import Counter, Counters
from dev.servers.valkey import EmbeddedValkey

NOBODY = "redis://127.0.0.1:1/0"
TEN = Counter("ten", 600)


@pytest.fixture
def server(tmp_path):
    with EmbeddedValkey(tmp_path / "valkey") as server:
        yield server


@pytest.fixture
def make(monkeypatch):
    monkeypatch.setattr(module, "SHARE_SECONDS", 0.01)
    monkeypatch.setattr(module, "RETRY_SECONDS", 0.05)
    monkeypatch.setattr(module, "ANSWER_SECONDS", 0.2)
    made = []

    def connect(url):
        made.append(Counters(url))
        return made[-1]

    yield connect
    for counters in made:
        counters.close()


@pytest.fixture
def fake_url(monkeypatch):
    """The address of an empty fakeredis, for what depends on Redis's commands alone."""
    monkeypatch.setattr(module, "Redis", FakeRedis)
    url = f"redis://{uuid4().hex}/0"
    FakeRedis.from_url(url).ping()  # two threads that ask first at once would each get a server of their own
    return url


@pytest.fixture(params=["redis", "memory"])
def counters(request, make):
    return make(NOBODY if request.param == "memory" else request.getfixturevalue("fake_url"))


def test_each_request_counts_once_under_each_name(counters):
    assert counters.count([TEN, Counter("a", 60)]) == [1, 1]
    assert counters.count([TEN, Counter("b", 60)]) == [2, 1]


def test_a_repeat_of_a_request_is_not_counted_again(counters):
    assert [counters.count([TEN], seen="press") for _ in range(3)] == [[1], [1], [1]]
    assert counters.count([TEN], seen="other") == [2]


def test_beyond_a_limit_no_further_names_are_kept(counters):
    assert counters.count([TEN, Counter("a", 60)], stop_above=1) == [1, 1]
    assert counters.count([TEN, Counter("b", 60)], stop_above=1, seen="press") == [2]
    assert counters.count([Counter("b", 60)]) == [1]


def test_a_window_ends_at_a_multiple_of_its_length():
    assert TEN.key(1_200) == TEN.key(1_799) != TEN.key(1_800)
    assert (TEN.rest(1_200), TEN.rest(1_799)) == (600, 1)


def until(happened):
    """Wait for up to ten seconds."""
    deadline = perf_counter() + 10
    while not happened():
        assert perf_counter() < deadline, "it did not happen"
        threading.Event().wait(0.01)


def total(url, counter=TEN):
    with module.Redis.from_url(url) as redis:
        return int(redis.get(counter.key(time())) or 0)


def test_every_name_in_redis_goes_by_itself(make, fake_url):
    with module.Redis.from_url(fake_url) as redis:
        counters = make(fake_url)
        counters.count([TEN, Counter("a", 60)], seen="press")
        until(lambda: redis.dbsize() == 2)
        assert sorted(redis.ttl(name) > 0 for name in redis.scan_iter()) == [True, True]


def test_processes_learn_what_the_others_counted(make, fake_url):
    one, two = make(fake_url), make(fake_url)
    name = Counter("together", 600)
    for counters in (one, two) * 30:
        counters.count([name])
    until(lambda: total(fake_url, name) == 60)
    one.count([name])
    until(lambda: total(fake_url, name) == 61)
    until(lambda: one.count([name], seen="known")[0] >= 62)
    assert make(fake_url).count([name]) == [1]  # a new process learns with its first share


def test_what_is_counted_during_a_share_is_added_once(make, fake_url):
    counters, name = make(fake_url), Counter("busy", 600)
    for number in range(1, 2001):
        assert counters.count([name]) == [number]
    until(lambda: total(fake_url, name) == 2000)
    assert counters.count([name]) == [2001]


def test_the_last_counts_are_shared_at_the_end(make, fake_url):
    counters, name = make(fake_url), Counter("last", 600)
    counters.count([name])
    counters.close()
    assert total(fake_url, name) == 1


@pytest.mark.slow
def test_a_frozen_redis_delays_nobody_and_a_thawed_one_gets_what_was_counted_meanwhile(make, server):
    counters = make(server.url)
    counters.count([TEN])
    until(lambda: total(server.url) == 1)
    server.freeze()
    try:
        started = perf_counter()
        for number in range(200):
            assert counters.count([TEN]) == [number + 2]
        assert perf_counter() - started < 0.5
        until(lambda: not counters.is_shared)
        threading.Event().wait(1)  # it is tried a few times
    finally:
        server.thaw()
    until(lambda: counters.is_shared)
    # The share that was under way when it froze is done too, but no other.
    assert 201 <= total(server.url) <= 401


@pytest.mark.parametrize("how", ["full", "read-only"])
def test_a_redis_that_cannot_write_is_as_good_as_away(make, server, how):
    counters = make(server.url)
    with Redis.from_url(server.url) as redis:
        redis.config_set("maxmemory", "1") if how == "full" else redis.replicaof("127.0.0.1", "1")
        assert [counters.count([TEN]) for _ in range(3)] == [[1], [2], [3]]
        until(lambda: not counters.is_shared)
        threading.Event().wait(0.3)
        assert not counters.is_shared
        redis.config_set("maxmemory", "0") if how == "full" else redis.replicaof("NO", "ONE")
    until(lambda: total(server.url) == 3)


def test_a_redis_that_was_emptied_counts_on(make, server):
    counters = make(server.url)
    counters.count([TEN])
    until(lambda: total(server.url) == 1)
    with Redis.from_url(server.url) as redis:
        redis.flushall()
        redis.script_flush()
    counters.count([TEN])
    until(lambda: total(server.url) == 1)
    assert counters.is_shared


def test_a_silent_redis_delays_nobody(make):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        counters = make(f"redis://127.0.0.1:{silent.getsockname()[1]}/0")
        started = perf_counter()
        assert counters.count([TEN]) == [1]
        assert perf_counter() - started < 0.1
        until(lambda: not counters.is_shared)


def test_the_memory_of_one_process_is_bounded(make, monkeypatch):
    monkeypatch.setattr(module, "MAX_IN_MEMORY", 100)
    counters = make(NOBODY)
    for number in range(500):
        counters.count([Counter(f"n{number}", 600)])
    assert len(counters._counts) <= 102
    assert len(counters._unshared) <= 102
