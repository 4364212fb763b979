"""A lost lease is charged to its row only if the call had begun, and no number of losses ends a row."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from leads.lifecycle import LOST_LEASES_ALARM
from leads.outbox.find import read_timeline
from leads.outbox.lease import begin, claim, sweep
from leads.outbox.rows import Lane
from leads.outbox.store import record_lead
from leads.overview import read_overview
from tests.support.database import change, rows_of
from tests.support.samples import LEAD


def take(engine, lane=Lane.RETRY, *, destination="zoho"):
    (claimed,) = claim(engine, lane, rows=9, lease_seconds=0.0, call_id="call", destination=destination)
    return claimed


def lose(engine):
    """Sweep, and return the row and the last line of its timeline."""
    assert sweep(engine) == 1
    (after,) = rows_of(
        engine, "SELECT *, extract(epoch FROM next_retry_at - now())::float8 AS wait FROM deliveries"
    )
    return after, read_timeline(engine, after["id"])[-1]


def make_failed(engine, losses):
    record_lead(engine, LEAD)
    change(
        engine,
        "UPDATE deliveries SET status = 'retrying', retry_count = :losses, lost_leases = :losses",
        losses=losses,
    )


def test_a_row_whose_call_had_not_begun_loses_nothing_and_is_due_at_once(engine):
    record_lead(engine, LEAD)
    take(engine, Lane.FRESH)
    after, line = lose(engine)
    assert (after["status"], after["retry_count"], after["lost_leases"]) == ("pending", 0, 0)
    assert (after["last_retry_at"], after["last_error"]) == (None, None)
    assert after["wait"] <= 0
    assert (line["event"], line["code"]) == ("lease_lost", "NOT_SENT")


def test_a_row_whose_call_had_begun_is_charged(engine):
    record_lead(engine, LEAD)
    assert len(begin(engine, [take(engine, Lane.FRESH)])) == 1
    assert rows_of(engine, "SHOW synchronous_commit") == [{"synchronous_commit": "on"}]
    after, line = lose(engine)
    assert (after["status"], after["retry_count"], after["lost_leases"]) == ("retrying", 1, 1)
    assert (after["last_retry_at"] is None, after["last_error"]) == (False, "WORKER_LOST: the lease ran out")
    assert (line["event"], line["code"], line["destination"]) == ("lease_lost", "WORKER_LOST", "zoho")


def test_the_call_of_the_last_claim_counts_and_no_earlier_one(engine):
    make_failed(engine, 0)
    begin(engine, [take(engine)])
    change(engine, "UPDATE deliveries SET status = 'retrying', next_retry_at = now(), last_error = 'X'")
    take(engine)
    after, line = lose(engine)
    assert (after["lost_leases"], after["last_error"], line["code"]) == (0, "X", "NOT_SENT")


def test_a_call_does_not_begin_for_rows_that_were_taken_back_or_erased(engine):
    ids = [record_lead(engine, LEAD).id for _ in range(4)]
    rows = claim(engine, Lane.FRESH, rows=9, lease_seconds=60.0, call_id="call")
    change(engine, "UPDATE deliveries SET next_retry_at = now() + interval '1 h' WHERE id = :id", id=ids[0])
    change(engine, "DELETE FROM deliveries WHERE id = :id", id=ids[1])
    assert [row.id for row in begin(engine, rows[:3])] == [ids[2]]
    found = rows_of(engine, "SELECT id, began FROM deliveries")
    assert {row["id"]: row["began"] for row in found} == {ids[0]: False, ids[2]: True, ids[3]: False}


@pytest.mark.parametrize(
    ("losses", "wait"), [(0, 0.0), (1, 30.0), (2, 900.0), (3, 3600.0), (4, 14400.0), (40, 14400.0)]
)
def test_a_row_waits_longer_after_each_loss_and_never_ends(engine, losses, wait):
    make_failed(engine, losses)
    begin(engine, [take(engine)])
    after, line = lose(engine)
    assert (after["status"], after["lost_leases"]) == ("retrying", losses + 1)
    set_wait = (line["next_retry_at"] - line["at"]).total_seconds()
    assert wait * 0.8 - 20 <= set_wait <= wait * 1.2  # the line is written up to some seconds after the sweep began


def test_rows_of_every_destination_are_taken_back_each_for_itself(engine):
    lead = record_lead(engine, LEAD, owed={"zoho": 0.0, "staff-mail": 0.0}).id
    take(engine, Lane.FRESH)
    begin(engine, [take(engine, Lane.FRESH, destination="staff-mail")])
    other = record_lead(engine, LEAD).id
    assert sweep(engine) == 2
    assert read_timeline(engine, other) == []
    found = rows_of(engine, "SELECT destination, status, lost_leases FROM deliveries WHERE id = :id", id=lead)
    assert {row["destination"]: (row["status"], row["lost_leases"]) for row in found} == {
        "zoho": ("pending", 0),
        "staff-mail": ("retrying", 1),
    }


def test_a_silence_of_the_database_is_charged_to_none_of_many_rows(engine):
    for _ in range(5):
        record_lead(engine, LEAD)
    begin(engine, claim(engine, Lane.FRESH, rows=9, lease_seconds=0.0, call_id="call"))
    last = datetime.now(UTC) - timedelta(minutes=1)
    assert sweep(engine, rows=2, last=last, patience=30.0) == 5
    assert rows_of(engine, "SELECT DISTINCT status, retry_count, lost_leases FROM deliveries") == [
        {"status": "pending", "retry_count": 0, "lost_leases": 0}
    ]


@pytest.mark.parametrize(("losses", "losing"), [(LOST_LEASES_ALARM - 1, 0), (LOST_LEASES_ALARM, 1)])
def test_an_operator_is_told_of_a_row_that_loses_worker_after_worker(engine, losses, losing):
    make_failed(engine, losses)
    assert read_overview(engine).losing == losing
