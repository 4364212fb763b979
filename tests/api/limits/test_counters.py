"""Counting in Redis, and going on without it: never slow, never wrong by more than its absence explains."""

from __future__ import annotations

import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

import pytest
from redis import Redis

from api.limits import counters as module
from api.limits.counters import Counter, Counters
from dev.servers.valkey import EmbeddedValkey
from web.server.batches import Batches

NOBODY = "redis://127.0.0.1:1/0"
TEN = Counter("ten", 600)


@pytest.fixture
def server(tmp_path):
    with EmbeddedValkey(tmp_path / "valkey") as server:
        yield server


@pytest.fixture
def make(monkeypatch):
    monkeypatch.setattr(module, "PROBE_SECONDS", 0.05)
    made = []

    def connect(url):
        made.append(Counters(url, Batches))
        return made[-1]

    yield connect
    for counters in made:
        counters.close()


@pytest.fixture(params=["redis", "memory"])
def counters(request, make, valkey):
    if request.param == "memory":
        return make(NOBODY)
    with Redis.from_url(valkey.url) as redis:
        redis.flushall()
    return make(valkey.url)


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


def test_every_name_in_redis_goes_by_itself(make, valkey):
    with Redis.from_url(valkey.url) as redis:
        redis.flushall()
        make(valkey.url).count([TEN, Counter("a", 60)], seen="press")
        lives = [redis.ttl(name) for name in redis.scan_iter()]
    assert len(lives) == 3
    assert all(0 < life <= 3600 for life in lives)


def test_two_processes_count_together_in_redis(make, valkey):
    one, two = make(valkey.url), make(valkey.url)
    name = Counter("together", 600)
    with ThreadPoolExecutor(8) as pool:
        counts = list(pool.map(lambda n: (one, two)[n % 2].count([name])[0], range(60)))
    assert sorted(counts) == list(range(1, 61))


def test_a_frozen_redis_delays_once_and_a_thawed_one_counts_again(make, server):
    counters = make(server.url)
    assert counters.count([TEN]) == [1]
    server.freeze()
    try:
        started = perf_counter()
        counters.count([TEN])
        first = perf_counter() - started
        started = perf_counter()
        for _ in range(200):
            counters.count([TEN])
        assert perf_counter() - started < 0.5
        assert first < 0.5  # 50 ms, and whatever a busy machine adds
        assert not counters.is_shared
    finally:
        server.thaw()
    for _ in range(200):
        if counters.is_shared:
            break
        threading.Event().wait(0.05)
    assert counters.count([TEN])[0] >= 2


@pytest.mark.parametrize("how", ["full", "read-only"])
def test_a_redis_that_cannot_write_is_as_good_as_away(make, server, how):
    counters = make(server.url)
    with Redis.from_url(server.url) as redis:
        redis.config_set("maxmemory", "1") if how == "full" else redis.replicaof("127.0.0.1", "1")
        assert [counters.count([TEN]) for _ in range(3)] == [[1], [2], [3]]
        threading.Event().wait(0.3)
        assert not counters.is_shared


def test_a_silent_redis_is_given_up_after_fifty_milliseconds(make):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        counters = make(f"redis://127.0.0.1:{silent.getsockname()[1]}/0")
        assert counters.count([TEN]) == [1]
        assert not counters.is_shared


def test_the_memory_of_one_process_is_bounded(make, monkeypatch):
    monkeypatch.setattr(module, "MAX_IN_MEMORY", 100)
    counters = make(NOBODY)
    for number in range(500):
        counters.count([Counter(f"n{number}", 600)])
    assert len(counters._memory._counts) <= 102
