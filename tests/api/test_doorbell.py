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

from api.doorbell import BURST_SECONDS, FLOOD_RINGS, FLOOD_SECONDS, SHORT_SECONDS, Doorbell, next_pause
from dev.servers.valkey import EmbeddedValkey
from leads.queue import KEY_PREFIX, QUEUES, TASK_NAME

NETWORK_CALLS = ("connect", "send", "sendall", "recv", "recv_into")
MAX_RINGING_SECONDS = 20.0  # for 200 rings; the shortest wait for a silent Redis is 0.3 s, so one each is a minute


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


@pytest.fixture
def networking(monkeypatch):
    """The names of the threads that use a socket of Python's, as they do."""
    threads = set()

    def watched(call):
        def note(*arguments, **options):
            threads.add(threading.current_thread().name)
            return call(*arguments, **options)

        return note

    for name in NETWORK_CALLS:
        monkeypatch.setattr(socket.socket, name, watched(getattr(socket.socket, name)))
    return threads


def ring_often(doorbell, networking, count=200):
    """Rings from this thread neither use the network nor wait until the bell's own thread has done so."""
    networking.discard(threading.current_thread().name)
    start = perf_counter()
    for _ in range(count):
        doorbell.ring()
        threading.Event().wait(0.002)
    assert perf_counter() - start < MAX_RINGING_SECONDS
    assert threading.current_thread().name not in networking


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


@pytest.mark.slow
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


def test_the_pause_grows_while_rings_come_and_is_short_again_after_silence():
    pauses, pause = [], SHORT_SECONDS
    for rings in (1, 1, FLOOD_RINGS - 1, FLOOD_RINGS, 5 * FLOOD_RINGS, 5 * FLOOD_RINGS - 1, 0):
        pause = next_pause(pause, rings)
        pauses.append(pause)
    growing = [2 * SHORT_SECONDS, BURST_SECONDS, BURST_SECONDS]
    assert pauses == [*growing, FLOOD_SECONDS, FLOOD_SECONDS, BURST_SECONDS, SHORT_SECONDS]


def test_an_absent_redis_costs_a_ring_nothing_and_is_counted(bell, networking):
    doorbell = bell("redis://127.0.0.1:1/0")
    ring_often(doorbell, networking)
    assert wait_for(lambda: doorbell.tally.failed >= 1)
    assert networking == {"doorbell"}
    assert doorbell.tally.rung == 0


def test_a_silent_redis_costs_a_ring_nothing(bell, networking):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        doorbell = bell(f"redis://127.0.0.1:{silent.getsockname()[1]}/0")
        ring_often(doorbell, networking)
        assert wait_for(lambda: doorbell.tally.failed >= 1, 20)


@pytest.mark.slow
def test_a_frozen_redis_costs_a_ring_nothing_and_a_thawed_one_hears_again(own_valkey, bell, networking):
    doorbell = bell(own_valkey.url)
    doorbell.ring()
    assert wait_for(lambda: doorbell.tally.rung == 1)
    os.kill(own_valkey.pid, signal.SIGSTOP)
    try:
        ring_often(doorbell, networking)
        assert wait_for(lambda: doorbell.tally.failed >= 1, 20)
    finally:
        os.kill(own_valkey.pid, signal.SIGCONT)
    rung = doorbell.tally.rung

    def heard():
        doorbell.ring()
        return doorbell.tally.rung > rung

    assert wait_for(heard)


@pytest.mark.slow
@pytest.mark.parametrize("setting", [("maxmemory", "1"), ("min-replicas-to-write", "1")])
def test_a_full_or_read_only_redis_is_survived(own_valkey, bell, networking, setting):
    with Redis.from_url(own_valkey.url) as redis:
        redis.config_set(*setting)
    doorbell = bell(own_valkey.url)
    ring_often(doorbell, networking, 20)
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


def test_a_lead_is_kept_when_redis_is_absent(client, lead, networking):
    assert client.post("/api/leads", json=lead).status_code == 201
    networking.clear()  # the first request finds that Redis cannot count for the limits either
    for _ in range(50):
        assert client.post("/api/leads", json=lead).status_code == 201
    assert wait_for(lambda: "doorbell" in networking)
    assert networking <= {"doorbell", "limits"}
