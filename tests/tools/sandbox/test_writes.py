import pytest

from tests.tools.sandbox.conftest import lead


def item(reply, index=0):
    return reply.json()["data"][index]


def test_an_upsert_inserts_once_and_then_updates_the_same_record(crm, sandbox):
    first, again = crm.upsert(lead(1)), crm.upsert(lead(1, First_Name="Anna"))
    assert (first.status_code, again.status_code) == (200, 200)
    assert (item(first)["action"], item(first)["duplicate_field"], item(first)["message"]) == (
        "insert",
        None,
        "record added",
    )
    assert (item(again)["action"], item(again)["duplicate_field"]) == ("update", "Website_Event_ID")
    assert item(again)["details"]["id"] == item(first)["details"]["id"]
    [record] = sandbox.records()
    assert (record["First_Name"], record["Last_Name"]) == ("Anna", "Sample 1")
    assert (sandbox.summary()["inserts"], sandbox.summary()["updates"]) == (1, 1)


def test_some_rows_failing_is_207_in_input_order(crm):
    reply = crm.upsert(lead(1), {"First_Name": "No last name"}, lead(3))
    assert reply.status_code == 207
    assert [row["code"] for row in reply.json()["data"]] == ["SUCCESS", "MANDATORY_NOT_FOUND", "SUCCESS"]
    assert item(reply, 1)["details"] == {"api_name": "Last_Name", "json_path": "$.data[1].Last_Name"}


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("Last_Name", "x" * 81, {"maximum_length": 80}),
        ("Phone", "12..34", {"expected_data_type": "phone"}),
        ("Phone", "() Not provided.", {"expected_data_type": "phone"}),
        ("Phone", "+4477793305580000000000000000001", {"maximum_length": 30}),
        ("Email", "x@[127.0.0.1]", {"expected_data_type": "email"}),
        ("City", 5, {"expected_data_type": "text"}),
        ("Email_Opt_Out", "true", {"expected_data_type": "boolean"}),
        ("Submitted_At", "2026-11-21T10:00:00Z", {"expected_data_type": "datetime"}),
        ("Submitted_At", "2026-13-21T10:00:00+00:00", {"expected_data_type": "datetime"}),
        ("Website_Event_ID", "x" * 101, {"maximum_length": 100}),
    ],
)
def test_a_value_that_does_not_fit_refuses_its_row(crm, sandbox, name, value, expected):
    reply = crm.upsert(lead(1, **{name: value}))
    assert (reply.status_code, item(reply)["code"]) == (400, "INVALID_DATA")
    assert item(reply)["details"] == {**expected, "api_name": name, "json_path": f"$.data[0].{name}"}
    assert sandbox.records() == []


def test_unknown_fields_are_ignored_and_unlisted_picklist_values_are_added(crm, sandbox):
    crm.upsert(lead(1, Nobody_Knows="x", Lead_Source="Fair"))
    [record] = sandbox.records()
    assert "Nobody_Knows" not in record
    fields = crm("GET", "settings/fields?module=Leads").json()["fields"]
    [source] = [field for field in fields if field["api_name"] == "Lead_Source"]
    assert {"Website", "WhatsApp", "Fair"} <= {value["display_value"] for value in source["pick_list_values"]}
