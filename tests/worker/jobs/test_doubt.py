"""Rows whose calls had no answer are looked for while they wait: found ones are sent, and told."""

from __future__ import annotations

import json

import pytest

from leads.outbox.find import read_timeline
from leads.outbox.gate import Reason, shut_gate
from leads.outbox.rows import Lane
from tests.support.database import change, rows_of
from tests.support.pipeline import record, statuses
from worker.app import app
from worker.delivery.deliver import deliver
from worker.jobs.doubt import DoubtfulRows
from worker.tick import Ticker

LONG_AGO = (
    "UPDATE crm_deliveries SET last_retry_at = now() - interval '6 min', next_retry_at = now() + interval '4 h'"
    " WHERE zoho_status = 'retrying'"
)


@pytest.fixture
def doubtful(context, sandbox):
    """Lose the reply to so many rows, some minutes ago; they are tried again in hours."""

    def lose(count):
        ids = record(context, count)
        sandbox.faults(commit_then_drop={"count": 1, "path": "upsert"})
        assert deliver(context.delivery, context.crm, Lane.FRESH).retrying == count
        change(context.engine, LONG_AGO)
        return ids

    return lose


def look(rows):
    return rows.look(may_continue=lambda: True)


def searches(sandbox):
    return len(sandbox.calls(path="/crm/v8/Leads/search"))


def test_rows_that_are_there_are_sent_without_another_call_for_them(context, sandbox, doubtful, run):
    ids = doubtful(25)
    customer = sandbox.records()[0]["id"]
    sandbox.convert(customer)
    assert set(look(DoubtfulRows(context.access))) == set(ids)
    assert statuses(context) == {"sent": 25}
    assert (searches(sandbox), len(sandbox.calls(path="/crm/v8/Leads/upsert"))) == (3, 1)
    records = rows_of(context.engine, "SELECT zoho_record_id AS id FROM crm_deliveries")
    assert {row["id"] for row in records} == {found["id"] for found in sandbox.records()}
    assert read_timeline(context.engine, ids[0])[-1]["code"] == "FOUND"
    assert json.loads(run("status", "--json").output)["in_doubt"] == {"rows": 0, "found": 25}


def test_a_row_that_is_not_there_is_looked_for_once_after_each_try(context, sandbox, run):
    record(context, 1)
    sandbox.faults(server_error={"path": "upsert"})
    deliver(context.delivery, context.crm, Lane.FRESH)
    change(context.engine, LONG_AGO)
    rows = DoubtfulRows(context.access)
    assert [look(rows), look(rows), searches(sandbox)] == [[], [], 1]
    assert statuses(context) == {"retrying": 1}
    assert "In doubt: 1 rows" in run("status").output
    change(context.engine, LONG_AGO)  # tried once more
    look(rows)
    assert searches(sandbox) == 2


def test_what_could_not_be_looked_for_is_looked_for_later(context, sandbox, doubtful):
    doubtful(1)
    rows = DoubtfulRows(context.access)
    sandbox.faults(server_error={"path": "search"})
    assert look(rows) == []
    sandbox.only_faults()
    shut_gate(context.engine, Reason.OUTAGE, "x", by="worker")
    assert look(rows) == []
    change(context.engine, "UPDATE gates SET state = 'open', reason = NULL, credits_left = 5, credits_at = now()")
    assert look(rows) == []  # the credits are kept for fresh leads
    change(context.engine, "UPDATE gates SET credits_left = NULL")
    assert len(look(rows)) == 1


def test_a_tick_looks(context, sandbox, doubtful):
    doubtful(1)
    ticker = Ticker(app, context)
    ticker.tick()
    assert statuses(context) == {"retrying": 1}
    ticker._check_at = 0.0
    ticker.tick()
    assert statuses(context) == {"sent": 1}
