"""Erasures that meet a CRM in trouble, a pause or each other: finished all the same, only later."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from leads.lifecycle import Reason
from leads.outbox.pause import pause, read_destinations, resume
from leads.privacy.erasure import list_erasures
from tests.support.database import change, rows_of
from tests.support.erasure import erase, in_recycle_bin, let_the_watch_end, open_rows, work_off
from tests.support.pipeline import deliver, make_due
from tests.support.samples import LEAD, record_lead


def test_the_watch_outlasts_the_lease_of_a_call_in_flight(context):
    record_lead(context.engine, LEAD)
    change(
        context.engine, "UPDATE crm_deliveries SET zoho_status = 'sending', next_retry_at = now() + interval '60 s'"
    )
    change(context.engine, "INSERT INTO crm_attempts (kind, row_id, event) SELECT 'lead', id, 'claimed' FROM leads")
    erase(context)
    (row,) = rows_of(context.engine, "SELECT extract(epoch FROM watch_until - now())::int AS left FROM erased_rows")
    assert 170 < row["left"] <= 180


@pytest.mark.parametrize("fault", ["commit_then_drop", "drop", "server_error", "record_locked"])
def test_an_erasure_that_broke_off_in_the_middle_is_finished_later(context, sandbox, fault):
    record_lead(context.engine, LEAD)
    deliver(context)
    erase(context)
    if fault == "record_locked":  # the CRM answers a deletion with a code of its own
        sandbox.faults(top_level_error={"status": 400, "code": "RECORD_LOCKED", "path": "Leads/4", "count": 1})
    else:
        sandbox.faults(**{fault: {"path": "Leads/4", "count": 1}})
    broken = work_off(context)
    assert broken.stopped
    assert broken.rows_checked == 0
    (row,) = list_erasures(context.engine, limit=9)
    assert row["open"] == 1
    assert row["last_error"]
    assert work_off(context).rows_checked == 0  # not at once again
    let_the_watch_end(context)
    assert work_off(context).stopped is None
    assert sandbox.records() == []
    assert open_rows(context) == 0


@pytest.mark.parametrize("known", [True, False])
def test_a_record_left_in_the_recycle_bin_is_purged_when_the_erasure_goes_on(context, sandbox, known):
    record_lead(context.engine, LEAD)
    deliver(context)
    if not known:  # as after a lost reply: only the event id leads to the record
        change(context.engine, "UPDATE crm_deliveries SET zoho_status = 'retrying', zoho_record_id = NULL")
    erase(context)
    sandbox.faults(server_error={"path": "recycle_bin", "count": 1})
    assert work_off(context).stopped
    assert sandbox.records() == []
    assert len(in_recycle_bin(context, sandbox)) == 1
    let_the_watch_end(context)
    assert work_off(context).stopped is None
    assert in_recycle_bin(context, sandbox) == []
    (row,) = list_erasures(context.engine, limit=9)
    assert (row["records_deleted"], row["open"]) == (1, 0)


def test_a_scope_that_was_not_granted_is_shown_and_tried_hourly(context, sandbox):
    record_lead(context.engine, LEAD)
    deliver(context)
    erase(context)
    sandbox.faults(scope_mismatch={"path": "recycle_bin"})
    work_off(context)
    (row,) = rows_of(
        context.engine, "SELECT last_error, extract(epoch FROM check_at - now())::int AS wait FROM erased_rows"
    )
    assert "OAUTH_SCOPE_MISMATCH" in row["last_error"]
    assert row["wait"] > 3000
    record_lead(context.engine, {**LEAD, "email": "bob@example.com"})
    assert deliver(context) == ["SENT"]  # leads need no such scope


def test_an_operators_pause_keeps_erasures_waiting(context, sandbox):
    record_lead(context.engine, LEAD)
    deliver(context)
    erase(context)
    pause(context.engine, "zoho", Reason.PAUSED, "holiday", by="ann")
    assert work_off(context).stopped == "calls to zoho are paused (paused)"
    assert len(sandbox.records()) == 1
    resume(context.engine, "zoho", by="ann")
    work_off(context)
    assert sandbox.records() == []


@pytest.mark.parametrize(("reason", "ends"), [(Reason.RATE, True), (Reason.CONFIGURATION, False)])
def test_an_erasure_may_be_the_trial_but_not_of_a_configuration_that_only_a_lead_can_prove(
    context, sandbox, reason, ends
):
    record_lead(context.engine, LEAD)
    deliver(context)
    erase(context)
    pause(context.engine, "zoho", reason, "429", by="worker")
    assert work_off(context).stopped == f"calls to zoho are paused ({reason})"
    make_due(context)
    work_off(context)
    assert (sandbox.records() == [], read_destinations(context.engine)["zoho"].reason is None) == (ends, ends)


def test_two_workers_share_the_list(context, sandbox):
    for _ in range(20):
        record_lead(context.engine, LEAD)
    deliver(context)
    erase(context)
    with ThreadPoolExecutor(2) as pool:
        worked = [future.result(30) for future in [pool.submit(work_off, context) for _ in range(2)]]
    assert sum(one.deleted for one in worked) == 20
    deletions = [call for call in sandbox.calls(method="DELETE") if "/Leads/" in call["path"]]
    assert [call["status"] for call in deletions] == [200] * 20
