"""The bells that a delivery rings. What Flower shows of one that delivered nothing: the codes come first."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from celery.utils.saferepr import saferepr
from redis.exceptions import ConnectionError as RedisUnavailable
from worker.delivery.deliver import Summary

from leads.outbox.rows import Lane
from worker import tasks
from worker.tasks import NothingDelivered, TriedAgain, deliver_batch

SUMMARY = {
    "lane": "fresh", "claimed": 3, "retrying": 3,
    "codes": {"CONNECTION_LOST": 2, "RECORD_LOCKED": 1}, "rows": ("019a8c3e-7f21", "019a8c3e-7f22"),
}  # fmt: skip
SHOWN = "2 CONNECTION_LOST, 1 RECORD_LOCKED: 019a8c3e-7f21, 019a8c3e-7f22"


def test_codes_and_rows_are_shown_of_a_batch_that_failed():
    assert saferepr(NothingDelivered(SUMMARY)) == SHOWN


def test_why_no_call_was_permitted_is_shown():
    assert saferepr(NothingDelivered({"lane": "fresh", "gate": "outage"})) == "not permitted: outage"
    assert saferepr(NothingDelivered(SUMMARY | {"gate": "outage"})) == f"{SHOWN}; not permitted: outage"


def test_a_batch_that_is_tried_again_shows_the_same():
    assert saferepr(TriedAgain(exc=NothingDelivered(SUMMARY))) == SHOWN


@pytest.fixture
def bells(monkeypatch):
    """The queues that were rung, in order."""
    rung = []
    monkeypatch.setattr(tasks, "ring", lambda _, queue, *__: rung.append(queue))
    return rung


def run(monkeypatch, lane, **summary):
    asked, woken = [], []
    context = SimpleNamespace(delivery="delivery", crm="crm", wake_details=lambda: woken.append(lane))

    def deliver(*given):
        asked.append(given)
        return Summary(lane, **summary)

    monkeypatch.setattr(tasks, "get_context", lambda: context)
    monkeypatch.setattr(tasks, "deliver_on_turn", deliver)
    monkeypatch.setenv("DATABASE_URL", "postgresql://clinic@127.0.0.1/clinic")  # Celery reads its configuration
    result = deliver_batch.run(lane)
    assert asked == [("delivery", "crm", Lane(lane))]
    # A bell that finds no lead was a visitor's tap.
    assert woken == [lane] * ("claimed" not in summary)
    return result


@pytest.mark.parametrize("lane", ["fresh", "retry"])
@pytest.mark.parametrize(
    ("what", "rings"),
    [
        ({"claimed": 1, "sent": 1}, False),
        ({"claimed": 9, "sent": 9, "full": True}, True),
        ({}, False),
        ({"claimed": 9, "sent": 9, "gate": "paused"}, False),
    ],
    ids=["delivered", "a full batch", "nothing was due", "the gate shut after the first batch"],
)
def test_a_full_batch_rings_for_the_next_one_of_its_lane(bells, monkeypatch, lane, what, rings):
    assert run(monkeypatch, lane, **what) == {"lane": lane, **what}
    assert bells == [f"crm.{lane}"] * rings


@pytest.mark.parametrize(
    ("what", "ends"),
    [
        ({"claimed": 2, "retrying": 2}, TriedAgain),
        ({"claimed": 2, "retrying": 1, "dead": 1}, NothingDelivered),
        ({"claimed": 2, "deferred": 2}, TriedAgain),
        ({"gate": "paused"}, TriedAgain),
    ],
)
def test_a_batch_of_which_nothing_arrived_ends_so_that_flowers_filters_find_it(bells, monkeypatch, what, ends):
    with pytest.raises(ends):
        run(monkeypatch, "fresh", **what)


def test_a_bell_that_cannot_be_rung_fails_nothing():
    tried = []

    def refuse(arguments, *, queue, retry):
        tried.append((arguments, queue, retry))
        raise RedisUnavailable

    tasks.ring(SimpleNamespace(apply_async=refuse), "crm.fresh", "fresh")
    assert tried == [(("fresh",), "crm.fresh", False)]
