"""Claims are exclusive, outcomes are fenced, a success is monotone, and everything is written down."""

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from psycopg._queries import MAX_CACHED_STATEMENT_LENGTH
from sqlalchemy import func, update
from sqlalchemy.exc import OperationalError

from leads.db import begin
from leads.lifecycle import Reason, Refused, Retry, Sent, Skipped, Status, Unavailable
from leads.outbox import settle
from leads.outbox.claim import _claim, claim, find_due
from leads.outbox.pause import pause, read_destinations
from leads.outbox.settle import record
from leads.outbox.store import record_click
from leads.outbox.values import NOT_SENT
from leads.privacy.erasure import Person, erase_person
from leads.tables import Kind, deliveries, leads
from tests.support.database import change, rows_of
from tests.support.samples import CLICK, LEAD, record_lead
from tools.servers.waiting import wait_until

RETRY, REFUSED = Retry(code="HTTP_500"), Refused(code="NO", detail="Branch")
SILENT = Retry(code="TIMEOUT", answered=False)


def store(engine, count=1):
    return [record_lead(engine, {**LEAD, "email": f"a{n}@example.com"}).id for n in range(count)]


def due(engine, *names, limit=100, **more):
    return [row_id for _, row_id in find_due(engine, names or ("zoho",), limit=limit, **more)]


def take(engine, *ids, call_id="c"):
    claimed = [claim(engine, "zoho", row_id, call_id=call_id) for row_id in ids]
    return [row for row in claimed if row is not None]


def state(engine):
    (row,) = rows_of(engine, "SELECT *, extract(epoch FROM next_retry_at - now()) AS due_in FROM deliveries")
    return row


def events(engine):
    return [row["event"] for row in rows_of(engine, "SELECT event FROM attempts ORDER BY id")]


def fail_earlier(engine, row_id, tries):
    """A row that has failed, and has been due for an hour."""
    change(engine, """UPDATE deliveries SET status = 'retrying', retry_count = :tries,
        next_retry_at = now() - interval '1 h' WHERE id = :id""", id=row_id, tries=tries)  # fmt: skip


def make_due(engine):
    change(engine, "UPDATE deliveries SET next_retry_at = now() WHERE status <> 'sent'")
    change(engine, "UPDATE destinations SET until_at = now() WHERE until_at IS NOT NULL")


@pytest.mark.parametrize(
    ("kind", "store_it", "values"), [("lead", record_lead, LEAD), ("click", record_click, CLICK)]
)
def test_a_claim_reads_every_column_that_is_sent_and_no_other(engine, kind, store_it, values):
    store_it(engine, values)
    (row,) = take(engine, *due(engine))
    columns = {column.name for column in Kind(kind).table.columns}
    assert row.kind == kind
    assert columns & row.values.keys() == columns - NOT_SENT.keys()


@pytest.mark.parametrize("kind", Kind)
def test_the_driver_keeps_the_statement_of_a_claim_parsed(kind):
    assert len(_claim(kind, is_trial=False)[0].encode()) <= MAX_CACHED_STATEMENT_LENGTH


def test_a_row_is_claimed_once_by_many(engine):
    ids = store(engine, 20)
    with ThreadPoolExecutor(8) as threads:
        claims = threads.map(lambda row_id: take(engine, row_id), [*ids, *reversed(ids)] * 4)
        assert sorted(row.id for rows in claims for row in rows) == sorted(ids)


@pytest.mark.parametrize("status", [Status.SENT, Status.DEAD, Status.HELD, Status.SKIPPED])
def test_only_what_is_owed_and_due_is_claimed(engine, status):
    (lead,) = store(engine)
    change(engine, "UPDATE deliveries SET status = :status", status=status.value)
    assert due(engine) == take(engine, lead) == []
    change(engine, "UPDATE deliveries SET status = 'retrying', next_retry_at = now() + interval '1 s'")
    assert due(engine) == take(engine, lead) == []
    assert take(engine, uuid4()) == []


def test_a_lost_lease_is_counted_and_doubles_the_next(engine):
    (lead,) = store(engine)
    for lost in range(10):
        (row,) = take(engine, lead)
        assert (due(engine), take(engine, lead)) == ([], [])
        found = state(engine)
        assert (found["lost_leases"], found["retry_count"], row.was_tried) == (lost, 0, lost > 0)
        assert float(found["due_in"]) == pytest.approx(min(60 * 2**lost, 14400), abs=5)
        make_due(engine)
        assert due(engine) == [lead]


def test_a_row_that_has_lost_thousands_of_workers_has_the_longest_lease(engine):
    (lead,) = store(engine)
    change(engine, "UPDATE deliveries SET lost_leases = 30000")
    take(engine, lead)
    assert float(state(engine)["due_in"]) == pytest.approx(14400, abs=5)


def test_first_tries_come_first_and_what_is_on_its_way_is_left_out(engine):
    first, second, tried = store(engine, 3)
    fail_earlier(engine, tried, 1)
    assert due(engine) == [first, second, tried]
    assert due(engine, limit=1) == [first]
    assert due(engine, offset=2) == [tried]
    assert due(engine, late=60.0) == [tried]
    assert due(engine, "visitor") == []


def test_a_paused_destination_is_claimed_nothing_of_but_one_trial_the_longest_due(engine):
    first, second, _ = store(engine, 3)
    pause(engine, "zoho", Reason.OUTAGE, "TIMEOUT", by="worker")
    assert due(engine) == take(engine, first) == []
    make_due(engine)
    fail_earlier(engine, second, 5)
    assert due(engine) == [second]
    (row,) = take(engine, second)
    assert row.trial is Reason.OUTAGE
    assert due(engine) == take(engine, first) == []
    assert record(engine, row, RETRY, call_id="c").status is Status.RETRYING
    assert read_destinations(engine)["zoho"].reason is None


def test_one_of_many_fresh_rows_is_the_trial(engine):
    ids = store(engine, 8)
    pause(engine, "zoho", Reason.CREDITS, "SPENT", by="worker")
    make_due(engine)
    with ThreadPoolExecutor(8) as threads:
        assert sum(map(len, threads.map(lambda row_id: take(engine, row_id), ids))) == 1
    assert events(engine) == ["claimed"]


def test_a_row_that_is_not_due_leaves_the_trial_to_another(engine):
    early, late = store(engine, 2)
    pause(engine, "zoho", Reason.CREDITS, "SPENT", by="worker")
    make_due(engine)
    change(engine, "UPDATE deliveries SET next_retry_at = now() + interval '1 h' WHERE id = :id", id=early)
    assert take(engine, early) == []
    assert [row.id for row in take(engine, late)] == [late]


def test_what_a_visitor_adds_while_the_claim_waits_is_sent_by_an_update(engine):
    (lead,) = store(engine)
    pause(engine, "zoho", Reason.CREDITS, "SPENT", by="worker")
    make_due(engine)
    with ThreadPoolExecutor(1) as thread:
        with begin(engine) as visitor:
            visitor.execute(update(leads).values(already_has="photos"))
            visitor.execute(update(deliveries).values(changed_at=func.now()))
            claimed = thread.submit(take, engine, lead)
            assert wait_until(lambda: rows_of(engine, "SELECT 1 FROM pg_locks WHERE NOT granted"), 10)
        (row,) = claimed.result()
    assert (row.trial, row.values["already_has"]) == (Reason.CREDITS, None)
    assert record(engine, row, Sent(record_id="7"), call_id="c").status is Status.PENDING
    (again,) = take(engine, lead)
    assert (again.record_id, again.values["already_has"]) == ("7", "photos")


@pytest.mark.parametrize(
    ("outcome", "status", "tries", "wait", "event", "error"),
    [
        (Sent(record_id="7"), "sent", 0, None, "sent", None),
        (RETRY, "retrying", 1, 10, "retry", "HTTP_500"),
        (REFUSED, "retrying", 1, 900, "refused", "NO: Branch"),
        (Unavailable(code="SPENT", reason=Reason.CREDITS, wait=60.0), "pending", 0, 0, "unavailable", None),
        (Skipped(code="LIMIT", detail="x"), "skipped", 0, None, "skipped", "LIMIT: x"),
    ],
)
def test_an_outcome_is_written_and_logged(engine, outcome, status, tries, wait, event, error):
    (lead,) = store(engine)
    (row,) = take(engine, lead)
    result = record(engine, row, outcome, call_id="c")
    found = state(engine)
    assert (found["status"], found["retry_count"], found["last_error"]) == (status, tries, error)
    assert (result.status, result.next_at) == (status, None if wait is None else found["next_retry_at"])
    if wait is not None:
        assert float(found["due_in"]) == pytest.approx(wait, rel=0.25, abs=1)
    assert (found["refused_at"] is not None) == (outcome is REFUSED)
    assert (found["record_id"], found["sent_at"] is not None) == (
        ("7", True) if status == "sent" else (None, False)
    )
    assert events(engine) == ["claimed", event]
    assert rows_of(engine, "SELECT DISTINCT call_id FROM attempts") == [{"call_id": "c"}]


def test_a_refused_row_is_refused_until_it_is_sent(engine):
    (lead,) = store(engine)
    for outcome, is_refused in ((REFUSED, True), (RETRY, True), (Sent(record_id="7"), False)):
        (row,) = take(engine, lead)
        record(engine, row, outcome, call_id=uuid4().hex)
        assert (state(engine)["refused_at"] is not None) == is_refused
        make_due(engine)


def test_only_a_success_counts_once_the_lease_is_lost(engine):
    (lead,) = store(engine)
    (first,) = take(engine, lead)
    make_due(engine)
    (second,) = take(engine, lead)
    for outcome in (RETRY, REFUSED, Skipped(code="X")):
        assert record(engine, first, outcome, call_id=uuid4().hex).status is None
    assert (state(engine)["status"], state(engine)["retry_count"]) == ("sending", 0)
    assert record(engine, first, Sent(record_id="7"), call_id="late").status is Status.SENT
    for outcome in (RETRY, REFUSED, Sent(record_id="8")):
        assert record(engine, second, outcome, call_id=uuid4().hex).status is None
    assert (state(engine)["status"], state(engine)["record_id"]) == ("sent", "7")
    assert events(engine) == ["claimed", "claimed", *["fenced"] * 3, "sent", *["fenced"] * 3]


def test_a_second_success_without_the_lease_ends_no_update_of_what_was_added(engine):
    (lead,) = store(engine)
    (first,) = take(engine, lead)
    change(engine, "UPDATE deliveries SET changed_at = now()")
    make_due(engine)
    (second,) = take(engine, lead)  # with what was added, but it will find the first one's record
    assert record(engine, first, Sent(record_id="7"), call_id="late").status is Status.PENDING
    assert record(engine, second, Sent(record_id="7", code="FOUND"), call_id="found").status is None
    assert (state(engine)["status"], state(engine)["record_id"]) == ("pending", "7")


def test_two_failures_without_an_answer_cost_a_try_and_from_the_third_on_none_does(engine):
    (lead,) = store(engine)
    for tries in (1, 2, 2, 2):
        (row,) = take(engine, lead)
        record(engine, row, SILENT, call_id=uuid4().hex)
        assert state(engine)["retry_count"] == tries
        make_due(engine)
    assert read_destinations(engine)["zoho"].reason is Reason.OUTAGE


def test_what_failed_together_is_not_tried_again_together(engine):
    for row in take(engine, *store(engine, 9)):
        record(engine, row, RETRY, call_id="c")
    (row,) = rows_of(engine, "SELECT count(DISTINCT next_retry_at - last_retry_at) AS n FROM deliveries")
    assert row["n"] > 3


def test_an_erased_row_is_neither_sent_nor_settled(engine):
    lead, other = store(engine, 2)
    (row,) = take(engine, lead)
    erase_person(engine, Person(email="a0@example.com"), by="test", key="")
    assert record(engine, row, Sent(record_id="7"), call_id="c").status is None
    assert [row["id"] for row in rows_of(engine, "SELECT id FROM deliveries")] == [other]


def test_an_outcome_whose_commit_gets_no_answer_is_written_once(engine, monkeypatch):
    (lead,) = store(engine)
    (row,) = take(engine, lead)
    monkeypatch.setattr(settle, "PAUSES", (0.0, 0.0, 0.0))
    real, failed = settle._settle, []

    def lose_the_answer(*arguments):
        if failed:
            return real(*arguments)
        failed.append(real(*arguments))
        arguments[0].commit()
        raise OperationalError("COMMIT", None, Exception())

    monkeypatch.setattr(settle, "_settle", lose_the_answer)
    record(engine, row, RETRY, call_id="c")
    assert (state(engine)["retry_count"], events(engine)) == (1, ["claimed", "retry"])
