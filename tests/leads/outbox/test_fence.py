"""The lease is the fence: it is ended by its holder or by the sweep, never by a worker that lost it."""

from __future__ import annotations

import pytest

from leads.lifecycle import Deferred, Delivered, Rejected, Retryable
from leads.outbox.find import read_timeline
from leads.outbox.lease import Mark, begin, claim, mark, sweep
from leads.outbox.rows import Lane
from leads.outbox.store import record_lead
from tests.support.database import change, rows_of
from tests.support.samples import LEAD

FAILURES = [Retryable("X"), Deferred("X"), Rejected("X")]


def take(engine, lane=Lane.FRESH, lease=60.0, call_id="first"):
    (row,) = claim(engine, lane, rows=9, lease_seconds=lease, call_id=call_id)
    return row


def lose(engine):
    assert sweep(engine) == 1
    change(engine, "UPDATE crm_deliveries SET next_retry_at = now()")


def state(engine):
    (row,) = rows_of(engine, "SELECT zoho_status, next_retry_at, retry_count, zoho_record_id FROM crm_deliveries")
    return row


def events(engine, row):
    return [entry["event"] for entry in read_timeline(engine, row.id)]


@pytest.fixture
def two_workers(engine):
    """A worker that lost its lease, and the one that has the row now: both claimed it while it was sending."""
    record_lead(engine, LEAD)
    late = take(engine, lease=0.0)
    lose(engine)
    return late, take(engine, call_id="second")


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: type(failure).__name__)
def test_a_late_failure_does_not_end_the_next_workers_lease(engine, two_workers, failure):
    late, holder = two_workers
    before = state(engine)
    assert mark(engine, [Mark(late, failure, "first")]).fenced == 1
    assert state(engine) == before
    assert mark(engine, [Mark(holder, Delivered("7"), "second")]).fenced == 0


def test_a_late_success_is_kept_and_no_failure_takes_it_back(engine, two_workers):
    late, holder = two_workers
    assert mark(engine, [Mark(late, Delivered("7"), "first")]).fenced == 0
    sent = state(engine)
    assert (sent["zoho_status"], sent["zoho_record_id"]) == ("sent", "7")
    assert begin(engine, [holder]) == []
    for outcome in (*FAILURES, Delivered("8")):
        assert mark(engine, [Mark(holder, outcome, "second")]).fenced == 1
    assert state(engine) == sent


@pytest.mark.parametrize("outcome", [Delivered("7"), Retryable("X"), Deferred("X"), Rejected("X")])
def test_a_mark_whose_reply_was_lost_is_written_again_without_a_second_line(engine, outcome):
    record_lead(engine, LEAD)
    row = take(engine)
    mark(engine, [Mark(row, outcome, "first")])
    marked = state(engine), events(engine, row)
    mark(engine, [Mark(row, outcome, "first")])
    assert (state(engine), events(engine, row)) == marked


def test_a_sweep_leaves_a_running_lease_alone(engine):
    record_lead(engine, LEAD)
    row = take(engine)
    assert sweep(engine) == 0
    assert state(engine)["next_retry_at"] == row.lease
    record_lead(engine, LEAD)
    assert sweep(engine) == 0


def test_no_row_is_claimed_before_it_is_due(engine):
    record_lead(engine, LEAD)
    change(engine, "UPDATE crm_deliveries SET next_retry_at = now() + interval '1 min'")
    assert claim(engine, Lane.FRESH, rows=9, lease_seconds=60, call_id="c") == []
