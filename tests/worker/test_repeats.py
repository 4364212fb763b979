"""The same person twice: both enquiries are kept, the later one says so, and merging adds exactly one note."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner

from dev.sandbox.process import SandboxProcess
from leads.outbox.kinds import Lane
from leads.outbox.record import record_lead
from leads.outbox.redrive import read_timeline
from leads.outbox.repeats import find_earlier
from leads.settings import read_settings
from tests.rows import LEAD, change, rows_of
from worker.cli.commands import operate
from worker.crm import make_crm
from worker.sync import deliver


@pytest.fixture
def merging(crm_environment):
    crm = make_crm(read_settings({**crm_environment, "CRM_REPEAT": "merge"}))
    yield crm
    crm.close()


def enquire(crm, *, days_ago=0.0, **values):
    lead = record_lead(crm.engine, {**LEAD, **values}).id
    change(
        crm.engine,
        "UPDATE leads SET created_at = now() - make_interval(secs => :ago), queued_at = now() -"
        " make_interval(secs => :ago) WHERE id = :id",
        ago=days_ago * 86_400,
        id=lead,
    )
    return lead


def in_crm(sandbox, lead):
    (record,) = sandbox.records(Website_Event_ID=str(lead))
    return record


def notes(crm, record_id):
    return [note["Note_Title"] for page in crm.client.list_notes("Leads", record_id) for note in page]


def content_of(crm, sandbox, record_id):
    url = f"{sandbox.url}/crm/v8/Leads/{record_id}/Notes"
    token = rows_of(crm.engine, "SELECT value FROM crm_token")[0]["value"]
    with urlopen(Request(url, headers={"Authorization": f"Zoho-oauthtoken {token}"})) as reply:
        return json.load(reply)["data"][0]["Note_Content"]


@pytest.mark.parametrize(
    ("again", "days", "known"),
    [
        ({}, 1, True),
        ({"email": "ANN@Example.COM", "phone_e164": "+31205550199"}, 1, True),
        ({"email": "other@example.com"}, 1, True),  # the phone number is the same
        ({"email": "other@example.com", "phone_e164": "+31205550199"}, 1, False),
        ({}, 89.9, True),
        ({}, 90.1, False),
    ],
)
def test_a_repeat_within_ninety_days_is_told_by_e_mail_or_phone(crm, again, days, known):
    first = enquire(crm, days_ago=days)
    second = enquire(crm, **again)
    found = find_earlier(crm.engine, [first, second])
    (row,) = rows_of(crm.engine, "SELECT created_at FROM leads WHERE id = :id", id=first)
    assert found == ({second: row["created_at"]} if known else {})


def test_two_enquiries_are_two_records_and_the_later_names_the_date_of_the_one_before(crm, sandbox):
    first = enquire(crm, days_ago=40, message="How much?")
    second = enquire(crm, days_ago=3, message="And when?")
    third = enquire(crm, message="Hello?")
    assert deliver(crm, Lane.FRESH).sent == 3
    records = [in_crm(sandbox, lead) for lead in (first, second, third)]
    assert len({record["id"] for record in records}) == 3
    assert [record["Description"] for record in records] == ["How much?", "And when?", "Hello?"]
    assert "Repeat_Enquiry" not in records[0]
    assert "Earlier_Enquiry_At" not in records[0]
    for before, after in pairwise(records):
        assert after["Repeat_Enquiry"] is True
        assert datetime.fromisoformat(after["Earlier_Enquiry_At"]) == datetime.fromisoformat(before["Submitted_At"])
    assert [call["rows"] for call in sandbox.calls(path="/crm/v8/Leads/upsert")] == [3]


def test_a_crm_without_the_fields_takes_the_lead_all_the_same_and_check_says_so(crm_environment, tmp_path):
    without = ["Repeat_Enquiry", "Earlier_Enquiry_At"]
    with SandboxProcess.start(tmp_path, without_fields=without) as bare:
        environment = {**crm_environment, "ZOHO_ACCOUNTS_URL": bare.url, "ZOHO_API_URL": bare.url}
        crm = make_crm(read_settings(environment))
        enquire(crm, days_ago=1)
        enquire(crm)
        assert deliver(crm, Lane.FRESH).sent == 2
        assert len(bare.records()) == 2
        crm.close()
        checked = CliRunner().invoke(operate, ["check", "--json"], env=environment)
    problems = [f["subject"] for f in json.loads(checked.output)["findings"] if f["mark"] == "problem"]
    assert problems == without


def test_suspected_spam_is_nobodys_earlier_enquiry(crm):
    record_lead(crm.engine, LEAD, held=True)
    assert find_earlier(crm.engine, [enquire(crm)]) == {}


def test_a_retry_of_a_marked_repeat_says_the_same(crm, sandbox):
    enquire(crm, days_ago=2)
    second = enquire(crm)
    sandbox.faults(commit_then_drop={"count": 1, "path": "upsert"})
    assert deliver(crm, Lane.FRESH).retrying == 2
    before = in_crm(sandbox, second)
    change(crm.engine, "UPDATE leads SET next_retry_at = now()")
    assert deliver(crm, Lane.RETRY).sent == 2
    after = in_crm(sandbox, second)
    assert after["Earlier_Enquiry_At"] == before["Earlier_Enquiry_At"]
    assert sandbox.summary()["records"] == 2


def test_a_lookup_uses_the_indexes_and_costs_a_batch_one_quick_query(crm):
    change(
        crm.engine,
        "INSERT INTO leads (id, name, surname, email, country_code, phone, phone_e164, zoho_status, created_at)"
        " SELECT gen_random_uuid(), 'a', 'b', 'p' || n % 20000 || '@example.com', '+44', '1', '+44' || n % 20000,"
        " 'sent', now() - n * interval '1 min' FROM generate_series(1, 40000) AS n",
    )
    change(crm.engine, "ANALYZE leads")
    ids = [row["id"] for row in rows_of(crm.engine, "SELECT id FROM leads ORDER BY created_at DESC LIMIT 100")]
    seen = []
    from sqlalchemy import event

    event.listen(crm.engine, "after_cursor_execute", lambda *args: seen.append(args[2]))
    assert len(find_earlier(crm.engine, ids)) == 100
    assert len(seen) == 1
    plan = "\n".join(
        row["QUERY PLAN"]
        for row in rows_of(
            crm.engine,
            "EXPLAIN SELECT max(e.created_at) FROM leads AS e, leads AS l WHERE l.id = :id"
            " AND lower(e.email) = lower(l.email)",
            id=ids[0],
        )
    )
    assert "ix_leads_email" in plan


def test_merging_adds_the_question_to_the_earlier_record_as_one_note(merging, sandbox):
    first = enquire(merging, days_ago=2)
    assert deliver(merging, Lane.FRESH).sent == 1
    second = enquire(merging, email="ANN@example.com", phone_e164="+31205550199", message="And when?")
    assert deliver(merging, Lane.FRESH).sent == 1
    record = in_crm(sandbox, first)
    assert sandbox.records(Website_Event_ID=str(second)) == []
    (title,) = notes(merging, record["id"])
    assert str(second) in title
    said = content_of(merging, sandbox, record["id"])
    assert said.startswith("And when?")
    assert "Phone: +31205550199" in said
    (row,) = rows_of(merging.engine, "SELECT zoho_status, zoho_record_id FROM leads WHERE id = :id", id=second)
    assert row == {"zoho_status": "sent", "zoho_record_id": record["id"]}


@pytest.mark.parametrize("fault", ["commit_then_drop", "commit_then_cut", "commit_then_error"])
def test_a_note_whose_reply_was_lost_is_not_added_again(merging, sandbox, fault):
    first = enquire(merging, days_ago=2)
    deliver(merging, Lane.FRESH)
    second = enquire(merging)
    sandbox.faults(**{fault: {"count": 1, "path": "/Notes"}})
    assert deliver(merging, Lane.FRESH).retrying == 1
    (row,) = rows_of(
        merging.engine,
        "SELECT extract(epoch FROM next_retry_at - now())::int AS wait FROM leads WHERE id = :id",
        id=second,
    )
    assert row["wait"] > 100  # time for a call that the CRM may still be working on
    change(merging.engine, "UPDATE leads SET next_retry_at = now() WHERE zoho_status = 'retrying'")
    assert deliver(merging, Lane.RETRY).sent == 1
    assert len(notes(merging, in_crm(sandbox, first)["id"])) == 1
    assert sandbox.summary()["records"] == 1


def test_an_enquiry_that_comes_before_the_earlier_one_is_there_is_marked_instead(merging, sandbox):
    enquire(merging, days_ago=1)
    second = enquire(merging)
    assert deliver(merging, Lane.FRESH).sent == 2
    assert in_crm(sandbox, second)["Repeat_Enquiry"] is True


def test_a_lead_that_may_have_a_record_already_is_never_merged(merging, sandbox):
    first = enquire(merging, days_ago=1)
    second = enquire(merging)
    sandbox.faults(commit_then_drop={"count": 1, "path": "upsert"})
    assert deliver(merging, Lane.FRESH).retrying == 2
    change(merging.engine, "UPDATE leads SET next_retry_at = now() WHERE id = :id", id=first)
    assert deliver(merging, Lane.RETRY).sent == 1
    change(merging.engine, "UPDATE leads SET next_retry_at = now() WHERE id = :id", id=second)
    assert deliver(merging, Lane.RETRY).sent == 1
    assert sandbox.summary()["records"] == 2
    assert notes(merging, in_crm(sandbox, first)["id"]) == []


def test_a_merge_that_was_decided_stays_a_merge_when_the_setting_changes(merging, crm, sandbox):
    first = enquire(merging, days_ago=1)
    deliver(merging, Lane.FRESH)
    second = enquire(merging)
    sandbox.faults(commit_then_drop={"count": 1, "path": "/Notes"})
    assert deliver(merging, Lane.FRESH).retrying == 1
    change(merging.engine, "UPDATE leads SET next_retry_at = now() WHERE id = :id", id=second)
    assert crm.settings.crm_repeat == "mark"
    assert deliver(crm, Lane.RETRY).sent == 1
    assert sandbox.summary()["records"] == 1
    assert len(notes(crm, in_crm(sandbox, first)["id"])) == 1


def test_a_record_that_was_deleted_takes_no_note_and_the_enquiry_becomes_one_of_its_own(merging, sandbox):
    first = enquire(merging, days_ago=1)
    deliver(merging, Lane.FRESH)
    merging.client.delete("Leads", in_crm(sandbox, first)["id"])
    second = enquire(merging)
    assert deliver(merging, Lane.FRESH).sent == 1
    record = in_crm(sandbox, second)
    (row,) = rows_of(merging.engine, "SELECT zoho_record_id FROM leads WHERE id = :id", id=second)
    assert row["zoho_record_id"] == record["id"]
    assert record["Repeat_Enquiry"] is True


def test_the_crms_own_trouble_with_a_note_costs_no_try(merging, sandbox):
    enquire(merging, days_ago=1)
    deliver(merging, Lane.FRESH)
    second = enquire(merging)
    sandbox.faults(too_many_requests={"path": "/Notes"})
    assert deliver(merging, Lane.FRESH).deferred == 1
    (row,) = rows_of(merging.engine, "SELECT zoho_status, retry_count FROM leads WHERE id = :id", id=second)
    assert row == {"zoho_status": "pending", "retry_count": 0}
    assert read_timeline(merging.engine, second)[-1]["code"] == "TOO_MANY_REQUESTS"


def test_too_little_lease_left_adds_no_note(merging, sandbox):
    enquire(merging, days_ago=1)
    deliver(merging, Lane.FRESH)
    enquire(merging)
    late = replace(merging, settings=replace(merging.settings, crm_lease_seconds=0.0))
    assert deliver(late, Lane.FRESH).deferred == 1
    assert all("/Notes" not in call["path"] for call in sandbox.calls())
