"""From stored rows to the CRM's own ledger, with the CRM misbehaving in every documented way."""

from __future__ import annotations

from dataclasses import replace

from click.testing import CliRunner

from leads.ids import short_id
from leads.outbox.find import read_timeline
from leads.outbox.holds import Held
from leads.outbox.rows import Lane
from leads.outbox.store import record_click, record_lead
from tests.support.database import change, rows_of
from tests.support.pipeline import make_due, record, statuses
from tests.support.samples import CLICK, LEAD
from worker.cli.commands import operate
from worker.crm.port import FailureClass, RowResult
from worker.delivery.deliver import MAX_ROWS_NAMED, deliver


def test_leads_and_clicks_become_records_with_their_fields(context, sandbox):
    (lead,) = record(context, message="How much?", google_gclid="abc", utm_source="google")
    click = record_click(context.engine, CLICK)
    assert deliver(context.delivery, context.crm, Lane.FRESH).sent == 1
    assert deliver(context.delivery, context.crm, Lane.FRESH).sent == 1
    (from_lead,) = sandbox.records(Website_Event_ID=str(lead))
    (from_click,) = sandbox.records(Website_Event_ID=str(click))
    (stored,) = rows_of(
        context.engine, "SELECT reference, zoho_record_id FROM leads JOIN crm_deliveries USING (id)"
    )
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


def test_the_log_leads_from_the_row_to_the_call_as_the_crm_knows_it(context, crm_environment, sandbox, caplog):
    caplog.set_level("INFO")
    leads = record(context, 3)
    deliver(context.delivery, context.crm, Lane.FRESH)
    (line,) = [line for line in caplog.records if line.name == "worker.delivery.deliver"]
    assert sorted(line.rows) == sorted(short_id(lead) for lead in leads)
    assert [call["request_id"] for call in sandbox.calls(path="/crm/v8/Leads/upsert")] == [line.call]
    assert line.call in line.getMessage()
    assert short_id(leads[0]) in line.getMessage()
    shown = CliRunner().invoke(operate, ["show", short_id(leads[0])], env=crm_environment | {"COLUMNS": "80"})
    assert shown.output.count(line.call[:8]) == 2  # claimed, delivered


def test_a_batch_is_one_call_and_the_next_one_is_rung_for(context, sandbox):
    record(context, 150)
    first, second, third = (deliver(context.delivery, context.crm, Lane.FRESH) for _ in range(3))
    assert (first.sent, first.full, second.sent, second.full, third.claimed) == (100, True, 50, False, 0)
    assert sandbox.summary()["api_calls"] == 2


def test_a_summary_counts_why_rows_were_not_sent_and_names_the_first_of_them(crm, delivery):
    leads = record(delivery, 12)
    crm.answer = lambda _: RowResult(ok=False, code="BAD", failure=FailureClass.RECORD)
    summary = deliver(delivery.delivery, replace(delivery.crm, max_rows=8), Lane.FRESH, seconds=60.0)
    named = summary.rows
    assert (len(named), {*named} - {short_id(lead) for lead in leads}) == (MAX_ROWS_NAMED, set())
    assert summary.as_result() == {"lane": "fresh", "claimed": 12, "dead": 12, "codes": {"BAD": 12}, "rows": named}


def test_a_held_lead_is_never_sent(context, sandbox):
    record_lead(context.engine, LEAD, held=Held.HONEYPOT)
    assert deliver(context.delivery, context.crm, Lane.FRESH).claimed == 0
    assert sandbox.records() == []


def test_a_reply_lost_after_the_crm_stored_makes_no_second_record(context, sandbox):
    record(context, 100)
    sandbox.faults(commit_then_drop={"count": 1, "path": "upsert"})
    assert deliver(context.delivery, context.crm, Lane.FRESH).retrying == 100
    make_due(context)
    assert deliver(context.delivery, context.crm, Lane.RETRY).sent == 100
    summary = sandbox.summary()
    assert (summary["records"], summary["inserts"], summary["updates"], summary["duplicate_event_ids"]) == (
        100,
        100,
        100,
        0,
    )


def test_one_poison_row_takes_none_of_the_other_99_down(context, sandbox):
    record(context, 50)
    (poison,) = record(context, surname="Poison")
    record(context, 49)
    sandbox.faults(reject_word={"word": "Poison", "field": "Last_Name"})
    summary = deliver(context.delivery, context.crm, Lane.FRESH)
    assert (summary.sent, summary.retrying, summary.dead) == (99, 0, 1)
    assert statuses(context) == {"sent": 99, "dead": 1}
    (row,) = rows_of(context.engine, "SELECT last_error FROM crm_deliveries WHERE id = :id", id=poison)
    assert row["last_error"].startswith("INVALID_DATA: Last_Name")


def test_a_strange_phone_number_moves_to_the_description_and_costs_no_lead(context, sandbox):
    (poison, other) = (*record(context, surname="Poison"), *record(context))
    change(context.engine, "UPDATE leads SET message = 'Hello'")
    sandbox.faults(reject_word={"word": "Poison", "field": "Phone", "count": 1})
    assert deliver(context.delivery, context.crm, Lane.FRESH).sent == 2
    (repaired,) = sandbox.records(Website_Event_ID=str(poison))
    assert repaired.get("Phone") is None
    assert "+447911123456" in repaired["Description"]
    assert repaired["Description"].startswith("Hello")
    assert sandbox.records(Website_Event_ID=str(other))[0]["Phone"] == "+447911123456"
    assert read_timeline(context.engine, poison)[-1]["detail"] == "without Phone"


def test_a_locked_row_waits_and_is_tried_again(context, sandbox):
    record(context, 3)
    sandbox.faults(record_locked={"count": 1})
    summary = deliver(context.delivery, context.crm, Lane.FRESH)
    assert (summary.sent, summary.retrying) == (2, 1)
    (row,) = rows_of(
        context.engine,
        "SELECT retry_count, extract(epoch FROM next_retry_at - now())::int AS wait FROM crm_deliveries"
        " WHERE zoho_status = 'retrying'",
    )
    assert row["retry_count"] == 1
    assert 5 <= row["wait"] <= 12


def test_an_expired_token_is_renewed_within_the_delivery(context, sandbox):
    record(context)
    deliver(context.delivery, context.crm, Lane.FRESH)
    change(context.engine, "UPDATE crm_token SET next_mint_at = now()")
    record(context, 5)
    sandbox.faults(expire_tokens={"count": 1})
    assert deliver(context.delivery, context.crm, Lane.FRESH).sent == 5
    assert len(sandbox.summary()["tokens_minted"]) == 2


def test_every_call_in_the_crms_ledger_is_in_the_log_of_attempts(context, sandbox):
    record(context, 30)
    sandbox.faults(record_locked={"probability": 0.3}, commit_then_drop={"count": 1, "path": "upsert"})
    for _ in range(4):
        deliver(context.delivery, context.crm, Lane.FRESH)
        deliver(context.delivery, context.crm, Lane.RETRY)
        make_due(context)
    upserts = [call for call in sandbox.calls() if call["path"].endswith("/upsert")]
    for call in upserts:
        (noted,) = rows_of(
            context.engine,
            "SELECT count(DISTINCT row_id) AS n FROM crm_attempts WHERE call_id = :id",
            id=call["request_id"],
        )
        assert noted["n"] == call["rows"]
    calls = rows_of(context.engine, "SELECT DISTINCT call_id FROM crm_attempts WHERE call_id IS NOT NULL")
    assert {row["call_id"] for row in calls} == {call["request_id"] for call in upserts}
