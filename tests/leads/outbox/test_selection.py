"""Rows by filter, as operators list them: their order, their pages, why each waits and when it is tried next."""

from datetime import UTC, datetime, timedelta

import pytest

from leads.lifecycle import Reason
from leads.outbox.holds import Held
from leads.outbox.pause import pause
from leads.outbox.selection import ORDERS, STATES, Selection, count_rows, list_rows
from leads.outbox.store import record_click
from tests.support.database import change
from tests.support.samples import CLICK, LEAD, record_lead

EVERYTHING = Selection(states=STATES)


# Status, tries, and in how many hours the next one is due: the oldest row first.
ROWS = (("retrying", 1, 3), ("dead", 9, 0), ("pending", 0, 2), ("retrying", 4, 1), ("retrying", 2, 4))


@pytest.fixture
def rows(engine):
    """Five rows of both kinds, an hour apart."""
    clicks = [record_click(engine, {**CLICK, "unique_code": code}) for code in ("AB12C", "ZZ999")]
    leads = [record_lead(engine, LEAD).id for _ in range(3)]
    found = [leads[0], clicks[0], leads[1], leads[2], clicks[1]]
    for index, (row, (status, tries, hours)) in enumerate(zip(found, ROWS, strict=True)):
        change(
            engine,
            "UPDATE deliveries SET status = :status, retry_count = :tries, last_error = :error,"
            " queued_at = now() - make_interval(hours => :age),"
            " next_retry_at = now() + make_interval(hours => :hours) WHERE id = :id",
            id=row,
            status=status,
            tries=tries,
            error="BUSY: x" if tries else None,
            age=9 - index,
            hours=hours,
        )
    return found


def listed(engine, rows, **options):
    return [rows.index(row["id"]) for row in list_rows(engine, EVERYTHING, **{"limit": 9, **options})]


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("oldest", [0, 1, 2, 3, 4]),
        ("newest", [4, 3, 2, 1, 0]),
        ("tries", [1, 3, 4, 0, 2]),
        ("next", [3, 2, 0, 4, 1]),
    ],
)
def test_the_order_and_the_pages_go_through_all_kinds_and_states(engine, rows, order, expected):
    assert listed(engine, rows, order=order) == expected
    pages = [listed(engine, rows, order=order, limit=2, offset=offset) for offset in (0, 2, 4, 6)]
    assert pages == [expected[:2], expected[2:4], expected[4:], []]


def told(engine, row_id):
    (row,) = list_rows(engine, Selection(ids=[row_id], states=STATES), limit=1)
    return row["why"], row["next"]


def hours_away(at):
    return round((at - datetime.now(UTC)) / timedelta(hours=1))


def test_a_row_says_why_it_waits_and_when_it_is_tried(engine, rows):
    why, at = told(engine, rows[0])
    assert (why, hours_away(at)) == ("BUSY", 3)
    assert told(engine, rows[1]) == ("BUSY", None)
    assert told(engine, rows[2])[0] == "not due yet"
    change(engine, "UPDATE deliveries SET next_retry_at = now() WHERE id = :id", id=rows[2])
    assert told(engine, rows[2]) == ("its turn comes", "due")
    change(engine, "UPDATE deliveries SET status = 'sending' WHERE id = :id", id=rows[2])
    assert told(engine, rows[2]) == ("in a call", None)
    change(engine, "UPDATE deliveries SET status = 'dead' WHERE id = :id", id=rows[2])
    assert told(engine, rows[2]) == ("-", None)


def test_a_row_for_a_destination_that_is_gone_is_listed_too(engine):
    lead = record_lead(engine, LEAD, owed={"gone": 0.0}).id
    assert told(engine, lead) == ("its turn comes", "due")


def test_no_row_is_tried_before_the_trial_of_a_paused_destination(engine, rows):
    pause(engine, "zoho", Reason.RATE, "429", by="worker", wait=7200.0)
    assert told(engine, rows[2])[0] == "calls are paused: rate"
    assert [hours_away(told(engine, rows[index])[1]) for index in (0, 3)] == [3, 2]
    pause(engine, "zoho", Reason.PAUSED, "moving house", by="ann")
    assert told(engine, rows[0])[1] == "after resume"
    assert told(engine, rows[1]) == ("BUSY", None)


@pytest.mark.parametrize("order", ORDERS)
def test_rows_of_one_moment_are_on_one_page_each(engine, order):
    leads = sorted(record_lead(engine, LEAD).id for _ in range(4))
    change(engine, "UPDATE deliveries SET queued_at = now(), next_retry_at = now()")
    assert listed(engine, leads, order=order) == [0, 1, 2, 3]
    assert [listed(engine, leads, order=order, limit=1, offset=page) for page in range(4)] == [[0], [1], [2], [3]]


def test_a_row_is_named_as_people_know_it_however_long_ago_it_came(engine):
    lead = record_lead(engine, LEAD, owed={"visitor": 0.0})
    click = record_click(engine, CLICK)
    change(engine, "UPDATE deliveries SET queued_at = now() - interval '1 week'")
    found = {row["id"]: row for row in list_rows(engine, Selection(), limit=9)}
    assert {key: row["reference"] for key, row in found.items()} == {
        lead.id: lead.reference,
        click: CLICK["unique_code"],
    }
    assert all(hours_away(row["created_at"]) == 0 for row in found.values())
    assert {round(row["age"] / 86400) for row in found.values()} == {7}


def test_the_largest_group_is_counted_first_with_next_try_and_age(engine, rows):
    record_lead(engine, LEAD, held=Held.FLOOD)
    change(engine, "UPDATE deliveries SET queued_at = now() - interval '20 hours' WHERE status = 'held'")
    counted = count_rows(engine, EVERYTHING)
    assert [(group["kind"], group["status"], group["rows"]) for group in counted][:1] == [("lead", "retrying", 2)]
    assert len(counted) == 5
    first = counted[0]
    assert (hours_away(first["next_try"]), round(first["age"] / 3600)) == (1, 9)
