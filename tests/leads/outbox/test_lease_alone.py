"""Rows that lost two workers go one at a time: over all workers, both kinds, whoever looks at the same moment."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait

import pytest
from sqlalchemy import text

from leads.lifecycle import Delivered
from leads.outbox.lease import Mark, claim, mark
from leads.outbox.rows import Kind, Lane
from leads.outbox.store import record_click, record_lead
from tests.support.database import change, rows_of, spy_on, store_many
from tests.support.processes import wait_for
from tests.support.samples import CLICK, LEAD

TWICE_LOST = "UPDATE deliveries SET zoho_status = 'retrying', retry_count = 2, lost_leases = 2"
# Holds every claim between its look and its commit, for as long as somebody else has the lock.
PAUSE = """
CREATE FUNCTION pause_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_advisory_xact_lock_shared(77); RETURN NULL; END $$;
CREATE TRIGGER pause AFTER UPDATE ON deliveries FOR EACH ROW EXECUTE FUNCTION pause_deliveries();
"""
PAUSED = "SELECT count(*) AS n FROM pg_locks WHERE locktype = 'advisory' AND objid = 77 AND NOT granted"


def take(engine, lease=60.0):
    return claim(engine, Lane.RETRY, rows=100, lease_seconds=lease, call_id="c")


def deliver(engine, row):
    mark(engine, [Mark(row, Delivered("1"), "c")])


def make_rows(engine, leads=0, clicks=0):
    for _ in range(leads):
        record_lead(engine, LEAD)
    for number in range(clicks):
        record_click(engine, {**CLICK, "unique_code": f"AB{number}"})
    change(engine, TWICE_LOST)


@pytest.mark.parametrize(("leads", "clicks"), [(2, 0), (0, 2), (1, 1)])
def test_of_the_rows_that_lost_two_workers_one_alone_is_on_its_way(engine, leads, clicks):
    make_rows(engine, leads=leads, clicks=clicks)
    (first,) = take(engine)
    assert take(engine) == []
    deliver(engine, first)
    (second,) = take(engine)
    assert first.id != second.id


def test_a_lease_that_is_over_holds_no_other_row_up(engine):
    make_rows(engine, leads=1)
    (over,) = take(engine, lease=0.0)
    record_lead(engine, LEAD)
    change(engine, f"{TWICE_LOST} WHERE id <> :id", id=over.id)
    (other,) = take(engine)
    assert other.id != over.id


def test_the_one_on_its_way_holds_no_crowd_up(engine):
    make_rows(engine, leads=1)
    take(engine)
    crowd = {record_lead(engine, LEAD).id for _ in range(2)}
    change(engine, "UPDATE deliveries SET zoho_status = 'retrying' WHERE zoho_status = 'pending'")
    assert {row.id for row in take(engine)} == crowd


@pytest.mark.parametrize(("leads", "clicks"), [(2, 0), (1, 1)])
def test_two_claimers_in_the_same_moment_take_one_row_between_them(engine, leads, clicks):
    """The second looks while the first has chosen its row and not yet committed."""
    make_rows(engine, leads=leads, clicks=clicks)
    change(engine, PAUSE)
    with ThreadPoolExecutor(2) as pool, engine.connect() as holder:
        holder.execute(text("SELECT pg_advisory_lock(77)"))
        first = pool.submit(take, engine)
        wait_for(lambda: rows_of(engine, PAUSED)[0]["n"] == 1, 20, "the first to have chosen")
        second = pool.submit(take, engine)
        wait_for(lambda: second.done() or rows_of(engine, PAUSED)[0]["n"] == 2, 20, "the second to have looked")
        holder.execute(text("SELECT pg_advisory_unlock(77)"))
        wait([first, second], 20)
    assert len(first.result()) == 1
    assert second.result() == []


def test_a_claimer_that_waited_for_its_turn_sees_what_was_taken_meanwhile(engine):
    """The second has found that a row is due; the first comes, takes it and is gone, before the second claims."""
    make_rows(engine, leads=2)
    taken = []

    def overtake(_cursor, statement, _parameters):
        if not taken and "pg_try_advisory" in statement:
            taken.append("under way")
            taken.extend(take(engine))

    spy_on(engine, before=overtake)
    assert take(engine) == []
    assert len(taken) == 2


@pytest.mark.parametrize("kind", Kind)
def test_looking_for_such_a_row_does_not_read_all_that_wait(engine, kind):
    make_rows(engine)
    for each in Kind:
        store_many(engine, each.table.name, 5000, {}, {"zoho_status": "'retrying'"})
    change(engine, "ANALYZE deliveries")
    pile = f"kind = '{kind}' AND {Lane.RETRY.piles[0]} AND next_retry_at <= now()"
    words = f"SELECT 1 FROM deliveries WHERE {pile} AND lost_leases >= 2"
    plan = "\n".join(row["QUERY PLAN"] for row in rows_of(engine, f"EXPLAIN {words}"))
    assert "ix_deliveries_alone" in plan


def test_a_claim_can_leave_them_to_others(engine):
    make_rows(engine, leads=2)
    change(engine, TWICE_LOST)
    asked = {"rows": 100, "lease_seconds": 60.0, "call_id": "c"}
    assert claim(engine, Lane.RETRY, **asked, alone=False) == []
    assert len(claim(engine, Lane.RETRY, **asked)) == 1
