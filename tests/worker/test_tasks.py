"""The bells that a delivery rings. What Flower shows of one that delivered nothing: the codes come first."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from celery.utils.saferepr import saferepr
from redis.exceptions import ConnectionError as RedisUnavailable

from worker import tasks
from worker.delivery.deliver import Summary
from worker.tasks import NothingDelivered, TriedAgain, deliver_batch

SUMMARY = {
    "lane": "fresh", "claimed": 3, "retrying": 3,
    "codes": {"CONNECTION_LOST": 2, "RECORD_LOCKED": 1}, "rows": ("019a8c3e-7f21", "019a8c3e-7f22"),
}  # fmt: skip
SHOWN = "2 CONNECTION_LOST, 1 RECORD_LOCKED: 019a8c3e-7f21, 019a8c3e-7f22"


def test_codes_and_rows_are_shown_of_a_batch_that_failed():
    assert saferepr(NothingDelivered(SUMMARY)) == SHOWN


def test_a_batch_that_is_tried_again_shows_the_same():
    assert saferepr(TriedAgain(exc=NothingDelivered(SUMMARY))) == SHOWN


@pytest.fixture
def bells(monkeypatch):
    """The queues that were rung, in order."""
    rung = []
    monkeypatch.setattr(tasks, "ring", lambda _, queue, *__: rung.append(queue))
    return rung


def run(monkeypatch, *, sends_messages=True, **summary):
    settings = SimpleNamespace(sends_messages=sends_messages)
    monkeypatch.setattr(tasks, "get_context", lambda: SimpleNamespace(settings=settings, delivery=None))
    monkeypatch.setattr(tasks, "deliver_fresh", lambda _: Summary("fresh", **summary))
    monkeypatch.setenv("DATABASE_URL", "postgresql://clinic@127.0.0.1/clinic")  # Celery reads its configuration
    deliver_batch.run("fresh")


@pytest.mark.parametrize(
    ("what", "rung"),
    [
        ({"claimed": 1, "sent": 1}, ["crm.mail"]),
        ({"claimed": 9, "sent": 9, "full": True}, ["crm.fresh", "crm.mail"]),
        ({"claimed": 1, "sent": 1, "sends_messages": False}, []),
        ({}, []),
    ],
    ids=["delivered", "a full batch", "nobody is told", "nothing was due"],
)
def test_what_was_delivered_rings_for_its_messages(bells, monkeypatch, what, rung):
    run(monkeypatch, **what)
    assert bells == rung


def test_a_bell_that_cannot_be_rung_fails_nothing():
    tried = []

    def refuse(arguments, *, queue, retry):
        tried.append((arguments, queue, retry))
        raise RedisUnavailable

    tasks.ring(SimpleNamespace(apply_async=refuse), "crm.fresh", "fresh")
    assert tried == [(("fresh",), "crm.fresh", False)]
