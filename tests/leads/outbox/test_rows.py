"""A claimed row."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

from leads.destinations import CRM
from leads.lifecycle import Sync
from leads.outbox.rows import Claimed, Kind

ROW = Claimed(CRM, Kind.LEAD, UUID(int=1), datetime(2026, 11, 24, tzinfo=UTC), Sync(), {"email": "ann@example.com"})


def test_a_claimed_row_shows_nothing_of_a_person():
    assert "ann" not in repr(ROW)


def test_more_values_leave_the_row_as_it_was():
    assert ROW.with_values(same_visit="7").values == {"email": "ann@example.com", "same_visit": "7"}
    assert ROW.values == {"email": "ann@example.com"}
