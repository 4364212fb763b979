"""The gate shuts for the whole CRM's troubles, lets single probes through, and opens again by itself."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest

from leads.outbox.gate import (
    Reason,
    open_gate,
    read_gate,
    read_gates,
    report_failure,
    report_success,
    shut_gate,
    take_probe,
)
from leads.outbox.store import record_lead
from leads.outbox.workers import Worker
from tests.support.database import change, rows_of
from tests.support.samples import LEAD


def later(engine):
    """Let the wait pass."""
    change(engine, "UPDATE crm_gate SET until_at = now() - interval '1 ms' WHERE until_at IS NOT NULL")


def test_the_gate_is_open_from_the_start_and_knows_when_a_worker_was_seen(engine):
    assert read_gate(engine).is_open
    assert read_gate(engine).tick_age is None
    for _ in range(2):
        change(engine, "UPDATE workers SET seen_at = now() - interval '1 h'")
        Worker(engine, uuid4()).note_seen()
    assert read_gate(engine).tick_age < 5


# What is promised: written out here, so that a change of the code is one of the promise.
SPACINGS = {"paused": None, "outage": 30, "rate": 5, "credits": 900, "auth": 90, "configuration": 300}


@pytest.mark.parametrize("reason", list(Reason), ids=str)
def test_probes_are_spaced_by_the_reason_that_shut_the_gate(engine, reason):
    shut_gate(engine, reason, "x", by="worker")
    gate, spacing = read_gate(engine), SPACINGS[reason]
    assert (gate.until_at and (gate.until_at - gate.changed_at).total_seconds()) == spacing
    later(engine)
    assert take_probe(engine, reason) is (spacing is not None)
    (left,) = rows_of(engine, "SELECT extract(epoch FROM until_at - now())::float8 AS s FROM crm_gate")
    assert left["s"] is None if spacing is None else spacing - 5 < left["s"] <= spacing


def test_an_outage_is_five_failures_in_a_row_over_three_rows(engine):
    rows = [uuid4() for _ in range(3)]
    assert [report_failure(engine, [rows[i % 2]], "refused") for i in range(6)] == [False] * 6
    assert report_failure(engine, [rows[2]], "refused") is True
    gate = read_gate(engine)
    assert (gate.state, gate.reason, gate.probe_due) == ("shut", "outage", False)


def test_a_success_in_between_starts_the_count_again(engine):
    for _ in range(3):
        for _ in range(4):
            assert report_failure(engine, [uuid4(), uuid4(), uuid4()], "refused") is False
        report_success(engine)
    assert read_gate(engine).is_open


def test_an_opened_gate_starts_anew(engine):
    rows = [uuid4() for _ in range(3)]
    for rows_failing, shuts in ((rows, True), (rows[:1], False), (rows, True)):
        assert [report_failure(engine, rows_failing, "refused") for _ in range(5)] == [False] * 4 + [shuts]
        open_gate(engine, by="ann")
        gate = read_gate(engine)
        assert (gate.state, gate.reason, gate.detail, gate.changed_by) == ("open", None, None, "ann")
        assert gate.until_at is None


def test_a_success_through_the_open_gate_forgets_which_rows_failed(engine):
    for _ in range(4):
        report_failure(engine, [uuid4(), uuid4(), uuid4()], "refused")
    report_success(engine)
    lone = uuid4()
    assert not any(report_failure(engine, [lone], "refused") for _ in range(5))


@pytest.mark.parametrize(
    "between",
    [
        lambda engine: report_failure(engine, [uuid4() for _ in range(3)], "refused"),
        lambda engine: shut_gate(engine, Reason.OUTAGE, "down", by="worker"),
    ],
)
def test_two_successes_open_an_outage_only_one_after_the_other_and_only_probes_count(engine, between):
    shut_gate(engine, Reason.OUTAGE, "down", by="worker")
    report_success(engine)
    report_success(engine, probed="outage")
    assert not read_gate(engine).is_open
    between(engine)
    report_success(engine, probed="outage")
    assert not read_gate(engine).is_open


def test_a_gate_that_shuts_again_for_the_same_reason_is_shut_since_then(engine):
    changed = []
    for reason in (Reason.RATE, Reason.RATE, Reason.AUTH):
        shut_gate(engine, reason, "x", by="worker")
        changed.append(read_gate(engine).changed_at)
    assert changed[0] == changed[1] < changed[2]


def test_the_crm_is_the_first_of_the_destinations(engine):
    gates = read_gates(engine)
    assert list(gates) == ["zoho", "staff-mail", "staff-webhook", "visitor"]
    assert gates == {name: read_gate(engine, name) for name in gates}


def test_one_worker_alone_takes_the_probe_and_two_successes_open_an_outage(engine):
    shut_gate(engine, Reason.OUTAGE, "down", by="worker")
    assert not take_probe(engine, "outage")
    later(engine)
    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(lambda _: take_probe(engine, "outage"), range(8))) == 1
    report_success(engine, probed="outage")
    assert not read_gate(engine).is_open
    assert read_gate(engine).probe_due
    assert take_probe(engine, "outage")
    report_success(engine, probed="outage")
    assert read_gate(engine).is_open


@pytest.mark.parametrize("reason", [Reason.RATE, Reason.CREDITS, Reason.AUTH, Reason.CONFIGURATION])
def test_other_reasons_open_at_the_first_success(engine, reason):
    shut_gate(engine, reason, "x", by="worker")
    later(engine)
    assert take_probe(engine, reason)
    report_success(engine, probed=reason)
    assert read_gate(engine).is_open


def test_a_call_that_was_on_its_way_when_the_gate_shut_does_not_open_it(engine):
    shut_gate(engine, Reason.RATE, "429", by="worker", seconds=1000)
    report_success(engine)
    report_success(engine, probed=Reason.AUTH)
    gate = read_gate(engine)
    assert not gate.is_open
    assert (gate.until_at - gate.changed_at).total_seconds() >= 1000


def test_a_wait_the_crm_asked_for_is_never_undercut(engine):
    waits = []
    for _ in range(40):  # so many draws of the spread
        shut_gate(engine, Reason.RATE, "429", by="worker", seconds=1000)
        shut_gate(engine, Reason.RATE, "429", by="worker", seconds=10)
        gate = read_gate(engine)
        waits.append((gate.until_at - gate.changed_at).total_seconds())
        open_gate(engine, by="ann")
    assert 1000 <= min(waits) < max(waits) <= 1101


def test_a_pause_outranks_everything_until_a_person_resumes(engine):
    shut_gate(engine, Reason.PAUSED, "moving house", by="ann", seconds=60)
    assert read_gate(engine).until_at is None
    shut_gate(engine, Reason.OUTAGE, "down", by="worker")
    report_failure(engine, [uuid4(), uuid4(), uuid4()], "refused")
    for _ in range(3):
        report_success(engine, probed=Reason.PAUSED)
    gate = read_gate(engine)
    assert (gate.reason, gate.detail, gate.changed_by, gate.probe_due) == ("paused", "moving house", "ann", False)
    assert not take_probe(engine, gate.reason)
    open_gate(engine, by="ann")
    assert read_gate(engine).is_open


def test_opening_pulls_forward_what_failed_during_the_outage_oldest_first(engine):
    old, lately, killer, new = (record_lead(engine, LEAD).id for _ in range(4))
    change(
        engine,
        "UPDATE deliveries SET status = 'retrying', next_retry_at = now() + interval '4 h' WHERE id <> :id",
        id=new,
    )
    change(engine, "UPDATE crm_deliveries SET last_retry_at = now() - interval '1 day' WHERE id = :id", id=old)
    change(engine, "UPDATE crm_deliveries SET lost_leases = 1 WHERE id = :id", id=killer)
    shut_gate(engine, Reason.RATE, "down", by="worker")
    change(engine, "UPDATE crm_deliveries SET last_retry_at = now() WHERE id <> :id", id=old)
    report_success(engine, probed=Reason.RATE)
    due = rows_of(engine, "SELECT id FROM crm_deliveries WHERE next_retry_at <= now() ORDER BY next_retry_at")
    assert [row["id"] for row in due] == [lately, new]


def test_what_happens_at_one_destination_changes_no_others_gate_or_rows(engine):
    """Both wait for the same lead; the failure and the opening are of the staff's mail."""
    record_lead(engine, LEAD, owed={"zoho": 0.0, "staff-mail": 0.0})
    shut_gate(engine, Reason.OUTAGE, "down", by="worker")
    later(engine)
    change(engine, "UPDATE gates SET failing_since = now() WHERE destination = 'visitor'")
    others = "SELECT * FROM gates WHERE destination <> 'staff-mail' ORDER BY destination"
    before = rows_of(engine, others)
    for opens in (
        lambda: open_gate(engine, by="ann", destination="staff-mail"),
        lambda: report_success(engine, probed="rate", destination="staff-mail"),
    ):
        report_failure(engine, [uuid4()], "refused", "staff-mail")
        change(
            engine,
            "UPDATE deliveries SET status = 'retrying', retry_count = 1, last_retry_at = now(),"
            " next_retry_at = now() + interval '4 h'",
        )
        shut_gate(engine, Reason.RATE, "429", by="worker", destination="staff-mail")
        change(engine, "UPDATE gates SET until_at = now() WHERE destination = 'staff-mail'")
        assert take_probe(engine, Reason.RATE, "staff-mail")
        opens()
        assert read_gate(engine, "staff-mail").is_open
        due = rows_of(engine, "SELECT destination FROM deliveries WHERE next_retry_at <= now()")
        assert due == [{"destination": "staff-mail"}]
    assert rows_of(engine, others) == before
