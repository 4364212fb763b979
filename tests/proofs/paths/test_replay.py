"""The replay follows good histories to their end and names what is wrong with bad ones."""

from __future__ import annotations

import pytest

from leads.lifecycle import Deferred, Delivered, Rejected, Retryable
from leads.outbox import lease
from leads.outbox.lease import Mark, begin, claim, mark, sweep
from leads.outbox.rows import Lane
from leads.outbox.selection import redrive
from leads.outbox.store import record_lead
from leads.privacy.erasure import Person, erase_person
from proofs.harness.outbox import FINALS
from proofs.paths.replay import ATTEMPTS, ERASED_ROWS, replay
from tests.support.database import change, rows_of
from tests.support.samples import LEAD

LOST = ("lease_lost", None, "WORKER_LOST", "WORKER_LOST: the lease ran out")


def line(event, call=None, code=None, detail=None, due="later", row="r"):
    return {"row": row, "event": event, "call_id": call, "code": code, "detail": detail, "next_retry_at": due}


def final(status, tries=0, losses=0):
    counts = {"retry_count": tries, "lost_leases": losses}
    return {"row": "r", "zoho_status": status, **counts}


def wrong(events, end, *, erased=(), others=()):
    lines = [line(*event) for event in events] + [line(*event, row="s") for event in others]
    finals = [end] if end else []
    found = list(replay(lines, finals, [*erased, "s"]))
    return found[0] if found else None


GOOD = {
    "nothing happened": ([], final("pending")),
    "held, released, sent": ([("released",), ("claimed", "a"), ("delivered", "a.r")], final("sent")),
    "a try, then sent": (
        [("claimed", "a"), ("retryable", "a"), ("claimed", "b"), ("delivered", "b")],
        final("sent", 1),
    ),
    "deferred": ([("claimed", "a"), ("deferred", "a")], final("pending")),
    "fenced off": ([("claimed", "a"), LOST, ("claimed", "b"), ("fenced", "a")], final("sending", 1, 1)),
    "a late success": (
        [("claimed", "a"), LOST, ("claimed", "b"), ("delivered", "a"), ("fenced", "b")],
        final("sent", 0, 1),
    ),
    "a killer": (
        [event for call in "abcde" for event in (("claimed", call), LOST)],
        final("retrying", 5, 5),
    ),
    "by hand": ([("claimed", "a"), ("arranged", None, None, "dead 3 0"), ("redriven",)], final("pending")),
}


@pytest.mark.parametrize(("events", "end"), GOOD.values(), ids=GOOD)
def test_a_good_history_is_followed_to_its_end(events, end):
    assert wrong(events, end) is None


def test_an_erased_row_ends_erased():
    assert (
        wrong([("claimed", "a"), ("fenced", "a"), ("erase_look", "x"), ("erase_delete", "y")], None, erased=["r"])
        is None
    )


BAD = {
    "claimed is no transition from sending": ([("claimed", "a"), ("claimed", "b")], final("sending")),
    "claimed is no transition from sent": (
        [("claimed", "a"), ("delivered", "a"), ("claimed", "b")],
        final("sending"),
    ),
    "lost_uncharged is no transition from sent": (
        [("claimed", "a"), ("delivered", "a"), ("lease_lost", None, "NOT_SENT")],
        final("pending"),
    ),
    "retryable by a call that had lost its lease": (
        [("claimed", "a"), LOST, ("claimed", "b"), ("retryable", "a")],
        final("retrying", 2, 1),
    ),
    "delivered by a call that never had the row": ([("claimed", "a"), ("delivered", "b")], final("sent")),
    "exhausted is no transition": ([("claimed", "a"), ("retryable", "a", None, None, None)], final("dead", 1)),
    "lost is no transition": ([("claimed", "a"), LOST, LOST], final("retrying", 2, 2)),
    "claimed is no transition from erased": (
        [("claimed", "a"), LOST, ("erase_look", "x"), ("claimed", "b")],
        final("sending", 1, 1),
    ),
    "the table ends in erased, the row is sending": ([("claimed", "a"), ("fenced", "a")], final("sending")),
    "the table ends in retrying, the row is dead": ([("claimed", "a"), LOST], final("dead", 1, 1)),
    "the table ends with": ([("claimed", "a"), ("retryable", "a")], final("retrying", 3)),
    "vanished is no event of the table": ([("vanished",)], final("pending")),
    "it no longer exists, and nobody erased it": ([("claimed", "a"), ("delivered", "a")], None),
}


@pytest.mark.parametrize(("message", "events", "end"), [(name, *bad) for name, bad in BAD.items()], ids=BAD)
def test_a_bad_history_is_named(message, events, end):
    assert message in (wrong(events, end) or "nothing is wrong")


def test_a_row_that_goes_alone_is_claimed_alone():
    events = [("claimed", "a"), LOST, ("claimed", "b"), LOST, ("claimed", "c")]
    assert wrong(events, final("sending", 2, 2)) is None
    assert "was claimed with 1 others" in (wrong(events, final("sending", 2, 2), others=[("claimed", "c")]) or "")


def take(engine, lane, call):
    change(engine, "UPDATE crm_deliveries SET next_retry_at = now() WHERE zoho_status = 'retrying'")
    rows = claim(engine, lane, rows=10, lease_seconds=60.0, call_id=call)
    return begin(engine, rows)


def lose(engine):
    change(engine, "UPDATE crm_deliveries SET next_retry_at = now() WHERE zoho_status = 'sending'")
    sweep(engine)


def settle(engine, rows, outcomes, call):
    mark(engine, [Mark(row, outcome, call) for row, outcome in zip(rows, outcomes, strict=True)])


def replayed(engine):
    erased = [row["row"] for row in rows_of(engine, ERASED_ROWS)]
    return list(replay(rows_of(engine, ATTEMPTS), rows_of(engine, FINALS), erased))


def deliver_twice(engine):
    """Five rows with every outcome; then two workers with the same row, of which the first one is late."""
    for _ in range(5):
        record_lead(engine, LEAD)
    rows = take(engine, Lane.FRESH, "a")
    outcomes = [Delivered("1"), Retryable("TIMEOUT"), Rejected("INVALID_DATA"), Deferred("LIMIT"), Delivered("2")]
    settle(engine, rows, outcomes, "a")
    redrive(engine, by="test")
    lose(engine)
    late = take(engine, Lane.RETRY, "b")
    lose(engine)
    take(engine, Lane.RETRY, "c")
    settle(engine, late, [Retryable("TIMEOUT")], "b")


def test_what_the_product_does_is_a_path_of_the_model(engine):
    deliver_twice(engine)
    assert replayed(engine) == []
    erase_person(engine, Person(email=LEAD["email"]), by="test", key="")
    assert replayed(engine) == []


def test_a_mark_without_its_fence_is_found(engine, monkeypatch):
    unfenced = lease._MARK.replace("AND t.next_retry_at = v.lease", "")
    assert unfenced != lease._MARK
    monkeypatch.setattr(lease, "_MARK", unfenced)
    deliver_twice(engine)
    assert "retryable by a call that had lost its lease" in replayed(engine)[0]
