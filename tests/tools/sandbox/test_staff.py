"""What people do in Zoho's own pages, and what an administrator changes, as later calls see it."""

from tests.tools.sandbox.conftest import lead
from tools.sandbox import staff

KEY = "Website_Event_ID"


def act(local, action, record, **wanted):
    return staff.act(local.sandbox, int(record["id"]), action, wanted)


def two(local, **changes):
    """The records of two leads, the first one's first."""
    local.upsert(lead(1, **changes), lead(2))
    second, first = local.records()
    return first, second


def test_a_deleted_lead_is_restored_and_found_again(local):
    first, _ = two(local)
    assert act(local, "delete", first)
    assert local("GET", f"Leads?fields=id&ids={first['id']}").status == 204
    assert act(local, "restore", first)
    assert local.upsert(lead(1)).body["data"][0]["action"] == "update"
    assert not act(local, "restore", first)


def test_a_merged_lead_is_gone_for_good_and_the_other_keeps_its_id(local):
    first, second = two(local)
    assert act(local, "merge", second, into=first["id"])
    (left,) = local.records()
    assert (left["id"], left[KEY]) == (first["id"], "event-1")
    assert local("GET", f"Leads?fields=id&ids={second['id']}").status == 204
    assert [gone["id"] for gone in local("GET", "Leads/deleted?type=permanent").body["data"]] == [second["id"]]
    assert not act(local, "restore", second)
    refused = local("PUT", "Leads", {"data": [{"id": second["id"], "Last_Name": "X"}]}).body["data"][0]
    assert (refused["code"], refused["details"]["api_name"]) == ("INVALID_DATA", "id")
    assert local.upsert(lead(2)).body["data"][0]["action"] == "insert"


def test_a_merge_fills_gaps_and_takes_the_values_that_were_chosen(local):
    first, second = two(local, City="Bonn")
    act(local, "change", second, Mobile="+49301234567", City="Ulm")
    act(local, "merge", second, into=first["id"], take=[KEY])
    (left,) = local.records()
    assert (left["id"], left[KEY], left["Mobile"], left["City"]) == (first["id"], "event-2", "+49301234567", "Bonn")
    assert local.upsert(lead(2)).body["data"][0]["details"]["id"] == first["id"]


def test_a_renamed_choice_is_refused_and_no_longer_offered(local):
    local.sandbox.change({"renamed_choice": {}})
    refused, stored = local.upsert(lead(1, Lead_Source="Website"), lead(2, Lead_Source="Partner")).body["data"]
    assert (refused["code"], refused["details"]["api_name"]) == ("INVALID_DATA", "Lead_Source")
    assert stored["code"] == "SUCCESS"
    fields = local("GET", "settings/fields?module=Leads").body["fields"]
    (offered,) = [f["pick_list_values"] for f in fields if f["api_name"] == "Lead_Source"]
    assert {"Partner"} <= {choice["actual_value"] for choice in offered}
    assert "Website" not in {choice["actual_value"] for choice in offered}


def test_times_have_another_offset_in_winter_and_search_still_lags_by_seconds(local):
    local.upsert(lead(1))
    local.sandbox.change({"limits": {"utc_offset_min": 120, "search_lag_s": 60}})
    local.time += 30
    local.upsert(lead(2))
    second, first = local.records()
    assert (first["Created_Time"][-6:], second["Created_Time"][-6:]) == ("+03:00", "+02:00")
    query = f"Leads/search?criteria=(({KEY}:equals:event-1)or({KEY}:equals:event-2))"
    assert local("GET", query).status == 204
    local.time += 40
    assert [found[KEY] for found in local("GET", query).body["data"]] == ["event-1"]
