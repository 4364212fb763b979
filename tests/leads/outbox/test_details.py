"""What visitors add is stored with their lead alone, and waits for the record of that lead alone."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import psycopg
import pytest

from leads.destinations import CRM, DETAILS, VISITOR
from leads.outbox.details import change_details, choose_details, hurry_changed, read_details
from leads.outbox.lease import claim
from leads.outbox.rows import Lane
from leads.outbox.store import record_lead
from tests.support.database import change, rows_of
from tests.support.processes import wait_for
from tests.support.samples import LEAD

CALL = {
    "call_from": datetime(2026, 11, 24, 9, tzinfo=UTC),
    "call_until": datetime(2026, 11, 24, 12, tzinfo=UTC),
    "call_chosen": True,
}
DUE = "SELECT id, destination FROM deliveries WHERE next_retry_at <= now() ORDER BY id, destination"


@pytest.fixture
def lead(engine):
    return record_lead(engine, LEAD).id


@pytest.fixture
def sent(engine):
    """A lead that has a record."""
    row = record_lead(engine, {**LEAD, "email": "bob@example.com"}).id
    change(engine, "UPDATE deliveries SET status = 'sent', record_id = '1', sent_at = now() WHERE id = :id", id=row)
    return row


def owed(engine, lead, column):
    query = f"SELECT {column} AS value FROM deliveries WHERE id = :id AND destination = :name"
    return [row["value"] for row in rows_of(engine, query, id=lead, name=DETAILS)]


def choose(engine, lane=Lane.FRESH, rows=10):
    return choose_details(engine, lane, rows=rows)


def test_an_answer_is_its_own_leads(engine, lead, sent):
    change_details(engine, sent, {"interest": "All-on-4", **CALL})
    change_details(engine, lead, {"already_has": "photos"})
    said = rows_of(engine, "SELECT id, interest, already_has, call_chosen FROM leads")
    assert {row["id"]: tuple(row.values())[1:] for row in said} == {
        sent: ("All-on-4", None, True),
        lead: (None, "photos", None),
    }


def test_what_may_be_sent_stays_due_and_the_others_wait(engine, lead, sent):
    for row in (lead, sent):
        change_details(engine, row, CALL)
    before = rows_of(engine, DUE)
    assert choose(engine) == [sent]
    (gone,) = [row for row in before if row not in rows_of(engine, DUE)]
    assert gone == {"id": lead, "destination": DETAILS}


@pytest.mark.parametrize(("hours", "seconds"), [(0, 5), (0.5, 1800), (10, 3600)])
def test_it_waits_as_long_again_while_there_is_no_record(engine, lead, hours, seconds):
    change_details(engine, lead, CALL)
    began = time.monotonic()
    change(engine, "UPDATE deliveries SET queued_at = now() - make_interval(secs => :age)", age=hours * 3600)
    assert choose(engine) == []
    (wait,) = owed(engine, lead, "extract(epoch FROM next_retry_at - now())::float8")
    # Its age grows until it is chosen.
    assert seconds - 1 < wait <= seconds + time.monotonic() - began


def test_what_is_not_due_is_not_chosen(engine, sent):
    change_details(engine, sent, CALL)
    change(engine, "UPDATE deliveries SET next_retry_at = now() + interval '1 min'")
    assert choose(engine) == []


@pytest.mark.parametrize(
    ("state", "lane"),
    [
        ("status = 'pending', requeued = false", Lane.FRESH),
        ("status = 'pending', requeued = true", Lane.FRESH),
        ("status = 'retrying', requeued = false", Lane.RETRY),
        ("status = 'dead', requeued = false", None),
        ("status = 'sent', requeued = true", None),
    ],
)
def test_each_is_of_one_lane(engine, sent, state, lane):
    change_details(engine, sent, CALL)
    change(engine, f"UPDATE deliveries SET {state} WHERE destination = :name", name=DETAILS)
    assert [each for each in Lane if choose(engine, each) == [sent]] == ([lane] if lane else [])


def test_the_longest_due_are_chosen_first(engine):
    rows = [record_lead(engine, {**LEAD, "email": f"p{n}@example.com"}).id for n in range(3)]
    change(engine, "UPDATE deliveries SET status = 'sent', record_id = '1', sent_at = now()")
    for place, row in enumerate(rows):
        change_details(engine, row, CALL)
        set_due = "UPDATE deliveries SET next_retry_at = now() - make_interval(mins => :mins) WHERE id = :id"
        change(engine, set_due, id=row, mins=10 + place)
    assert choose(engine, rows=2) == [rows[2], rows[1]]


@pytest.mark.parametrize("status", ["dead", "held"])
def test_a_lead_that_stopped_is_owed_no_answers_and_loses_nothing_else(engine, lead, status):
    other = record_lead(engine, {**LEAD, "email": "bob@example.com"}, owed={CRM: 0.0, VISITOR: 0.0}).id
    for row in (lead, other):
        change_details(engine, row, CALL)
    change(engine, "UPDATE deliveries SET status = :to WHERE id = :id AND destination = 'zoho'", id=lead, to=status)
    change(
        engine, "UPDATE deliveries SET destination = :to WHERE id = :id AND destination = 'zoho'", id=other, to=CRM
    )
    change(
        engine,
        "INSERT INTO deliveries (id, destination, kind) VALUES (:id, :name, 'lead')",
        id=lead,
        name=VISITOR,
    )
    assert choose(engine) == []
    left = rows_of(engine, "SELECT id, destination FROM deliveries ORDER BY id = :id, destination", id=other)
    assert [(row["id"], row["destination"]) for row in left] == [
        (lead, VISITOR),
        (lead, CRM),
        (other, VISITOR),
        (other, CRM),
        (other, DETAILS),
    ]


def test_an_added_answer_begins_anew(engine, sent):
    change_details(engine, sent, {"interest": "All-on-4"})
    change(
        engine,
        "UPDATE deliveries SET status = 'dead', retry_count = 4, lost_leases = 2, last_error = 'X: y',"
        " next_retry_at = now() + interval '1 day' WHERE destination = :name",
        name=DETAILS,
    )
    change_details(engine, sent, {"already_has": "photos"})
    for column, value in (("status", "pending"), ("retry_count", 0), ("lost_leases", 0), ("last_error", None)):
        assert owed(engine, sent, column) == [value]
    assert owed(engine, sent, "next_retry_at <= now()") == [True]


@pytest.mark.parametrize(("seconds", "due"), [(5, 5), (3600, 120)])
def test_an_answer_to_one_that_failed_waits_no_longer_than_a_late_call_may_take(engine, sent, seconds, due):
    change_details(engine, sent, {"interest": "Crowns"})
    change(
        engine,
        "UPDATE deliveries SET status = 'retrying', next_retry_at = now() + make_interval(secs => :seconds)"
        " WHERE destination = :name",
        seconds=seconds,
        name=DETAILS,
    )
    change_details(engine, sent, {"interest": "Veneers"})
    (wait,) = owed(engine, sent, "extract(epoch FROM next_retry_at - now())::float8")
    assert due - 4 < wait <= due


def test_an_answer_waits_for_what_decides_about_its_lead(engine, lead, database_url):
    """An operator's redrive, or an erasure: what is owed follows from the lead's state, so it is locked."""
    with psycopg.connect(database_url) as other, ThreadPoolExecutor(1) as pool:
        other.execute("UPDATE deliveries SET status = 'dead' WHERE destination = 'zoho'")
        added = pool.submit(change_details, engine, lead, CALL)
        waits = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%WITH lead AS%'"
        wait_for(lambda: rows_of(engine, waits), 30, "the answer to wait")
        other.commit()
        assert added.result(30)
    assert owed(engine, lead, "status") == []


@pytest.mark.parametrize("status", ["pending", "dead"])
def test_a_row_that_is_claimed_meanwhile_keeps_its_lease(engine, lead, database_url, status):
    change_details(engine, lead, CALL)
    change(engine, "UPDATE deliveries SET status = :to WHERE destination = 'zoho'", to=status)
    with psycopg.connect(database_url) as other, ThreadPoolExecutor(1) as pool:
        other.execute("UPDATE deliveries SET status = 'sending' WHERE destination = %s", [DETAILS])
        chosen = pool.submit(choose, engine)
        waits = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%WITH due AS%'"
        wait_for(lambda: rows_of(engine, waits), 30, "the choice to wait")
        other.commit()
        assert chosen.result(30) == []
    assert owed(engine, lead, "next_retry_at <= now()") == [True]


def take(engine):
    (row,) = claim(engine, Lane.FRESH, rows=1, lease_seconds=60, call_id="1", destination=DETAILS, gate="zoho")
    return row


def test_a_call_carries_what_was_said_after_its_claim(engine, sent):
    change_details(engine, sent, {"interest": "Zirconia crowns"})
    row = take(engine)
    change_details(engine, sent, {"interest": "All-on-4"})
    assert read_details(engine, row).values["interest"] == "All-on-4"


def test_after_its_call_only_what_was_said_meanwhile_is_hurried(engine, sent, lead):
    change_details(engine, sent, {"interest": "Zirconia crowns"})
    row = take(engine)
    hurry_changed(engine, row)
    assert owed(engine, sent, "status") == ["sending"]
    change_details(engine, sent, {"interest": "All-on-4"})
    change_details(engine, lead, CALL)
    same = (
        "UPDATE deliveries SET next_retry_at = :lease, status = 'pending' WHERE destination <> 'zoho' OR id = :id"
    )
    change(engine, same, lease=row.lease, id=sent)
    hurry_changed(engine, row)
    assert owed(engine, sent, "next_retry_at <= now()") == [True]
    assert owed(engine, lead, "next_retry_at <= now()") == [False]
    crm = rows_of(engine, "SELECT next_retry_at > now() AS waits FROM crm_deliveries WHERE id = :id", id=sent)
    assert crm == [{"waits": True}]
    change(engine, "UPDATE deliveries SET next_retry_at = now() + interval '1 hour'")
    hurry_changed(engine, row)
    assert owed(engine, sent, "next_retry_at <= now()") == [False]
