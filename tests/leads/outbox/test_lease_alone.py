"""Rows that lost two workers go one at a time: over all workers, both kinds, whoever looks at the same moment."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait

import pytest
from sqlalchemy import event, text

from leads.lifecycle import Delivered
from leads.outbox.lease import Mark, claim, mark
from leads.outbox.rows import Kind, Lane
from leads.outbox.store import record_click, record_lead
from tests.support.database import change, rows_of
from tests.support.processes import wait_for
from tests.support.samples import CLICK, LEAD

TWICE_LOST = "UPDATE {} SET zoho_status = 'retrying', retry_count = 2, lost_leases = 2"
# Holds every claim between its look and its commit, for as long as somebody else has the lock.
PAUSE = """
CREATE FUNCTION pause_{table}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_advisory_xact_lock_shared(77); RETURN NULL; END $$;
CREATE TRIGGER pause AFTER UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION pause_{table}();
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
    for kind in Kind:
        change(engine, TWICE_LOST.format(kind.table.name))


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
    change(engine, f"{TWICE_LOST.format('leads')} WHERE id <> :id", id=over.id)
    (other,) = take(engine)
    assert other.id != over.id


def test_the_one_on_its_way_holds_no_crowd_up(engine):
    make_rows(engine, leads=1)
    take(engine)
    crowd = {record_lead(engine, LEAD).id for _ in range(2)}
    change(engine, "UPDATE leads SET zoho_status = 'retrying' WHERE zoho_status = 'pending'")
    assert {row.id for row in take(engine)} == crowd


@pytest.mark.parametrize(("leads", "clicks"), [(2, 0), (1, 1)])
def test_two_claimers_in_the_same_moment_take_one_row_between_them(engine, leads, clicks):
    """The second looks while the first has chosen its row and not yet committed."""
    make_rows(engine, leads=leads, clicks=clicks)
    for kind in Kind:
        change(engine, PAUSE.format(table=kind.table.name))
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

    def overtake(_connection, _cursor, statement, *_):
        if not taken and "pg_try_advisory" in statement:
            taken.append("under way")
            taken.extend(take(engine))

    event.listen(engine, "before_cursor_execute", overtake)
    assert take(engine) == []
    assert len(taken) == 2


@pytest.mark.parametrize("table", [kind.table.name for kind in Kind])
def test_looking_for_such_a_row_does_not_read_all_that_wait(engine, table):
    make_rows(engine)
    change(
        engine,
        "INSERT INTO leads (id, name, surname, email, country_code, phone, phone_e164, zoho_status)"
        " SELECT gen_random_uuid(), 'a', 'b', 'c', '+44', '1', '2', 'retrying' FROM generate_series(1, 5000)",
    )
    change(
        engine,
        "INSERT INTO whatsapp_clicks (id, unique_code, whatsapp_message, button_location, zoho_status)"
        " SELECT gen_random_uuid(), n::text, 'a', 'b', 'retrying' FROM generate_series(1, 5000) AS n",
    )
    change(engine, f"ANALYZE {table}")
    words = f"SELECT 1 FROM {table} WHERE {Lane.RETRY.piles[0]} AND next_retry_at <= now() AND lost_leases >= 2"
    plan = "\n".join(row["QUERY PLAN"] for row in rows_of(engine, f"EXPLAIN {words}"))
    assert f"ix_{table}_alone" in plan


def test_a_claim_can_leave_them_to_others(engine):
    make_rows(engine, leads=2)
    change(engine, TWICE_LOST.format("leads"))
    asked = {"rows": 100, "lease_seconds": 60.0, "call_id": "c"}
    assert claim(engine, Lane.RETRY, **asked, alone=False) == []
    assert len(claim(engine, Lane.RETRY, **asked)) == 1
