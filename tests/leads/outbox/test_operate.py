"""What an operator's change of rows takes along, and what it writes down."""

from __future__ import annotations

import pytest

from leads.outbox.find import read_timeline
from leads.outbox.operate import Change
from leads.outbox.selection import STATES, Selection
from leads.outbox.store import record_lead
from tests.support.database import change, rows_of
from tests.support.samples import LEAD

OLD = """
UPDATE deliveries SET status = :state, last_retry_at = now(), next_retry_at = now() + interval '1 hour',
    queued_at = now() - interval '25 hours'
"""
DUE = "SELECT destination FROM deliveries WHERE next_retry_at <= now() ORDER BY 1"

EVERYTHING = Selection(states=STATES)


@pytest.mark.parametrize("state", ["dead", "retrying"])
def test_an_old_acknowledgement_is_sent_again_only_by_name(engine, state):
    row = record_lead(engine, LEAD, owed={"zoho": 0.0, "visitor": 0.0}).id
    by_name = (Selection(states=STATES, ids=[row]), Selection(states=STATES, destination="visitor"))
    for selection, due in (
        (EVERYTHING, ["zoho"]), (by_name[0], ["visitor", "zoho"]), (by_name[1], ["visitor"]),
    ):  # fmt: skip
        change(engine, OLD, state=state)
        assert sum(Change.REDRIVEN.make(engine, selection, by="ann", why="mended")) == 1  # lead
        assert [each["destination"] for each in rows_of(engine, DUE)] == due
    told = {(line["event"], line["detail"]) for line in read_timeline(engine, row)}
    assert told == {("redriven", "by ann: mended")}


def test_a_row_that_waits_for_a_retry_is_due_at_once_and_keeps_its_tries(engine):
    record_lead(engine, LEAD)
    change(engine, OLD, state="retrying")
    change(engine, "UPDATE deliveries SET retry_count = 7, lost_leases = 3")
    assert sum(Change.REDRIVEN.make(engine, EVERYTHING, by="ann")) == 1
    assert sum(Change.REDRIVEN.make(engine, EVERYTHING, by="ann")) == 0
    query = "SELECT status, retry_count, lost_leases, queued_at < now() - interval '1 day' AS old FROM deliveries"
    (row,) = rows_of(engine, query)
    assert row == {"status": "retrying", "retry_count": 7, "lost_leases": 3, "old": True}
