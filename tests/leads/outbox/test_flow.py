"""How a destination has answered lately, how long rows took, and what arrived and went in each step of time."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from leads.outbox.flow import Flow, Health, Times, read_flow, read_health, read_times
from leads.outbox.gate import report_failure
from leads.outbox.rows import Kind
from leads.outbox.stats import Pile
from leads.outbox.store import record_lead
from tests.support.database import change, rows_of
from tests.support.samples import LEAD

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
MARK = """
UPDATE deliveries SET status = :status, queued_at = now() - make_interval(secs => :queued),
    sent_at = now() - make_interval(secs => :sent) WHERE id = :id
"""


@pytest.fixture
def store(engine):
    """Store a lead that was queued, and perhaps sent, so many seconds ago."""

    def store(queued, sent=None, *, destination="zoho", status="sent"):
        lead = record_lead(engine, LEAD, owed={destination: 0.0}).id
        change(engine, MARK, id=lead, queued=queued, sent=sent, status=status)

    return store


def note(engine, event, at, destination="zoho"):
    words = "INSERT INTO attempts (destination, kind, row_id, event, at) VALUES (:to, 'lead', :row, :event, :at)"
    change(engine, words, to=destination, row=uuid4(), event=event, at=at)


def test_health_is_of_one_destination(engine):
    change(engine, "INSERT INTO gates (destination) VALUES ('other')")
    assert read_health(engine, "zoho", []) == Health(None, None, None)
    for hour in (10, 9):
        note(engine, "delivered", NOON.replace(hour=hour))
    note(engine, "retried", NOON)
    note(engine, "delivered", NOON, "other")
    report_failure(engine, [uuid4()], "HTTP_500")
    piles = [
        Pile(Kind.LEAD, "pending", 1, None, "zoho", NOON.replace(hour=8)),
        Pile(Kind.LEAD, "retrying", 1, None, "zoho", NOON.replace(hour=7)),
        Pile(Kind.LEAD, "sent", 1, None, "zoho"),
        Pile(Kind.LEAD, "pending", 1, None, "other", NOON.replace(hour=6)),
    ]
    (gate,) = rows_of(engine, "SELECT failing_since FROM gates WHERE destination = 'zoho'")
    expected = Health(NOON.replace(hour=10), gate["failing_since"], NOON.replace(hour=7))
    assert read_health(engine, "zoho", piles) == expected
    assert read_health(engine, "other", piles) == Health(NOON, None, NOON.replace(hour=6))
    assert read_health(engine, "gone", piles) == Health(None, None, None)


def test_how_long_rows_took_that_were_sent_of_late(engine, store):
    assert read_times(engine, 3600) == Times(None, None)
    for seconds in (10, 20, 30, 40, 50):
        store(100 + seconds, 100)
    store(9000, 3700)
    store(9000, 100, destination="visitor")
    store(32 * 86_400, 100)
    times = read_times(engine, 3600)
    assert (round(times.half, 6), round(times.most, 6)) == (30, 48)


def test_a_row_of_a_month_ago_counts(engine, store):
    store(30 * 86_400 + 100, 100)
    assert round(read_times(engine, 3600).half) == 30 * 86_400
    assert sum(step.delivered for step in read_flow(engine, steps=3, step_seconds=60, waiting=0)) == 1


def test_the_flow_counts_back_from_what_waits_now(engine, store):
    for queued, sent in ((10, None), (20, None), (70, 15), (130, 75), (250, 80), (32 * 86_400, 90)):
        store(queued, sent, status="sent" if sent else "pending")
    store(10, status="held")
    store(10, 5, destination="visitor")
    assert read_flow(engine, steps=4, step_seconds=60, waiting=2) == [
        Flow(3, 0, 0, 1),
        Flow(2, 1, 0, 2),
        Flow(1, 1, 2, 1),
        Flow(0, 2, 1, 2),
    ]
    assert [step.waiting for step in read_flow(engine, steps=2, step_seconds=60, waiting=0)] == [0, 0]
