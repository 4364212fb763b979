"""Retention: what is old goes, what is owed stays, however many workers look."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text

from leads.outbox.store import record_click
from leads.privacy.retention import retain
from tests.support.database import change, rows_of
from tests.support.processes import wait_for
from tests.support.samples import CLICK, LEAD, record_lead

OWED = {"zoho": 0.0, "visitor": 0.0}
MONTHS = 24


def store(engine, *, age, status="sent", table="leads"):
    """A row with an address, `age` ago, in this status."""
    if table == "leads":
        row = record_lead(engine, {**LEAD, "ip_address": "203.0.113.9"}, owed=OWED).id
    else:
        row = record_click(engine, {**CLICK, "unique_code": f"{age}{status}"[:30], "ip_address": "203.0.113.9"})
    change(
        engine, f"UPDATE {table} SET created_at = now() - cast(:age AS interval) WHERE id = :id", id=row, age=age
    )
    change(engine, "UPDATE crm_deliveries SET zoho_status = :status WHERE id = :id", id=row, status=status)
    return row


def kept(engine, table="leads"):
    return {row["id"]: row["ip_address"] for row in rows_of(engine, f"SELECT id, ip_address FROM {table}")}


def test_old_rows_go_and_old_addresses_are_forgotten(engine):
    old = store(engine, age="25 months")
    click = store(engine, age="25 months", table="whatsapp_clicks")
    month = store(engine, age="31 days")
    new = store(engine, age="29 days")
    done = retain(engine, MONTHS)
    assert done == {"lead": 1, "click": 1, "address": 1}
    assert kept(engine) == {month: None, new: "203.0.113.9"}
    assert kept(engine, "whatsapp_clicks") == {}
    owed = rows_of(engine, "SELECT id FROM deliveries WHERE destination = 'visitor'")
    assert {row["id"] for row in owed} == {month, new}
    assert old not in kept(engine)
    assert click not in kept(engine)


@pytest.mark.parametrize("status", ["pending", "sending", "retrying"])
@pytest.mark.parametrize("table", ["leads", "whatsapp_clicks"])
def test_a_row_that_owes_the_crm_a_call_is_not_touched(engine, status, table):
    row = store(engine, age="30 months", status=status, table=table)
    done = retain(engine, MONTHS)
    assert not any(done.values())
    assert kept(engine, table) == {row: "203.0.113.9"}


@pytest.mark.parametrize("status", ["sent", "dead", "held"])
def test_a_row_that_is_settled_goes(engine, status):
    store(engine, age="30 months", status=status)
    assert retain(engine, MONTHS)["lead"] == 1


def test_a_row_that_is_requeued_at_the_last_moment_stays(engine):
    """Its redrive is not committed yet when retention comes to delete it."""
    row = store(engine, age="25 months", status="dead")
    waits = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%DELETE FROM deliver%'"
    with ThreadPoolExecutor(1) as pool, engine.connect().execution_options(isolation_level="READ COMMITTED") as one:
        with one.begin():
            one.execute(text("UPDATE crm_deliveries SET zoho_status = 'pending' WHERE id = :id"), {"id": row})
            retaining = pool.submit(retain, engine, MONTHS)
            wait_for(lambda: retaining.done() or rows_of(engine, waits), 10, "retention to come to the row")
        assert retaining.result(10)["lead"] == 0
    assert set(kept(engine)) == {row}
    assert rows_of(engine, "SELECT id FROM crm_deliveries") == [{"id": row}]


def test_nothing_remains_of_the_delivery_of_a_row_that_is_gone(engine):
    store(engine, age="25 months")
    store(engine, age="25 months", table="whatsapp_clicks")
    change(engine, "INSERT INTO attempts (kind, row_id, event) SELECT kind, id, 'refused' FROM deliveries")
    retain(engine, MONTHS)
    assert rows_of(engine, "SELECT id FROM deliveries") == rows_of(engine, "SELECT id FROM attempts") == []


def test_a_run_that_is_broken_off_goes_on_at_the_next_look(engine, monkeypatch):
    monkeypatch.setattr("leads.privacy.retention.STEP_ROWS", 1)
    for _ in range(2):
        store(engine, age="25 months")
    looks = iter([True, False])
    assert retain(engine, MONTHS, may_continue=lambda: next(looks, False))["lead"] == 1
    assert retain(engine, MONTHS)["lead"] == 1
