"""What an operator's change of "all" rows takes along."""

from __future__ import annotations

import pytest

from leads.outbox.operate import Change, change_rows
from leads.outbox.selection import Selection
from leads.outbox.store import record_lead
from tests.support.database import change, rows_of
from tests.support.samples import LEAD

OLD = """
UPDATE deliveries SET status = :state, last_retry_at = now(), next_retry_at = now() + interval '1 hour',
    queued_at = now() - interval '25 hours'
"""
DUE = "SELECT destination FROM deliveries WHERE next_retry_at <= now() ORDER BY 1"


@pytest.mark.parametrize(("state", "of_all"), [("dead", ["zoho"]), ("retrying", [])])
def test_what_waits_and_an_old_acknowledgement_are_sent_again_only_by_name(engine, state, of_all):
    row = record_lead(engine, LEAD, owed={"zoho": 0.0, "visitor": 0.0}).id
    for selection, due in ((Selection(), of_all), (Selection(ids=[row]), ["visitor", "zoho"])):
        change(engine, OLD, state=state)
        list(change_rows(engine, Change.REDRIVEN, selection, by="ann"))
        assert [each["destination"] for each in rows_of(engine, DUE)] == due
