"""What is claimed first, what comes back spread, and what ends the count of failures."""

from __future__ import annotations

from uuid import uuid4

from leads.lifecycle import JITTER, WAITS, Retryable
from leads.outbox.due import find_due
from leads.outbox.gate import read_gate, report_failure
from leads.outbox.lease import Mark, claim, mark
from leads.outbox.permit import CallLimits, hold_permit
from leads.outbox.rows import Kind, Lane
from leads.outbox.store import record_click, record_lead
from tests.support.database import change, rows_of
from tests.support.samples import CLICK, LEAD


def take(engine, rows):
    return claim(engine, Lane.FRESH, rows=rows, lease_seconds=60.0, call_id="c")


def test_what_has_been_due_longest_is_claimed_first(engine):
    oldest, middle, newest = (record_lead(engine, LEAD).id for _ in range(3))
    for minutes, lead in ((1, newest), (3, oldest), (2, middle)):
        change(
            engine,
            "UPDATE deliveries SET next_retry_at = now() - make_interval(mins => :ago) WHERE id = :id",
            ago=minutes,
            id=lead,
        )
    assert [take(engine, 1)[0].id for _ in range(3)] == [oldest, middle, newest]


def test_each_lane_names_the_piles_that_have_something_due(engine):
    def due(destination="zoho"):
        return {
            lane: [(each.kind, each.pile, each.alone) for each in found]
            for lane, found in find_due(engine, destination).items()
        }

    assert due() == {}
    record_lead(engine, LEAD, owed={"zoho": 0.0, "visitor": 60.0})
    new, again = Lane.FRESH.piles
    assert (due(), due("visitor")) == ({Lane.FRESH: [(Kind.LEAD, new, False)]}, {})
    record_click(engine, CLICK)
    change(engine, "UPDATE crm_deliveries SET requeued = true WHERE kind = 'click'")
    assert due() == {Lane.FRESH: [(Kind.LEAD, new, False), (Kind.CLICK, again, False)]}
    (retried,) = Lane.RETRY.piles
    change(engine, "UPDATE deliveries SET status = 'retrying'")
    assert due() == {Lane.RETRY: [(Kind.LEAD, retried, False), (Kind.CLICK, retried, False)]}
    change(engine, "UPDATE deliveries SET lost_leases = 2 WHERE kind = 'lead'")
    assert due() == {Lane.RETRY: [(Kind.LEAD, retried, True), (Kind.CLICK, retried, False)]}


def test_rows_that_failed_together_come_back_spread_over_two_fifths_of_the_wait(engine):
    count = 40
    for _ in range(count):
        record_lead(engine, LEAD)
    mark(engine, [Mark(row, Retryable("TIMEOUT"), "c") for row in take(engine, count)])
    (spread,) = rows_of(
        engine,
        "SELECT extract(epoch FROM min(next_retry_at - last_retry_at))::float8 AS first,"
        " extract(epoch FROM max(next_retry_at - last_retry_at))::float8 AS last FROM deliveries",
    )
    least, most = (WAITS[0] * (1 + sign * JITTER) for sign in (-1, 1))
    assert least <= spread["first"] < spread["last"] <= most
    # Forty draws leave half of the range empty once in 10^10 runs.
    assert spread["last"] - spread["first"] > (most - least) / 2


def test_an_answer_through_the_open_gate_ends_the_count_of_failures(engine):
    for _ in range(2):
        report_failure(engine, [uuid4()], "TIMEOUT")
    assert read_gate(engine).failing_since is not None
    with hold_permit(engine, CallLimits(8, 60.0), Lane.FRESH) as permit:
        permit.report_answer()
    assert read_gate(engine).failing_since is None
