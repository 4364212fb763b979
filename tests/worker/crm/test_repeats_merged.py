"""A repeat enquiry merged into the earlier one: exactly one note on its record, whatever gets lost."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest

from leads.outbox.find import read_timeline
from leads.outbox.rows import Lane
from leads.settings import read_settings
from tests.support.database import change, rows_of
from tests.support.pipeline import crm_record, read_crm, record_earlier
from worker.context import make_context
from worker.delivery.deliver import deliver


@pytest.fixture
def merging(crm_environment):
    context = make_context(read_settings({**crm_environment, "CRM_REPEAT": "merge"}))
    yield context
    context.close()


def notes(context, record_id):
    return [title for page in context.access.crm.list_notes(record_id, call_id="n") for title in page]


def test_merging_adds_the_question_to_the_earlier_record_as_one_note(merging, sandbox):
    first = record_earlier(merging, days_ago=2)
    assert deliver(merging.delivery, merging.crm, Lane.FRESH).sent == 1
    second = record_earlier(merging, email="ANN@example.com", phone_e164="+31205550199", message="And when?")
    assert deliver(merging.delivery, merging.crm, Lane.FRESH).sent == 1
    record = crm_record(sandbox, first)
    assert sandbox.records(Website_Event_ID=str(second)) == []
    (title,) = notes(merging, record["id"])
    assert str(second) in title
    said = read_crm(merging, sandbox, f"Leads/{record['id']}/Notes")[0]["Note_Content"]
    assert said.startswith("And when?")
    assert "Phone: +31205550199" in said
    (row,) = rows_of(
        merging.engine, "SELECT zoho_status, zoho_record_id FROM crm_deliveries WHERE id = :id", id=second
    )
    assert row == {"zoho_status": "sent", "zoho_record_id": record["id"]}


def test_a_choice_of_merges_that_fails_makes_records_of_the_repeats(merging, sandbox, caplog):
    record_earlier(merging, days_ago=2)
    assert deliver(merging.delivery, merging.crm, Lane.FRESH).sent == 1
    change(merging.engine, "DROP VIEW crm_attempts")  # which that statement alone reads
    second = record_earlier(merging)
    assert deliver(merging.delivery, merging.crm, Lane.FRESH).sent == 1
    assert len(sandbox.records(Website_Event_ID=str(second))) == 1
    (line,) = [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]
    assert line == "repeat enquiries could not be merged (UndefinedTable); they become records"


@pytest.mark.parametrize("fault", ["commit_then_drop", "commit_then_cut", "commit_then_error"])
def test_a_note_whose_reply_was_lost_is_not_added_again(merging, sandbox, fault):
    first = record_earlier(merging, days_ago=2)
    deliver(merging.delivery, merging.crm, Lane.FRESH)
    second = record_earlier(merging)
    sandbox.faults(**{fault: {"count": 1, "path": "/Notes"}})
    assert deliver(merging.delivery, merging.crm, Lane.FRESH).retrying == 1
    (row,) = rows_of(
        merging.engine,
        "SELECT extract(epoch FROM next_retry_at - now())::int AS wait FROM crm_deliveries WHERE id = :id",
        id=second,
    )
    assert row["wait"] > 100  # time for a call that the CRM may still be working on
    change(merging.engine, "UPDATE crm_deliveries SET next_retry_at = now() WHERE zoho_status = 'retrying'")
    assert deliver(merging.delivery, merging.crm, Lane.RETRY).sent == 1
    assert len(notes(merging, crm_record(sandbox, first)["id"])) == 1
    assert sandbox.summary()["records"] == 1


def test_an_enquiry_that_comes_before_the_earlier_one_is_there_is_marked_instead(merging, sandbox):
    record_earlier(merging, days_ago=1)
    second = record_earlier(merging)
    assert deliver(merging.delivery, merging.crm, Lane.FRESH).sent == 2
    assert crm_record(sandbox, second)["Repeat_Enquiry"] is True


def test_a_lead_that_may_have_a_record_already_is_never_merged(merging, sandbox):
    first = record_earlier(merging, days_ago=1)
    second = record_earlier(merging)
    sandbox.faults(commit_then_drop={"count": 1, "path": "upsert"})
    assert deliver(merging.delivery, merging.crm, Lane.FRESH).retrying == 2
    change(merging.engine, "UPDATE crm_deliveries SET next_retry_at = now() WHERE id = :id", id=first)
    assert deliver(merging.delivery, merging.crm, Lane.RETRY).sent == 1
    change(merging.engine, "UPDATE crm_deliveries SET next_retry_at = now() WHERE id = :id", id=second)
    assert deliver(merging.delivery, merging.crm, Lane.RETRY).sent == 1
    assert sandbox.summary()["records"] == 2
    assert notes(merging, crm_record(sandbox, first)["id"]) == []


def test_a_merge_that_was_decided_stays_a_merge_when_the_setting_changes(merging, context, sandbox):
    first = record_earlier(merging, days_ago=1)
    deliver(merging.delivery, merging.crm, Lane.FRESH)
    second = record_earlier(merging)
    sandbox.faults(commit_then_drop={"count": 1, "path": "/Notes"})
    assert deliver(merging.delivery, merging.crm, Lane.FRESH).retrying == 1
    change(merging.engine, "UPDATE crm_deliveries SET next_retry_at = now() WHERE id = :id", id=second)
    assert context.settings.crm_repeat == "mark"
    assert deliver(context.delivery, context.crm, Lane.RETRY).sent == 1
    assert sandbox.summary()["records"] == 1
    assert len(notes(context, crm_record(sandbox, first)["id"])) == 1


def test_a_record_that_was_deleted_takes_no_note_and_the_enquiry_becomes_one_of_its_own(merging, sandbox):
    first = record_earlier(merging, days_ago=1)
    deliver(merging.delivery, merging.crm, Lane.FRESH)
    merging.access.crm.delete(crm_record(sandbox, first)["id"], call_id="d")
    second = record_earlier(merging)
    assert deliver(merging.delivery, merging.crm, Lane.FRESH).sent == 1
    record = crm_record(sandbox, second)
    (row,) = rows_of(merging.engine, "SELECT zoho_record_id FROM crm_deliveries WHERE id = :id", id=second)
    assert row["zoho_record_id"] == record["id"]
    assert record["Repeat_Enquiry"] is True


def test_the_crms_own_trouble_with_a_note_costs_no_try(merging, sandbox):
    record_earlier(merging, days_ago=1)
    deliver(merging.delivery, merging.crm, Lane.FRESH)
    second = record_earlier(merging)
    sandbox.faults(too_many_requests={"path": "/Notes"})
    assert deliver(merging.delivery, merging.crm, Lane.FRESH).deferred == 1
    (row,) = rows_of(
        merging.engine, "SELECT zoho_status, retry_count FROM crm_deliveries WHERE id = :id", id=second
    )
    assert row == {"zoho_status": "pending", "retry_count": 0}
    assert read_timeline(merging.engine, second)[-1]["code"] == "TOO_MANY_REQUESTS"


def test_too_little_lease_left_adds_no_note(merging, sandbox):
    record_earlier(merging, days_ago=1)
    deliver(merging.delivery, merging.crm, Lane.FRESH)
    record_earlier(merging)
    late = replace(merging.crm, lease_seconds=0.0)
    assert deliver(merging.delivery, late, Lane.FRESH).deferred == 1
    assert all("/Notes" not in call["path"] for call in sandbox.calls())
