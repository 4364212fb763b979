"""The doorbell against a working, an absent, a silent and a frozen Redis: the request never notices."""

from __future__ import annotations

import base64
import json
import os
import signal
import socket
import threading
from time import perf_counter

import pytest
from redis import Redis

from api.doorbell import BURST_SECONDS, FLOOD_SECONDS, Doorbell
from dev.servers.valkey import EmbeddedValkey
from leads.queue import KEY_PREFIX, QUEUES, TASK_NAME

MAX_RING_SECONDS = 0.05  # seconds; a ring sets an event, and on a busy machine may lose its turn


@pytest.fixture
def bell():
    bells = []

    def make(url):
        bells.append(Doorbell(url))
        return bells[-1]

    yield make
    for made in bells:
        made.close()


@pytest.fixture
def own_valkey(tmp_path):
    with EmbeddedValkey(tmp_path / "valkey") as server:
        yield server


def wait_for(condition, seconds=10.0):
    pause = threading.Event()
    end = perf_counter() + seconds
    while perf_counter() < end:
        if condition():
            return True
        pause.wait(0.01)
    return condition()


def queued(server, lane):
    with Redis.from_url(server.url) as redis:
        return [json.loads(message) for message in redis.lrange(KEY_PREFIX + QUEUES[lane], 0, -1)]


def time_rings(doorbell, count=200):
    slowest = 0.0
    for _ in range(count):
        start = perf_counter()
        doorbell.ring()
        slowest = max(slowest, perf_counter() - start)
        threading.Event().wait(0.002)
    return slowest


@pytest.mark.parametrize("lane", ["fresh", "retry"])
def test_a_ring_becomes_a_task_for_the_workers_on_its_lane(own_valkey, bell, lane):
    doorbell = bell(own_valkey.url)
    doorbell.ring(lane)
    assert wait_for(lambda: doorbell.tally.rung == 1)
    (message,) = queued(own_valkey, lane)
    assert message["headers"]["task"] == TASK_NAME
    arguments, keywords, _embedded = json.loads(base64.b64decode(message["body"]))
    assert (arguments, keywords) == ([lane], {})


def test_a_burst_of_rings_is_few_bells_and_the_last_ring_is_never_lost(own_valkey, bell):
    doorbell = bell(own_valkey.url)
    start = perf_counter()
    for _ in range(5000):
        doorbell.ring()
    most = 2 + (perf_counter() - start + 1) / BURST_SECONDS
    assert wait_for(lambda: doorbell.tally.rung >= 1)
    threading.Event().wait(5 * BURST_SECONDS)
    before = doorbell.tally.rung
    assert before <= most
    doorbell.ring()
    assert wait_for(lambda: doorbell.tally.rung > before)


def test_while_rings_flood_in_bells_are_few_so_that_batches_are_full(own_valkey, bell):
    doorbell = bell(own_valkey.url)
    start = perf_counter()
    while perf_counter() - start < 1.5:
        for _ in range(20):  # a flood on a slow machine too
            doorbell.ring()
        threading.Event().wait(0.001)
    assert 1 <= doorbell.tally.rung <= 2 + 2 * (perf_counter() - start) / FLOOD_SECONDS
    rung = doorbell.tally.rung
    doorbell.ring()
    assert wait_for(lambda: doorbell.tally.rung > rung)


def test_an_absent_redis_costs_a_ring_nothing_and_is_counted(bell):
    doorbell = bell("redis://127.0.0.1:1/0")
    assert time_rings(doorbell) < MAX_RING_SECONDS
    assert wait_for(lambda: doorbell.tally.failed >= 1)
    assert doorbell.tally.rung == 0


def test_a_silent_redis_costs_a_ring_nothing(bell):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        doorbell = bell(f"redis://127.0.0.1:{silent.getsockname()[1]}/0")
        assert time_rings(doorbell) < MAX_RING_SECONDS
        assert wait_for(lambda: doorbell.tally.failed >= 1, 20)


def test_a_frozen_redis_costs_a_ring_nothing_and_a_thawed_one_hears_again(own_valkey, bell):
    doorbell = bell(own_valkey.url)
    doorbell.ring()
    assert wait_for(lambda: doorbell.tally.rung == 1)
    os.kill(own_valkey.pid, signal.SIGSTOP)
    try:
        assert time_rings(doorbell) < MAX_RING_SECONDS
        assert wait_for(lambda: doorbell.tally.failed >= 1, 20)
    finally:
        os.kill(own_valkey.pid, signal.SIGCONT)
    rung = doorbell.tally.rung

    def heard():
        doorbell.ring()
        return doorbell.tally.rung > rung

    assert wait_for(heard)


@pytest.mark.parametrize("setting", [("maxmemory", "1"), ("min-replicas-to-write", "1")])
def test_a_full_or_read_only_redis_is_survived(own_valkey, bell, setting):
    with Redis.from_url(own_valkey.url) as redis:
        redis.config_set(*setting)
    doorbell = bell(own_valkey.url)
    assert time_rings(doorbell, 20) < MAX_RING_SECONDS
    assert wait_for(lambda: doorbell.tally.failed >= 1)
    with Redis.from_url(own_valkey.url) as redis:
        redis.config_set(setting[0], "0")
    assert wait_for(lambda: (doorbell.ring(), doorbell.tally.rung >= 1)[1])


def test_a_forked_child_rings_with_a_thread_of_its_own(own_valkey, bell):
    doorbell = bell(own_valkey.url)
    doorbell.ring()
    assert wait_for(lambda: doorbell.tally.rung == 1)
    child = os.fork()
    if child == 0:
        doorbell.ring()
        heard = wait_for(lambda: doorbell.tally.rung == 2, 20)
        os._exit(0 if heard else 1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert len(queued(own_valkey, "fresh")) == 2


def test_a_lead_is_kept_when_redis_is_absent(client, lead, app):
    slowest = 0.0
    for _ in range(50):
        start = perf_counter()
        assert client.post("/api/leads", json=lead).status_code == 201
        slowest = max(slowest, perf_counter() - start)
    assert slowest < 1.0
