"""What shuts the gate on a quiet day, what one success brings forward, and credits that are plenty again."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from uuid import uuid4

import pytest
from sqlalchemy import text

from leads.outbox.gate import (
    Reason,
    open_gate,
    read_gate,
    report_failure,
    report_success,
    shut_gate,
    take_probe,
)
from leads.outbox.permit import CallLimits, NotPermitted, hold_permit
from leads.outbox.rows import Lane
from leads.outbox.store import record_lead
from tests.support.database import change, rows_of, spy_on
from tests.support.samples import LEAD

LIMITS = CallLimits(8, 60.0)


def failing(engine, *, minutes_ago, tries=3, losses=0):
    """A row that failed so long ago and waits for four hours."""
    lead = record_lead(engine, LEAD).id
    change(
        engine,
        "UPDATE crm_deliveries SET zoho_status = 'retrying', retry_count = :tries, lost_leases = :losses,"
        " last_retry_at = now() - make_interval(mins => :ago), next_retry_at = now() + interval '4 h'"
        " WHERE id = :id",
        id=lead,
        tries=tries,
        losses=losses,
        ago=minutes_ago,
    )
    return lead


def fail_since(engine, seconds):
    change(engine, "UPDATE crm_gate SET failing_since = now() - make_interval(secs => :ago)", ago=seconds)


def minutes_after_failure(engine, lead):
    (row,) = rows_of(
        engine,
        "SELECT extract(epoch FROM next_retry_at - last_retry_at)::float8 / 60 AS minutes FROM crm_deliveries"
        " WHERE id = :id",
        id=lead,
    )
    return row["minutes"]


def answer(engine):
    with hold_permit(engine, LIMITS, Lane.FRESH) as permit:
        permit.report_answer()


def due(engine):
    return [row["id"] for row in rows_of(engine, "SELECT id FROM crm_deliveries WHERE next_retry_at <= now()")]


def test_one_row_that_fails_for_a_quarter_of_an_hour_shuts_the_gate(engine):
    lone = uuid4()
    for seconds in (0, 0, 0, 0, 0, 880):
        fail_since(engine, seconds)
        assert not report_failure(engine, [lone], "HTTP_500")
    fail_since(engine, 900)
    assert report_failure(engine, [lone], "HTTP_500")
    assert read_gate(engine).reason == Reason.OUTAGE


def test_a_quarter_of_an_hour_with_few_failures_does_not_shut_the_gate(engine):
    lone = uuid4()
    report_failure(engine, [lone], "HTTP_500")
    fail_since(engine, 900)
    assert not report_failure(engine, [lone], "HTTP_500")


@pytest.mark.parametrize(("rows", "successes"), [(1, 1), (3, 2)])
def test_as_broad_as_the_failures_were_as_many_successes_open_the_gate(engine, rows, successes):
    report_failure(engine, [uuid4() for _ in range(rows)], "HTTP_500")
    shut_gate(engine, Reason.OUTAGE, "HTTP_500", by="worker")
    for number in range(1, successes + 1):
        change(engine, "UPDATE crm_gate SET until_at = now()")
        assert take_probe(engine, Reason.OUTAGE)
        report_success(engine, probed=Reason.OUTAGE)
        assert read_gate(engine).is_open is (number == successes)


def test_a_success_waits_for_a_failure_that_is_being_written(engine):
    """Without its lock it would take the failures for one row's and open the gate."""
    report_failure(engine, [uuid4()], "HTTP_500")
    shut_gate(engine, Reason.OUTAGE, "HTTP_500", by="worker")
    with ThreadPoolExecutor(1) as pool, engine.connect() as other:
        other.execution_options(isolation_level="READ COMMITTED").begin()
        other.execute(
            text("UPDATE crm_gate SET failed_rows = failed_rows || gen_random_uuid() || gen_random_uuid()")
        )
        answering = pool.submit(report_success, engine, probed=Reason.OUTAGE)
        assert not wait([answering], 0.3).done
        other.commit()
        answering.result(10)
    assert not read_gate(engine).is_open


def test_the_due_probe_is_taken_once(engine):
    shut_gate(engine, Reason.RATE, "429", by="worker")
    assert not take_probe(engine, Reason.RATE)
    change(engine, "UPDATE crm_gate SET until_at = now()")
    assert [take_probe(engine, Reason.RATE) for _ in range(3)] == [True, False, False]


def test_a_success_through_the_open_gate_brings_forward_what_failed_before_it(engine):
    rows = {failing(engine, minutes_ago=1), failing(engine, minutes_ago=1, tries=30)}
    report_failure(engine, list(rows), "HTTP_500")
    fail_since(engine, 70)
    report_success(engine)
    assert set(due(engine)) == rows


def test_between_the_successes_of_others_a_row_waits_a_minute_for_each_try(engine):
    row, soon = failing(engine, minutes_ago=0, tries=30), failing(engine, minutes_ago=0, tries=30)
    change(engine, "UPDATE deliveries SET next_retry_at = now() + interval '1 min' WHERE id = :id", id=soon)
    report_failure(engine, [row], "HTTP_500")
    fail_since(engine, 50)
    report_success(engine)
    assert minutes_after_failure(engine, row) == 30
    assert minutes_after_failure(engine, soon) < 2


def test_a_success_leaves_rows_that_failed_for_reasons_of_their_own(engine):
    earlier, killer = failing(engine, minutes_ago=60), failing(engine, minutes_ago=10, losses=1)
    leased = failing(engine, minutes_ago=10)
    change(engine, "UPDATE deliveries SET status = 'sending' WHERE id = :id", id=leased)
    report_failure(engine, [earlier], "HTTP_500")
    fail_since(engine, 1800)
    report_success(engine)
    assert due(engine) == []
    assert minutes_after_failure(engine, killer) > 240


def test_a_success_without_failures_before_it_moves_nothing(engine):
    failing(engine, minutes_ago=10)
    report_success(engine)
    assert due(engine) == []


def test_trouble_that_is_over_counts_no_longer(engine):
    report_failure(engine, [uuid4()], "HTTP_500")
    fail_since(engine, 1800)
    report_success(engine)
    failing(engine, minutes_ago=10)
    report_success(engine)
    assert due(engine) == []


def test_opening_brings_all_forward_that_failed_in_the_trouble(engine):
    lately, killer = failing(engine, minutes_ago=10, tries=30), failing(engine, minutes_ago=10, losses=1)
    report_failure(engine, [lately, uuid4(), uuid4()], "HTTP_500")
    fail_since(engine, 1800)
    shut_gate(engine, Reason.OUTAGE, "HTTP_500", by="worker")
    for _ in range(2):
        assert due(engine) == []
        report_success(engine, probed=Reason.OUTAGE)
    assert due(engine) == [lately]
    assert minutes_after_failure(engine, killer) > 240


def test_an_operator_who_opens_the_gate_hurries_all_that_failed_whatever_it_failed_for(engine):
    """As after a full mailbox, which refuses each message and shuts nothing."""
    refused = {failing(engine, minutes_ago=600), failing(engine, minutes_ago=0)}
    killer = failing(engine, minutes_ago=10, losses=1)
    open_gate(engine, by="ann")
    assert set(due(engine)) == refused
    assert minutes_after_failure(engine, killer) > 240


def fail_at_pull(engine, number):
    """End the process at the so-manyth step; gives the state of the gate at each."""
    states = []

    def look(_cursor, statement, _parameters):
        if "UPDATE deliveries SET next_retry_at = CASE" in statement:
            states.append(rows_of(engine, "SELECT state FROM crm_gate")[0]["state"])
            if len(states) == number:
                raise Died

    spy_on(engine, before=look)
    return states


class Died(BaseException):
    """The process died here."""


@pytest.mark.parametrize(
    "trouble",
    [
        lambda engine: report_failure(engine, [uuid4()], "HTTP_500"),
        lambda engine: shut_gate(engine, Reason.RATE, "429", by="worker"),
    ],
)
def test_new_trouble_while_rows_are_pulled_forward_is_not_forgotten(engine, trouble):
    report_failure(engine, [failing(engine, minutes_ago=0)], "HTTP_500")
    spy_on(engine, before=lambda _, words, __: trouble(engine) if "next_retry_at = CASE" in words else None)
    report_success(engine)
    assert read_gate(engine).failing_since is not None


def test_a_locked_row_does_not_hold_up_what_is_pulled_forward(engine):
    locked, free = failing(engine, minutes_ago=10), failing(engine, minutes_ago=10)
    with ThreadPoolExecutor(1) as pool, engine.connect() as other:
        other.execution_options(isolation_level="READ COMMITTED").begin()
        other.execute(text("SELECT FROM deliveries WHERE id = :id FOR UPDATE"), {"id": locked})
        opening = pool.submit(open_gate, engine, by="ann")
        assert wait([opening], 10).done
        assert due(engine) == [free]


def test_the_gate_opens_first_and_rows_are_pulled_forward_in_steps_that_are_kept(engine, monkeypatch):
    monkeypatch.setattr("leads.outbox.gate.STEP_ROWS", 2)
    rows = [failing(engine, minutes_ago=10) for _ in range(5)]
    report_failure(engine, rows, "HTTP_500")
    fail_since(engine, 1800)
    shut_gate(engine, Reason.RATE, "429", by="worker")
    states = fail_at_pull(engine, 3)
    with pytest.raises(Died):
        report_success(engine, probed=Reason.RATE)
    assert states == ["open"] * 3
    assert len(due(engine)) == 4
    answer(engine)
    assert set(due(engine)) == set(rows)
    assert read_gate(engine).failing_since is None


@pytest.mark.parametrize("reason", [Reason.RATE, Reason.CREDITS])
def test_a_limit_that_was_met_shuts_the_gate(engine, reason):
    with hold_permit(engine, LIMITS, Lane.FRESH) as permit:
        permit.shut(reason, "429", None)
    assert read_gate(engine).reason == reason
    with pytest.raises(NotPermitted, match=rf"^the gate is shut \({reason}\)$"), hold_permit(engine, LIMITS):
        pass


def test_an_answer_after_an_answer_writes_nothing(engine):
    version = "SELECT xmin::text FROM gates WHERE destination = 'zoho'"
    before = rows_of(engine, version)
    answer(engine)
    assert rows_of(engine, version) == before


def test_a_pause_is_not_replaced_by_other_reasons(engine):
    shut_gate(engine, Reason.PAUSED, "moving house", by="ann")
    shut_gate(engine, Reason.OUTAGE, "HTTP_500", by="worker")
    assert read_gate(engine).reason == Reason.PAUSED


def test_a_wait_that_the_crm_asked_for_is_not_shortened(engine):
    shut_gate(engine, Reason.RATE, "429", by="worker", seconds=1000)
    until = read_gate(engine).until_at
    shut_gate(engine, Reason.RATE, "429", by="worker", seconds=10)
    assert read_gate(engine).until_at == until
