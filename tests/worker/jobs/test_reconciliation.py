"""The nightly comparison finds what is missing or twice in the CRM, and sends what is missing again."""

import json

import pytest

from leads.outbox.store import record_click
from tests.support.database import change, rows_of
from tests.support.pipeline import deliver
from tests.support.samples import CLICK, LEAD, record_lead
from worker.jobs import reconciliation
from worker.jobs.reconciliation import find_missing_of_sample


@pytest.fixture
def compare(run):
    return lambda *words: run("reconcile", *words)


def gaps(shown):
    return {(gap["gap"], gap["id"]) for gap in json.loads(shown.output)["gaps"]}


def fill(context, count=3):
    leads = [record_lead(context.engine, LEAD).id for _ in range(count)]
    click = record_click(context.engine, CLICK)
    while deliver(context):
        pass
    return [*leads, click]


def record_of(context, row):
    (found,) = rows_of(context.engine, "SELECT zoho_record_id FROM crm_deliveries WHERE id = :id", id=row)
    return found["zoho_record_id"]


def test_a_sent_row_without_a_record_is_missing_and_fixed_by_sending_it_again(compare, context, sandbox):
    fill(context)
    never = record_lead(context.engine, LEAD).id
    change(
        context.engine,
        "UPDATE deliveries SET status = 'sent', sent_at = now(), record_id = '488800000000999999' WHERE id = :id",
        id=never,
    )
    shown = compare("--json")
    assert shown.exit_code == 1
    assert gaps(shown) == {("missing", str(never))}
    assert compare("--fix", "--by", "ann").exit_code == 1
    assert deliver(context) == ["SENT"]
    assert len(sandbox.records(Website_Event_ID=str(never))) == 1
    agreed = compare()
    assert (agreed.exit_code, "5 rows sent" in agreed.output, "No gaps." in agreed.output) == (0, True, True)
    (note,) = rows_of(context.engine, "SELECT row_id, detail FROM crm_attempts WHERE event = 'requeued'")
    assert note == {"row_id": never, "detail": "by ann: not in the CRM"}
    assert sandbox.summary()["duplicate_event_ids"] == 0


def test_a_record_that_somebody_deleted_is_no_gap_and_not_made_again(compare, context, sandbox):
    first, *_ = fill(context)
    context.access.crm.delete(record_of(context, first), call_id="d")
    shown = compare("--fix", "--json")
    assert shown.exit_code == 0
    assert deliver(context) == []
    assert len(sandbox.records()) == 3


def merge(context, sandbox, lead, into, **more):
    sandbox.act("merge", record_of(context, lead), into=record_of(context, into), **more)


@pytest.mark.parametrize("take", [[], ["Website_Event_ID"]], ids=["master's id", "merged one's id"])
def test_records_that_staff_merged_are_no_gap_and_stay_merged(compare, context, sandbox, take):
    """Whichever event id was kept: sent again, the other enquiry would come back, and the choice be undone."""
    first, second, *_ = fill(context)
    merge(context, sandbox, second, first, take=take)
    shown = compare("--fix", "--json")
    assert shown.exit_code == 0, shown.output
    assert deliver(context) == []
    assert sandbox.summary()["records"] == 3


def test_a_row_whose_event_id_an_older_record_holds_is_no_gap_and_overwrites_nobody(context, sandbox):
    """Staff merged it into a record that they had made long before; what they chose stays."""
    first, *_ = fill(context, 1)
    context.access.crm.upsert({"Last_Name": "Theirs", "Website_Event_ID": "of another system"}, call_id="c")
    (theirs,) = sandbox.records(Last_Name="Theirs")
    sandbox.act("merge", record_of(context, first), into=theirs["id"], take=["Website_Event_ID"])
    forgotten = "zoho_record_id = '488800000000999999', zoho_sent_at = now() - interval '1 hour'"
    change(context.engine, f"UPDATE crm_deliveries SET {forgotten} WHERE id = :id", id=first)
    assert find_missing_of_sample(context.engine, context.access) == []  # Zoho may list a merged record nowhere
    assert sandbox.records(Website_Event_ID=str(first))[0]["Last_Name"] == "Theirs"


def test_where_this_edition_may_not_search_the_whole_list_is_read(context, sandbox):
    first, second, *_ = fill(context)
    unknown = "zoho_record_id = '48880' || right(zoho_record_id, 3), zoho_sent_at = now() - interval '1 hour'"
    change(context.engine, f"UPDATE crm_deliveries SET {unknown}")
    change(context.engine, "UPDATE crm_deliveries SET id = gen_random_uuid() WHERE id = :id", id=second)
    sandbox.faults(top_level_error={"path": "search", "code": "FEATURE_NOT_SUPPORTED"})
    missing = find_missing_of_sample(context.engine, context.access)
    assert len(missing) == 1
    assert first not in missing


def test_nothing_is_sent_again_while_the_crm_drops_the_event_id(compare, context, sandbox):
    """The field is read-only, so that every record looks as if it were missing."""
    sandbox.faults(read_only_field={"field": "Website_Event_ID"})
    fill(context)
    shown = compare("--fix")
    assert shown.exit_code == 2
    assert "Website_Event_ID" in shown.output
    assert deliver(context) == []
    assert compare("--json").exit_code == 1


def test_rows_sent_before_the_time_asked_for_are_not_compared(compare, context):
    first, *_ = fill(context)
    change(
        context.engine, "UPDATE crm_deliveries SET zoho_sent_at = now() - interval '3 days', zoho_record_id = '1'"
    )
    change(context.engine, "UPDATE crm_deliveries SET id = gen_random_uuid() WHERE id = :id", id=first)
    assert gaps(compare("--json")) == set()
    assert {gap for gap, _ in gaps(compare("--json", "--since", "30d"))} == {"missing"}


def test_a_record_older_than_its_mark_is_asked_for_by_its_id(compare, context, sandbox, monkeypatch):
    """Sent again long afterwards: the record is older than anything the comparison lists, and no gap."""
    fill(context)
    monkeypatch.setattr(reconciliation, "_list_event_ids", lambda *_: set())
    assert compare().exit_code == 0
    assert len([call for call in sandbox.calls(method="GET") if "ids=" in (call["query"] or "")]) == 1


def test_two_records_with_one_event_id_are_told_and_left_alone(compare, context, sandbox):
    first, *_ = fill(context)
    sandbox.act("convert", record_of(context, first))  # an upsert finds no customer
    context.access.crm.upsert({"Last_Name": "X", "Website_Event_ID": str(first)}, call_id="c")
    assert gaps(compare("--fix", "--json")) == {("doubled", str(first))}
    assert sandbox.summary()["records"] == 5


def test_a_crm_that_does_not_answer_is_neither_agreement_nor_gap(compare, context, sandbox):
    fill(context)
    sandbox.faults(server_error={"status": 503, "path": "/Leads"})
    shown = compare()
    assert shown.exit_code == 2
    assert "HTTP_503" in shown.output


def test_a_paused_comparison_says_so_and_check_may_still_call(compare, run, sandbox):
    run("pause", "--why", "moving house", "--by", "ann")
    shown = compare()
    assert (shown.exit_code, "calls to zoho are paused (paused)" in shown.output) == (2, True)
    assert sandbox.summary()["api_calls"] == 0
    findings = json.loads(run("check", "--json").output)
    assert {"level": "ok", "subject": "token"}.items() <= findings[1].items()
