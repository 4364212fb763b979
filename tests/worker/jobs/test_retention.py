"""Retention: what is old goes, what is owed stays, once a day over all workers, with a record of each run."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text

from leads.outbox.store import record_click, record_lead
from leads.privacy.retention import Terms, list_runs, retain, retain_today
from tests.support.database import change, rows_of
from tests.support.processes import WorkerProcess, wait_for
from tests.support.samples import CLICK, LEAD

OWED = {"zoho": 0.0, "visitor": 0.0}
TERMS = Terms(months=24, days=30)


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
    done = retain(engine, TERMS, by="ada", ask=None)
    assert (done.leads, done.clicks, done.addresses, done.finished) == (1, 1, 1, True)
    assert kept(engine) == {month: None, new: "203.0.113.9"}
    assert kept(engine, "whatsapp_clicks") == {}
    owed = rows_of(engine, "SELECT id FROM deliveries WHERE destination = 'visitor'")
    assert {row["id"] for row in owed} == {month, new}
    assert old not in kept(engine)
    assert click not in kept(engine)
    (run,) = list_runs(engine)
    assert (run["by"], run["leads"], run["clicks"], run["addresses"]) == ("ada", 1, 1, 1)
    assert run["finished_at"] is not None


@pytest.mark.parametrize("status", ["pending", "sending", "retrying"])
@pytest.mark.parametrize("table", ["leads", "whatsapp_clicks"])
def test_a_row_that_owes_the_crm_a_call_is_not_touched(engine, status, table):
    row = store(engine, age="30 months", status=status, table=table)
    done = retain(engine, TERMS, by="ada", ask=None)
    assert (done.leads, done.clicks, done.addresses) == (0, 0, 0)
    assert kept(engine, table) == {row: "203.0.113.9"}


@pytest.mark.parametrize("status", ["sent", "dead", "held"])
def test_a_row_that_is_settled_goes(engine, status):
    store(engine, age="30 months", status=status)
    assert retain(engine, TERMS, by="ada", ask=None).leads == 1


def test_a_row_that_is_requeued_at_the_last_moment_stays(engine):
    """Its redrive is not committed yet when retention comes to delete it."""
    row = store(engine, age="25 months", status="dead")
    waits = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%DELETE FROM deliver%'"
    with ThreadPoolExecutor(1) as pool, engine.connect().execution_options(isolation_level="READ COMMITTED") as one:
        with one.begin():
            one.execute(text("UPDATE crm_deliveries SET zoho_status = 'pending' WHERE id = :id"), {"id": row})
            retaining = pool.submit(retain, engine, TERMS, by="ada", ask=None)
            wait_for(lambda: rows_of(engine, waits) != [], 10, "retention to wait for the redrive")
        assert retaining.result(10).leads == 0
    assert set(kept(engine)) == {row}
    assert rows_of(engine, "SELECT id FROM crm_deliveries") == [{"id": row}]


def test_nothing_remains_of_the_delivery_of_a_row_that_is_gone(engine):
    store(engine, age="25 months")
    store(engine, age="25 months", table="whatsapp_clicks")
    change(engine, "INSERT INTO attempts (kind, row_id, event) SELECT kind, id, 'rejected' FROM deliveries")
    retain(engine, TERMS, by="ada", ask=None)
    assert rows_of(engine, "SELECT id FROM deliveries") == rows_of(engine, "SELECT id FROM attempts") == []


def test_a_dry_run_says_the_same_and_changes_nothing(engine, run):
    store(engine, age="25 months")
    store(engine, age="31 days")
    before = kept(engine)
    result = run("retain", "--dry-run", "--json", env={"RETENTION_MONTHS": "24"})
    assert json.loads(result.stdout)[0] == {
        "leads": 1,
        "clicks": 0,
        "addresses": 1,
        "finished": True,
        "converted": 0,
        "unasked": 0,
    }
    assert kept(engine) == before
    assert list_runs(engine) == []
    result = run("retain", "--by", "ada", "--json")
    assert json.loads(result.stdout)[0]["leads"] == 1
    assert "ada" in run("retain", "--runs").stdout


def test_the_days_run_happens_once_however_many_workers_tick(engine):
    store(engine, age="25 months")
    results = []
    threads = [
        threading.Thread(
            target=lambda: results.append(retain_today(engine, TERMS, by="w", ask=None, may_continue=lambda: True))
        )
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [done.leads for done in results if done is not None] == [1]
    assert len(list_runs(engine)) == 1
    change(engine, "UPDATE retention_runs SET day = day - 1")
    assert retain_today(engine, TERMS, by="w", ask=None, may_continue=lambda: True) is not None


def test_a_run_that_was_broken_off_is_taken_up_again(engine):
    store(engine, age="25 months")
    broken = retain_today(engine, TERMS, by="w1", ask=None, may_continue=lambda: False)
    assert broken is not None
    assert not broken.finished
    again = retain_today(engine, TERMS, by="w2", ask=None, may_continue=lambda: True)
    assert again is not None
    assert (again.leads, again.finished) == (1, True)
    (run,) = list_runs(engine)
    assert run["leads"] == 1
    assert retain_today(engine, TERMS, by="w3", ask=None, may_continue=lambda: True) is None


@pytest.mark.slow
def test_a_worker_does_it_by_itself(engine, crm_environment, tmp_path):
    store(engine, age="25 months")
    with WorkerProcess({**crm_environment, "CRM_TICK_SECONDS": "0.5"}, tmp_path / "log") as worker:
        wait_for(lambda: kept(engine) == {}, 20, "the day's run")
        wait_for(lambda: "retention removed" in worker.text, 20, "its line in the log")
