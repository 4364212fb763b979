"""Rows that lost two workers are claimed by themselves, and before others."""

from __future__ import annotations

import pytest

from leads.outbox.lease import claim
from leads.outbox.rows import Kind, Lane
from leads.outbox.store import record_click, record_lead
from tests.support.database import change, rows_of, store_many
from tests.support.samples import CLICK, LEAD

TWICE_LOST = "UPDATE deliveries SET status = 'retrying', retry_count = 2, lost_leases = 2"


def take(engine, **more):
    return claim(engine, Lane.RETRY, rows=100, lease_seconds=60.0, call_id="c", **more)


def make_rows(engine, leads=0, clicks=0):
    for _ in range(leads):
        record_lead(engine, LEAD)
    for number in range(clicks):
        record_click(engine, {**CLICK, "unique_code": f"AB{number}"})
    change(engine, TWICE_LOST)


@pytest.mark.parametrize(("leads", "clicks"), [(2, 0), (0, 2), (1, 1)])
def test_of_the_rows_that_lost_two_workers_each_is_claimed_alone(engine, leads, clicks):
    make_rows(engine, leads=leads, clicks=clicks)
    (first,), (second,) = take(engine), take(engine)
    assert first.id != second.id
    assert take(engine) == []


def test_they_are_claimed_before_a_crowd_of_other_retries(engine):
    make_rows(engine, leads=1)
    crowd = {record_lead(engine, LEAD).id for _ in range(2)}
    change(engine, "UPDATE deliveries SET status = 'retrying', lost_leases = 1 WHERE status = 'pending'")
    (alone,) = take(engine)
    assert alone.id not in crowd
    assert {row.id for row in take(engine)} == crowd


def test_a_message_that_lost_two_workers_goes_alone_and_the_lead_in_a_batch(engine):
    ids = {record_lead(engine, LEAD, owed={"zoho": 0.0, "visitor": 0.0}).id for _ in range(2)}
    change(engine, f"{TWICE_LOST} WHERE destination = 'visitor'")
    change(engine, "UPDATE deliveries SET status = 'retrying' WHERE destination = 'zoho'")
    assert len(take(engine, destination="visitor")) == 1
    assert {row.id for row in take(engine)} == ids


@pytest.mark.parametrize("kind", Kind)
def test_looking_for_such_a_row_does_not_read_all_that_wait(engine, kind):
    make_rows(engine)
    for each in Kind:
        store_many(engine, each.table.name, 5000, {}, {"zoho_status": "'retrying'"})
    change(engine, "ANALYZE deliveries")
    pile = f"destination = 'zoho' AND kind = '{kind}' AND {Lane.RETRY.piles[0]} AND next_retry_at <= now()"
    words = f"SELECT 1 FROM deliveries WHERE {pile} AND lost_leases >= 2"
    plan = "\n".join(row["QUERY PLAN"] for row in rows_of(engine, f"EXPLAIN {words}"))
    assert "ix_deliveries_alone" in plan
