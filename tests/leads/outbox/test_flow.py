"""How a destination has answered lately, and what waits longest for it."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

from leads.outbox.flow import Health, read_health
from leads.outbox.pause import note_failure, read_destinations
from leads.outbox.rows import Kind
from leads.outbox.stats import Pile
from tests.support.database import change

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)


def note(engine, event, at, destination="zoho"):
    words = "INSERT INTO attempts (destination, kind, row_id, event, at) VALUES (:to, 'lead', :row, :event, :at)"
    change(engine, words, to=destination, row=uuid4(), event=event, at=at)


def test_health_is_of_one_destination(engine):
    def health(name, piles=()):
        return read_health(engine, read_destinations(engine)[name], piles)

    assert health("zoho") == Health(None, None, None)
    for hour in (10, 9):
        note(engine, "sent", NOON.replace(hour=hour))
    note(engine, "retry", NOON)
    note(engine, "sent", NOON, "visitor")
    note_failure(engine, "zoho", "HTTP_500")
    piles = [
        Pile(Kind.LEAD, "pending", 1, "zoho", NOON.replace(hour=8)),
        Pile(Kind.LEAD, "retrying", 1, "zoho", NOON.replace(hour=7)),
        Pile(Kind.LEAD, "sent", 1, "zoho"),
        Pile(Kind.LEAD, "pending", 1, "visitor", NOON.replace(hour=6)),
    ]
    since = read_destinations(engine)["zoho"].failing_since
    assert health("zoho", piles) == Health(NOON.replace(hour=10), since, NOON.replace(hour=7))
    assert health("visitor", piles) == Health(NOON, None, NOON.replace(hour=6))
