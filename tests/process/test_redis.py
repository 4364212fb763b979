"""Redis fails in every way: each enquiry is accepted, and leads go on to the CRM."""

import socket
from contextlib import ExitStack

import pytest
from redis import Redis

from tests.process.ledger import violations
from tests.process.product import pause

pytestmark = [pytest.mark.process, pytest.mark.timeout(900)]

ALLOWANCE = 0.050  # seconds that the slowest posts may take longer


def refusing(valkey, cleanup):
    valkey.kill()
    cleanup.callback(valkey.start)


def absent(valkey, cleanup):
    """No answer at all: a listener whose queue is full drops a connection's first packet."""
    refusing(valkey, cleanup)
    listener = cleanup.enter_context(socket.socket())
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", valkey.port))
    listener.listen(0)
    for _ in range(4):
        filler = cleanup.enter_context(socket.socket())
        filler.setblocking(False)
        filler.connect_ex(("127.0.0.1", valkey.port))


def frozen(valkey, cleanup):
    valkey.freeze()
    cleanup.callback(valkey.thaw)


def full(valkey, cleanup):
    redis = cleanup.enter_context(Redis.from_url(valkey.url))
    redis.config_set("maxmemory", "1")
    cleanup.callback(redis.config_set, "maxmemory", "0")


def read_only(valkey, cleanup):
    replicate(valkey, "127.0.0.1", "1")
    cleanup.callback(replicate, valkey, "NO", "ONE")


def replicate(valkey, *primary):
    """As a failover does."""
    with Redis.from_url(valkey.url) as redis:
        redis.execute_command("REPLICAOF", *primary)


def test_every_enquiry_is_accepted_as_fast_as_ever_whatever_happens_to_redis(product, record_property):
    site = product.start_site()
    posts = 1000 if product.is_long else 60

    def post_all(name):
        answers = product.post(site, posts)
        assert {answer.status for answer in answers} == {201}, name
        slowest = sorted(answer.seconds for answer in answers)[int(posts * 0.99) - 1]
        record_property(f"p99 {name}", f"{slowest * 1000:.0f} ms")
        return slowest

    post_all("warm-up")
    normal = post_all("normal")
    for fail in (refusing, absent, frozen, full, read_only):
        with ExitStack() as cleanup:
            fail(product.valkey, cleanup)
            failing = post_all(fail.__name__)
        # On a busy machine the slowest posts measure the machine.
        assert failing <= normal + ALLOWANCE or not product.is_long, fail.__name__
    product.start_workers()
    product.wait_delivered(300)  # forty a second are enqueued
    assert violations(product) == []


def test_redis_away_in_many_ways_and_leads_are_delivered_meanwhile_and_consumed_again(product, record_property):
    (worker,) = product.start_workers()
    valkey, down = product.valkey, 20.0 if product.is_long else 2.0
    ways = {
        "killed": (valkey.kill, valkey.start, down),
        "frozen": (valkey.freeze, valkey.thaw, down),
        "read-only": (lambda: replicate(valkey, "127.0.0.1", "1"), lambda: replicate(valkey, "NO", "ONE"), down),
    }
    if product.is_long:
        ways |= {"stopped": (valkey.stop, valkey.start, down), "long down": (valkey.kill, valkey.start, 3 * down)}
    for name, (fail, restore, seconds) in ways.items():
        fail()
        delivered = product.wait_in_crm(product.store(20), 60, f"20 leads while Redis is {name}")
        pause(max(0.0, seconds - delivered))
        restore()
        record_property(f"{name}: delivered without it", f"{delivered:.1f} s")
        record_property(f"{name}: consumed again", f"{wait_for_a_task(product, worker):.1f} s")
    assert "['  File" not in worker.text  # where beat stood, sixty lines a second
    product.wait_delivered(60)
    assert violations(product) == []


def wait_for_a_task(product, worker):
    """Store leads until a task has run; the first ones may be delivered without a task."""

    def tasks():
        return worker.text.count("succeeded in")

    def has_run():
        product.store(1)
        pause(0.2)
        return tasks() > before

    before = tasks()
    return product.wait(has_run, 60, "a task")
