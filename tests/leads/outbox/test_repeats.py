"""Which repeat enquiries join the record of an earlier one: once and for all, before their first call."""

from __future__ import annotations

import logging

import pytest
from psycopg import OperationalError as PostgresGone
from sqlalchemy.exc import OperationalError

from leads.outbox.lease import claim
from leads.outbox.repeats import choose_merges
from leads.outbox.rows import Lane
from leads.outbox.store import record_click, record_lead
from tests.support.database import change, rows_of, spy_on
from tests.support.samples import CLICK, LEAD

MARK = """
UPDATE crm_deliveries SET zoho_status = :status, zoho_record_id = :record WHERE id = :id
"""
AGED = "UPDATE leads SET created_at = now() - make_interval(secs => 86400 * :days) WHERE id = :id"


@pytest.fixture
def earlier(engine):
    """Store an enquiry of some days ago, which has a record."""

    def store(record="7", *, days=3.0, status="sent", **values):
        lead = record_lead(engine, {**LEAD, **values}).id
        change(engine, MARK, id=lead, status=status, record=record)
        change(engine, AGED, id=lead, days=days)
        return lead

    return store


def take(engine, call="c", rows=100):
    return claim(engine, Lane.FRESH, rows=rows, lease_seconds=60, call_id=call)


def merge(engine, claimed, call="c"):
    """Give the records that the claimed rows join, and check that it is what is stored."""
    chosen = {row.id: row.values.get("merged_into") for row in choose_merges(engine, claimed, call)}
    stored = rows_of(engine, "SELECT id, merged_into FROM crm_deliveries")
    assert {row["id"]: row["merged_into"] for row in stored if row["id"] in chosen} == chosen
    return [*chosen.values()]


def test_an_enquiry_joins_the_record_of_the_last_one_with_its_e_mail(engine, earlier):
    earlier("5", days=9)
    earlier("7", email="ANN@example.com")
    earlier("9", days=2, email="bob@example.com")
    record_lead(engine, LEAD)
    assert merge(engine, take(engine)) == ["7"]


@pytest.mark.parametrize(
    "other",
    [
        {"email": "bob@example.com"},
        {"status": "pending"},
        {"status": "dead"},
        {"days": -1},
        {"days": 91},
    ],
    ids=["another person", "sent again", "given up", "later", "long ago"],
)
def test_nothing_else_is_joined(engine, earlier, other):
    lead = record_lead(engine, LEAD).id
    claimed = take(engine)
    earlier(**other)
    assert [row.id for row in claimed] == [lead]
    assert merge(engine, claimed) == [None]


def test_one_without_a_record_of_its_own_is_passed_over(engine, earlier):
    earlier("7", days=89)
    earlier(None)
    record_lead(engine, LEAD)
    assert merge(engine, take(engine)) == ["7"]


def test_only_the_rows_of_the_claim_are_decided(engine, earlier):
    earlier()
    for _ in range(2):
        record_lead(engine, LEAD)
    others, claimed = take(engine, "other", rows=1), take(engine)
    assert merge(engine, claimed) == ["7"]
    found = rows_of(engine, "SELECT merged_into FROM crm_deliveries WHERE id = :id", id=others[0].id)
    assert found == [{"merged_into": None}]


def test_a_row_that_may_have_made_a_record_already_joins_none(engine, earlier):
    earlier()
    record_lead(engine, LEAD)
    take(engine, "lost")
    change(engine, "UPDATE deliveries SET status = 'pending', next_retry_at = now() WHERE status = 'sending'")
    assert merge(engine, take(engine)) == [None]


def test_a_row_that_was_sent_again_before_its_first_call_joins_it(engine, earlier):
    earlier()
    lead = record_lead(engine, LEAD).id
    change(engine, "INSERT INTO attempts (kind, row_id, event) VALUES ('lead', :id, 'released')", id=lead)
    assert merge(engine, take(engine)) == ["7"]


def test_what_was_decided_or_is_no_longer_ours_stays(engine, earlier):
    earlier()
    decided, lost = (record_lead(engine, LEAD).id for _ in range(2))
    change(engine, "UPDATE deliveries SET merged_into = '5' WHERE id = :id", id=decided)
    claimed = take(engine)
    change(engine, "UPDATE deliveries SET status = 'retrying' WHERE id = :id", id=lost)
    assert {row.id: row.values.get("merged_into") for row in choose_merges(engine, claimed, "c")} == {
        decided: "5",
        lost: None,
    }
    assert rows_of(engine, "SELECT merged_into FROM deliveries WHERE id = :id", id=decided) == [
        {"merged_into": "5"}
    ]
    assert rows_of(engine, "SELECT merged_into FROM deliveries WHERE id = :id", id=lost) == [{"merged_into": None}]


def test_taps_join_nothing(engine):
    record_click(engine, CLICK)
    claimed = take(engine)
    spy_on(engine, before=lambda *_: pytest.fail("the database was asked"))
    assert choose_merges(engine, claimed, "c") == claimed


@pytest.mark.parametrize(
    ("error", "level"),
    [(OperationalError("SELECT", {}, PostgresGone("ended")), logging.WARNING), (KeyError("odd"), logging.ERROR)],
    ids=["database", "anything"],
)
def test_whatever_fails_the_enquiries_become_records(engine, earlier, caplog, error, level):
    earlier()
    record_lead(engine, LEAD)
    claimed = take(engine)

    def fail(*_):
        raise error

    spy_on(engine, before=fail)
    assert choose_merges(engine, claimed, "c") == claimed
    assert [line.levelno for line in caplog.records if "could not be merged" in line.getMessage()] == [level]
