"""From stored rows to the CRM's own ledger, with the CRM misbehaving in every documented way."""

from __future__ import annotations

import pytest

from leads.outbox.clicks import record_click
from leads.outbox.gate import Reason, read_gate, shut_gate
from leads.outbox.kinds import Lane
from leads.outbox.record import record_lead
from leads.outbox.redrive import read_timeline
from leads.outbox.sweep import sweep
from tests.rows import CLICK, LEAD, change, rows_of
from worker.sync import deliver


def record(crm, count=1, **values):
    return [record_lead(crm.engine, {**LEAD, **values}).id for _ in range(count)]


def statuses(crm):
    found = rows_of(crm.engine, "SELECT zoho_status, count(*) AS n FROM leads GROUP BY zoho_status")
    return {row["zoho_status"]: row["n"] for row in found}


def make_due(crm):
    change(
        crm.engine, "UPDATE leads SET next_retry_at = now() WHERE zoho_status IN ('pending', 'retrying', 'sending')"
    )
    change(crm.engine, "UPDATE crm_gate SET until_at = now() WHERE until_at IS NOT NULL")


def test_leads_and_clicks_become_records_with_their_fields(crm, sandbox):
    (lead,) = record(crm, message="How much?", google_gclid="abc", utm_source="google")
    click = record_click(crm.engine, CLICK)
    assert deliver(crm, Lane.FRESH).sent == 1
    assert deliver(crm, Lane.FRESH).sent == 1
    (from_lead,) = sandbox.records(Website_Event_ID=str(lead))
    (from_click,) = sandbox.records(Website_Event_ID=str(click))
    (stored,) = rows_of(crm.engine, "SELECT reference, zoho_record_id FROM leads")
    assert from_lead["id"] == stored["zoho_record_id"]
    assert from_lead["Website_Reference"] == stored["reference"]
    assert (from_lead["First_Name"], from_lead["Last_Name"], from_lead["Phone"]) == (
        "Ann",
        "Example",
        "+447911123456",
    )
    assert (from_lead["Google_Click_ID"], from_lead["UTM_Source"], from_lead["Description"]) == (
        "abc",
        "google",
        "How much?",
    )
    assert (from_click["Last_Name"], from_click["Lead_Source"]) == ("WhatsApp [AB12C]", "WhatsApp")


def test_a_batch_is_one_call_and_the_next_one_is_rung_for(crm, sandbox):
    record(crm, 150)
    first, second, third = (deliver(crm, Lane.FRESH) for _ in range(3))
    assert (first.sent, first.full, second.sent, second.full, third.claimed) == (100, True, 50, False, 0)
    assert sandbox.summary()["api_calls"] == 2


def test_a_held_lead_is_never_sent(crm, sandbox):
    record_lead(crm.engine, LEAD, held=True)
    assert deliver(crm, Lane.FRESH).claimed == 0
    assert sandbox.records() == []


def test_a_reply_lost_after_the_crm_stored_makes_no_second_record(crm, sandbox):
    record(crm, 100)
    sandbox.faults(commit_then_drop={"count": 1, "path": "upsert"})
    assert deliver(crm, Lane.FRESH).retrying == 100
    make_due(crm)
    assert deliver(crm, Lane.RETRY).sent == 100
    summary = sandbox.summary()
    assert (summary["records"], summary["inserts"], summary["updates"], summary["duplicate_event_ids"]) == (
        100,
        100,
        100,
        0,
    )


def test_one_poison_row_takes_none_of_the_other_99_down(crm, sandbox):
    record(crm, 50)
    (poison,) = record(crm, surname="Poison")
    record(crm, 49)
    sandbox.faults(reject_word={"word": "Poison", "field": "Last_Name"})
    summary = deliver(crm, Lane.FRESH)
    assert (summary.sent, summary.dead) == (99, 1)
    assert statuses(crm) == {"sent": 99, "dead": 1}
    (row,) = rows_of(crm.engine, "SELECT last_error FROM leads WHERE id = :id", id=poison)
    assert row["last_error"].startswith("INVALID_DATA: Last_Name")


def test_a_strange_phone_number_moves_to_the_description_and_costs_no_lead(crm, sandbox):
    (poison, other) = (*record(crm, surname="Poison"), *record(crm))
    change(crm.engine, "UPDATE leads SET message = 'Hello'")
    sandbox.faults(reject_word={"word": "Poison", "field": "Phone", "count": 1})
    assert deliver(crm, Lane.FRESH).sent == 2
    (repaired,) = sandbox.records(Website_Event_ID=str(poison))
    assert repaired.get("Phone") is None
    assert "+447911123456" in repaired["Description"]
    assert repaired["Description"].startswith("Hello")
    assert sandbox.records(Website_Event_ID=str(other))[0]["Phone"] == "+447911123456"
    assert read_timeline(crm.engine, poison)[-1]["detail"] == "without Phone"


def test_a_locked_row_waits_and_is_tried_again(crm, sandbox):
    record(crm, 3)
    sandbox.faults(record_locked={"count": 1})
    summary = deliver(crm, Lane.FRESH)
    assert (summary.sent, summary.retrying) == (2, 1)
    (row,) = rows_of(
        crm.engine,
        "SELECT retry_count, extract(epoch FROM next_retry_at - now())::int AS wait FROM leads"
        " WHERE zoho_status = 'retrying'",
    )
    assert row["retry_count"] == 1
    assert 5 <= row["wait"] <= 12


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ({"too_many_requests": {"cause": "concurrency"}}, "rate"),
        ({"too_many_requests": {"cause": "concurrency", "retry_after": "120"}}, "rate"),
        ({"too_many_requests": {"cause": "credits"}}, "credits"),
        ({"too_many_requests": {"cause": "credits", "body": "b"}}, "credits"),
        ({"scope_mismatch": {}}, "configuration"),
        ({"no_permission": {}}, "configuration"),
        ({"top_level_error": {"code": "INVALID_MODULE"}}, "configuration"),
        ({"token_refused": {}}, "configuration"),
        ({"token_throttled": {}}, "auth"),
    ],
)
def test_the_crms_own_troubles_shut_the_gate_and_cost_no_row_a_try(crm, sandbox, fault, reason):
    record(crm, 2)
    sandbox.faults(**fault)
    assert deliver(crm, Lane.FRESH).deferred == 2
    assert read_gate(crm.engine).reason == reason
    assert deliver(crm, Lane.FRESH).gate == reason
    assert statuses(crm) == {"pending": 2}
    assert rows_of(crm.engine, "SELECT DISTINCT retry_count FROM leads") == [{"retry_count": 0}]
    calls = sandbox.summary()["calls"]
    assert calls <= 2
    sandbox.only_faults()
    make_due(crm)
    change(crm.engine, "UPDATE crm_token SET next_mint_at = now()")
    assert deliver(crm, Lane.FRESH).sent == 1
    assert read_gate(crm.engine).is_open
    assert deliver(crm, Lane.FRESH).sent == 1


def test_an_expired_token_is_renewed_within_the_delivery(crm, sandbox):
    record(crm)
    deliver(crm, Lane.FRESH)
    change(crm.engine, "UPDATE crm_token SET next_mint_at = now()")
    record(crm, 5)
    sandbox.faults(expire_tokens={"count": 1})
    assert deliver(crm, Lane.FRESH).sent == 5
    assert len(sandbox.summary()["tokens_minted"]) == 2


def test_an_outage_shuts_the_gate_probes_singly_and_heals_by_itself(crm, sandbox):
    crm.client.probe()
    record(crm, 10)
    sandbox.faults(outage={})
    for _ in range(6):
        make_due(crm)
        deliver(crm, Lane.FRESH)
        deliver(crm, Lane.RETRY)
    assert read_gate(crm.engine).reason == "outage"
    tries = rows_of(crm.engine, "SELECT max(retry_count) AS n FROM leads")
    assert tries == [{"n": 4}]  # the fifth failure shut the gate; from then on nothing costs a try
    sandbox.only_faults()
    make_due(crm)
    assert deliver(crm, Lane.RETRY).claimed == 1
    assert deliver(crm, Lane.RETRY).claimed == 1
    assert read_gate(crm.engine).is_open
    assert deliver(crm, Lane.RETRY).sent == 8  # pulled forward, not waiting out their back-off
    assert sandbox.summary()["duplicate_event_ids"] == 0
    assert statuses(crm) == {"sent": 10}


def test_a_batch_the_crm_refuses_whole_is_halved_until_the_culprit_is_alone(crm, sandbox):
    record(crm, 8)
    sandbox.faults(top_level_error={"status": 413, "code": "FILE_TOO_LARGE", "count": 3})
    summary = deliver(crm, Lane.FRESH)
    assert (summary.sent, summary.dead) == (8, 0)
    assert sandbox.summary()["records"] == 8


def test_a_paused_gate_sends_nothing(crm, sandbox):
    record(crm)
    shut_gate(crm.engine, Reason.PAUSED, "holiday", by="ann")
    make_due(crm)
    assert deliver(crm, Lane.FRESH).gate == "paused"
    assert sandbox.summary()["calls"] == 0


def test_a_stopping_worker_claims_nothing(crm):
    record(crm)
    crm.stopping.set()
    assert deliver(crm, Lane.FRESH).claimed == 0
    assert statuses(crm) == {"pending": 1}


def test_a_worker_that_died_after_sending_leaves_no_double(crm, sandbox):
    record(crm, 3)
    sandbox.faults(hang={"seconds": 3, "commit": True, "count": 1})
    summary = deliver(crm, Lane.FRESH)
    assert summary.retrying == 3
    change(crm.engine, "UPDATE leads SET zoho_status = 'sending', next_retry_at = now()")
    assert sweep(crm.engine) == 3
    make_due(crm)
    assert deliver(crm, Lane.RETRY).sent == 3
    assert (sandbox.summary()["records"], sandbox.summary()["duplicate_event_ids"]) == (3, 0)


def test_every_call_in_the_crms_ledger_is_in_the_log_of_attempts(crm, sandbox):
    record(crm, 30)
    sandbox.faults(record_locked={"probability": 0.3}, commit_then_drop={"count": 1, "path": "upsert"})
    for _ in range(4):
        deliver(crm, Lane.FRESH)
        deliver(crm, Lane.RETRY)
        make_due(crm)
    upserts = [call for call in sandbox.calls() if call["path"].endswith("/upsert")]
    for call in upserts:
        (noted,) = rows_of(
            crm.engine,
            "SELECT count(DISTINCT row_id) AS n FROM crm_attempts WHERE call_id = :id",
            id=call["request_id"],
        )
        assert noted["n"] == call["rows"]
    calls = rows_of(crm.engine, "SELECT DISTINCT call_id FROM crm_attempts WHERE call_id IS NOT NULL")
    assert {row["call_id"] for row in calls} == {call["request_id"] for call in upserts}


def test_retries_leave_the_last_credits_to_fresh_leads(crm, sandbox):
    record(crm, 2)
    sandbox.faults(limits={"credits_remaining": 100})
    assert deliver(crm, Lane.FRESH).sent == 2
    assert read_gate(crm.engine).credits_left < 100
    record(crm, 2)
    change(
        crm.engine,
        "UPDATE leads SET zoho_status = 'retrying'"
        " WHERE id = (SELECT id FROM leads WHERE zoho_status = 'pending' LIMIT 1)",
    )
    assert deliver(crm, Lane.RETRY).gate == "credits are kept for fresh leads"
    assert deliver(crm, Lane.FRESH).sent == 1


def test_after_a_row_that_goes_alone_the_next_one_is_rung_for(crm):
    record(crm, 2)
    change(crm.engine, "UPDATE leads SET zoho_status = 'retrying', retry_count = 2, lost_leases = 2")
    summary = deliver(crm, Lane.RETRY)
    assert (summary.claimed, summary.full) == (1, True)
