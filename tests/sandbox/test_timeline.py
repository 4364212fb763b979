"""A lead's timeline as Zoho documents it: what was done to it, where, and by which automation."""

from sandbox import staff
from tests.sandbox.conftest import lead


def timeline(local, record, query=""):
    return local("GET", f"Leads/{record['id']}/__timeline{query}").body["__timeline"]


def act(local, action, record, **wanted):
    local.time += 60
    assert staff.act(local.sandbox, int(record["id"]), action, wanted)


def test_it_tells_what_people_programs_and_automations_did(local):
    local.upsert(lead(1))
    (record,) = local.records()
    act(local, "change", record, Lead_Status="Contacted")
    act(local, "call", record)
    act(local, "automate", record)
    act(local, "convert", record)
    told = timeline(local, record, "?sort_by=audited_time&sort_order=asc")
    assert [(each["action"], each["record"]["module"]["api_name"], each["source"]) for each in told] == [
        ("added", "Leads", "crm_api"),
        ("updated", "Leads", "crm_ui"),
        ("added", "Calls", "crm_ui"),
        ("added", "Tasks", "workflow"),
        ("converted", "Leads", "convert"),
    ]
    assert told[1]["field_history"] == [{"api_name": "Lead_Status", "_value": {"new": "Contacted", "old": None}}]
    assert [each["automation_details"] is not None for each in told] == [False, False, False, True, False]
    assert timeline(local, record) == told[::-1]


def test_an_activity_moves_the_leads_last_activity_and_not_its_last_change(local):
    local.upsert(lead(1))
    (record,) = local.records()
    act(local, "call", record)
    fields = "Modified_Time,Last_Activity_Time,Created_Time"
    (shown,) = local("GET", f"Leads?fields={fields}&ids={record['id']}").body["data"]
    assert shown["Modified_Time"] == shown["Created_Time"] < shown["Last_Activity_Time"]


def test_it_has_pages(local):
    local.upsert(lead(1))
    (record,) = local.records()
    for _ in range(30):
        act(local, "call", record)
    first, second = timeline(local, record), timeline(local, record, "?page=2")
    assert (len(first), len(second)) == (25, 6)
    assert local("GET", f"Leads/{record['id']}/__timeline?page=3").status == 204
