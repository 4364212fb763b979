"""How a destination has answered lately, and what waits longest for it."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

from leads.outbox.gate import report_failure

from leads.outbox.flow import Health, read_health
from leads.outbox.rows import Kind
from leads.outbox.stats import Pile
from tests.support.database import change, rows_of

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)


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
        Pile(Kind.LEAD, "pending", 1, "zoho", NOON.replace(hour=8)),
        Pile(Kind.LEAD, "retrying", 1, "zoho", NOON.replace(hour=7)),
        Pile(Kind.LEAD, "sent", 1, "zoho"),
        Pile(Kind.LEAD, "pending", 1, "other", NOON.replace(hour=6)),
    ]
    (gate,) = rows_of(engine, "SELECT failing_since FROM gates WHERE destination = 'zoho'")
    expected = Health(NOON.replace(hour=10), gate["failing_since"], NOON.replace(hour=7))
    assert read_health(engine, "zoho", piles) == expected
    assert read_health(engine, "other", piles) == Health(NOON, None, NOON.replace(hour=6))
    assert read_health(engine, "gone", piles) == Health(None, None, None)
