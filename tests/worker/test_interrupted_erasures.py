"""Erasures that meet a call in flight, a CRM in trouble or each other: finished all the same, only later."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from leads.crm_state.gate import Reason, open_gate, shut_gate
from leads.outbox.rows import Lane
from leads.outbox.store import record_lead
from leads.privacy.erasure import list_erasures
from tests.rows import LEAD, change, rows_of
from tests.worker.erasures import (
    erase,
    in_recycle_bin,
    let_the_watch_end,
    open_rows,
    work_off,
)
from tests.worker.process import wait_for
from worker.app import app
from worker.delivery.deliver import deliver
from worker.tick import Ticker


@pytest.mark.parametrize(
    "fault", [{"latency": {"ms": 900, "path": "upsert"}}, {"hang": {"seconds": 3, "commit": True}}]
)
def test_a_lead_in_flight_at_that_moment_is_deleted_where_it_lands(crm, sandbox, fault):
    crm.client.probe()
    lead = record_lead(crm.engine, LEAD).id
    name, switch = next(iter(fault.items()))
    sandbox.faults(**{name: {**switch, "path": "upsert", "count": 1}})
    with ThreadPoolExecutor(1) as pool:
        delivery = pool.submit(deliver, crm, Lane.FRESH)
        wait_for(lambda: sandbox.summary()["in_flight"] == 1, 5, "the call in flight")
        assert len(erase(crm).leads) == 1
        first = work_off(crm)
        summary = delivery.result(15)
    assert (summary.claimed, summary.fenced) == (1, 1)  # the late mark marks nothing
    assert rows_of(crm.engine, "SELECT 1 FROM leads") == []
    if name == "latency":  # the look came too early: the call landed after it
        assert first.deleted == 0
        assert len(sandbox.records(Website_Event_ID=str(lead))) == 1
    assert open_rows(crm) == 1
    assert work_off(crm).looked == 0  # not before the watch ends
    let_the_watch_end(crm)
    work_off(crm)
    assert sandbox.records() == []
    assert open_rows(crm) == 0
    (row,) = list_erasures(crm.engine, most=9)
    assert (row["records_deleted"], row["open"]) == (1, 0)


def test_the_watch_outlasts_the_lease_of_a_call_in_flight(crm):
    record_lead(crm.engine, LEAD)
    change(crm.engine, "UPDATE leads SET zoho_status = 'sending', next_retry_at = now() + interval '60 s'")
    change(crm.engine, "INSERT INTO crm_attempts (kind, row_id, event) SELECT 'lead', id, 'claimed' FROM leads")
    erase(crm)
    (row,) = rows_of(crm.engine, "SELECT extract(epoch FROM watch_until - now())::int AS left FROM erased_rows")
    assert 170 < row["left"] <= 180


def test_a_record_whose_reply_was_lost_is_found_by_its_event_id(crm, sandbox):
    record_lead(crm.engine, LEAD)
    sandbox.faults(commit_then_drop={"count": 1, "path": "upsert"})
    assert deliver(crm, Lane.FRESH).retrying == 1
    erase(crm)
    assert work_off(crm).deleted == 1
    assert sandbox.records() == []


@pytest.mark.parametrize("fault", ["commit_then_drop", "drop", "server_error", "record_locked"])
def test_an_erasure_that_broke_off_in_the_middle_is_finished_later(crm, sandbox, fault):
    record_lead(crm.engine, LEAD)
    deliver(crm, Lane.FRESH)
    erase(crm)
    if fault == "record_locked":  # the CRM answers a deletion with a code of its own
        sandbox.faults(top_level_error={"status": 400, "code": "RECORD_LOCKED", "path": "Leads/4", "count": 1})
    else:
        sandbox.faults(**{fault: {"path": "Leads/4", "count": 1}})
    broken = work_off(crm)
    assert broken.stopped
    assert broken.looked == 0
    (row,) = list_erasures(crm.engine, most=9)
    assert row["open"] == 1
    assert row["last_error"]
    assert work_off(crm).looked == 0  # not at once again
    let_the_watch_end(crm)
    assert work_off(crm).stopped is None
    assert sandbox.records() == []
    assert open_rows(crm) == 0


@pytest.mark.parametrize("known", [True, False])
def test_a_record_left_in_the_recycle_bin_is_purged_when_the_erasure_goes_on(crm, sandbox, known):
    record_lead(crm.engine, LEAD)
    deliver(crm, Lane.FRESH)
    if not known:  # as after a lost reply: only the event id leads to the record
        change(crm.engine, "UPDATE leads SET zoho_status = 'retrying', zoho_record_id = NULL")
    erase(crm)
    sandbox.faults(server_error={"path": "recycle_bin", "count": 1})
    assert work_off(crm).stopped
    assert sandbox.records() == []
    assert len(in_recycle_bin(crm)) == 1
    let_the_watch_end(crm)
    assert work_off(crm).stopped is None
    assert in_recycle_bin(crm) == []
    (row,) = list_erasures(crm.engine, most=9)
    assert (row["records_deleted"], row["open"]) == (1, 0)


def test_a_scope_that_was_not_granted_is_shown_and_tried_hourly(crm, sandbox):
    record_lead(crm.engine, LEAD)
    deliver(crm, Lane.FRESH)
    erase(crm)
    sandbox.faults(scope_mismatch={"path": "recycle_bin"})
    work_off(crm)
    (row,) = rows_of(
        crm.engine, "SELECT last_error, extract(epoch FROM check_at - now())::int AS wait FROM erased_rows"
    )
    assert "OAUTH_SCOPE_MISMATCH" in row["last_error"]
    assert row["wait"] > 3000


def test_a_shut_gate_keeps_erasures_waiting_and_the_tick_finishes_them(crm, sandbox):
    record_lead(crm.engine, LEAD)
    deliver(crm, Lane.FRESH)
    erase(crm)
    shut_gate(crm.engine, Reason.PAUSED, "holiday", by="ann")
    assert work_off(crm).stopped == "the gate is shut (paused)"
    Ticker(app, crm).tick()
    assert len(sandbox.records()) == 1
    open_gate(crm.engine, by="ann")
    Ticker(app, crm).tick()
    assert sandbox.records() == []


def test_two_workers_share_the_list(crm, sandbox):
    for _ in range(20):
        record_lead(crm.engine, LEAD)
    deliver(crm, Lane.FRESH)
    erase(crm)
    with ThreadPoolExecutor(2) as pool:
        worked = [future.result(30) for future in [pool.submit(work_off, crm) for _ in range(2)]]
    assert sum(one.deleted for one in worked) == 20
    deletions = [call for call in sandbox.calls(method="DELETE") if "/Leads/" in call["path"]]
    assert [call["status"] for call in deletions] == [200] * 20
