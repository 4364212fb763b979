"""Pauses: who pauses a destination, for how long, and what ends it."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from leads.db import begin
from leads.lifecycle import Reason
from leads.outbox.pause import (
    Paused,
    due_trial,
    note_answer,
    note_failure,
    pause,
    read_destinations,
    resume,
    take_call,
)
from tests.support.database import change, rows_of
from tests.support.samples import LEAD, record_lead


def crm(engine):
    return read_destinations(engine)["zoho"]


def wait_of(engine):
    (row,) = rows_of(
        engine, "SELECT extract(epoch FROM until_at - now()) AS s FROM destinations WHERE name = 'zoho'"
    )
    return float(row["s"])


def is_over(engine):
    change(engine, "UPDATE destinations SET until_at = now() WHERE until_at IS NOT NULL")


def trial(engine):
    with begin(engine) as connection:
        return connection.execute(due_trial("zoho")).rowcount == 1


def test_the_crm_comes_first_and_nothing_is_paused_in_the_beginning(engine):
    found = read_destinations(engine)
    assert next(iter(found)) == "zoho"
    assert not any(each.reason for each in found.values())


def test_three_calls_in_a_row_without_an_answer_pause(engine):
    assert [note_failure(engine, "zoho", "TIMEOUT") for _ in range(4)] == [False, False, True, True]
    assert (crm(engine).reason, crm(engine).detail) == (Reason.OUTAGE, "TIMEOUT")
    assert wait_of(engine) == pytest.approx(30, abs=1)


def test_an_answer_between_failures_begins_the_count_anew(engine):
    for _ in range(2):
        assert not note_failure(engine, "zoho", "TIMEOUT")
    note_answer(engine, "zoho", None)
    assert not note_failure(engine, "zoho", "TIMEOUT")
    assert crm(engine).failing_since is not None


def test_only_the_answer_to_its_trial_ends_a_pause(engine):
    pause(engine, "zoho", Reason.CREDITS, "SPENT", by="worker")
    note_answer(engine, "zoho", None)
    note_answer(engine, "zoho", Reason.OUTAGE)
    assert crm(engine).reason is Reason.CREDITS
    note_answer(engine, "zoho", Reason.CREDITS)
    assert crm(engine).reason is None
    assert crm(engine).failing_since is None


def test_the_longer_of_two_waits_counts_and_a_wait_asked_for_is_kept(engine):
    pause(engine, "zoho", Reason.RATE, "429", by="worker", wait=600.0)
    pause(engine, "zoho", Reason.AUTH, "TOKEN", by="worker")
    assert wait_of(engine) == pytest.approx(600, abs=1)
    assert crm(engine).reason is Reason.AUTH


def test_an_operators_pause_outranks_all_others_and_has_no_trial(engine):
    pause(engine, "zoho", Reason.OUTAGE, "TIMEOUT", by="worker")
    pause(engine, "zoho", Reason.PAUSED, "moving house", by="ann")
    pause(engine, "zoho", Reason.CREDITS, "SPENT", by="worker")
    found = crm(engine)
    assert (found.reason, found.detail, found.changed_by, found.until_at) == (
        Reason.PAUSED, "moving house", "ann", None,
    )  # fmt: skip
    assert not trial(engine)
    note_answer(engine, "zoho", Reason.OUTAGE)
    assert crm(engine).reason is Reason.PAUSED
    assert note_failure(engine, "zoho", "TIMEOUT")  # of a call under way: no try is spent


def test_one_of_many_takes_a_due_trial_and_the_next_is_due_later(engine):
    pause(engine, "zoho", Reason.OUTAGE, "TIMEOUT", by="worker")
    assert not trial(engine)
    is_over(engine)
    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(lambda _: trial(engine), range(8))) == 1
    assert wait_of(engine) == pytest.approx(30, abs=1)


def test_what_failed_in_the_pause_is_due_when_it_ends_and_all_else_when_an_operator_resumes(engine):
    early, late = (record_lead(engine, {**LEAD, "email": f"{n}@example.com"}).id for n in range(2))
    failed = "UPDATE deliveries SET status = 'retrying', next_retry_at = now() + interval '4 h', last_retry_at = {}"
    change(engine, failed.format("now() - interval '1 h'") + " WHERE id = :id", id=early)
    pause(engine, "zoho", Reason.OUTAGE, "TIMEOUT", by="worker")
    change(engine, failed.format("now()") + " WHERE id = :id", id=late)
    due = "SELECT id FROM deliveries WHERE next_retry_at <= now()"
    note_answer(engine, "zoho", Reason.OUTAGE)
    assert [row["id"] for row in rows_of(engine, due)] == [late]
    resume(engine, "zoho", by="ann")
    assert {row["id"] for row in rows_of(engine, due)} == {early, late}


def test_what_a_dead_worker_left_undone_of_an_end_is_done_at_the_next(engine):
    record_lead(engine, LEAD)
    pause(engine, "zoho", Reason.OUTAGE, "TIMEOUT", by="worker")
    change(
        engine,
        "UPDATE deliveries SET status = 'retrying', next_retry_at = now() + interval '4 h', last_retry_at = now()",
    )
    change(engine, "UPDATE destinations SET reason = NULL, until_at = NULL")  # and there it died
    pause(engine, "zoho", Reason.OUTAGE, "TIMEOUT", by="worker")
    note_answer(engine, "zoho", Reason.OUTAGE)
    assert rows_of(engine, "SELECT 1 FROM deliveries WHERE next_retry_at <= now()")


def test_a_call_without_a_row_flows_is_the_trial_or_is_told_why_not(engine):
    assert take_call(engine, "zoho") is None
    pause(engine, "zoho", Reason.OUTAGE, "TIMEOUT", by="worker")
    with pytest.raises(Paused, match="outage"):
        take_call(engine, "zoho")
    is_over(engine)
    assert take_call(engine, "zoho") is Reason.OUTAGE
    with pytest.raises(Paused):
        take_call(engine, "zoho")
