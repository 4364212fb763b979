"""Which record an upsert belongs to, and what an organisation's own unique fields and preferences refuse."""

import pytest

from tests.sandbox.conftest import lead

PHONE = "+905320000001"


def result(reply):
    """What became of the only row: its action, or its code with the field and module that clash."""
    (item,) = reply.body["data"]
    if item["status"] == "success":
        return item["action"]
    details = item["details"]
    return item["code"], details["api_name"], details["duplicate_record"]["module"]["api_name"]


def convert(local, number):
    """Convert the lead of this number, as sales staff would; its contact keeps its values."""
    (record,) = [r for r in local.records() if r["Website_Event_ID"] == f"event-{number}"]
    local.sandbox.records.convert(int(record["id"]))


@pytest.mark.parametrize(
    ("limit", "field", "value"),
    [("email_unique", "Email", "one@example.com"), ("phone_unique", "Phone", PHONE)],
)
def test_a_standard_field_marked_unique_refuses_a_repeat(local, limit, field, value):
    assert result(local.upsert(lead(1, **{field: value}))) == "insert"
    assert result(local.upsert(lead(2, **{field: value}))) == "insert"
    local.sandbox.change({"limits": {limit: True, "phone_lookup": False}})
    assert result(local.upsert(lead(3, **{field: value.upper()}))) == ("DUPLICATE_DATA", field, "Leads")
    assert local("POST", "Leads", {"data": [lead(4, **{field: value})]}).body["data"][0]["code"] == "DUPLICATE_DATA"
    assert len(local.records()) == 2


def test_a_unique_phone_is_looked_up_by_every_upsert_and_its_record_is_overwritten(local):
    local.sandbox.change({"limits": {"phone_unique": True}})
    local.upsert(lead(1, Phone=PHONE))
    (item,) = local.upsert(lead(2, Phone=PHONE)).body["data"]
    assert (item["action"], item["duplicate_field"]) == ("update", "Phone")
    assert [record["Website_Event_ID"] for record in local.records()] == ["event-2"]


def test_a_unique_phone_of_another_record_refuses_an_update(local):
    local.sandbox.change({"limits": {"phone_unique": True}})
    local.upsert(lead(1, Phone=PHONE))
    local.upsert(lead(2))
    assert result(local.upsert(lead(2, Phone=PHONE))) == ("DUPLICATE_DATA", "Phone", "Leads")


def test_a_unique_phone_can_be_named_as_a_check_field(local):
    assert local.upsert(lead(1), by=["Phone"]).body["code"] == "INVALID_DATA"
    local.sandbox.change({"limits": {"phone_unique": True, "phone_lookup": False}})
    local.upsert(lead(1, Phone=PHONE))
    assert result(local.upsert(lead(2, Phone=PHONE), by=["Phone"])) == "update"


def test_the_fields_state_what_is_unique(local):
    def unique():
        fields = local("GET", "settings/fields?module=Leads").body["fields"]
        return {field["api_name"] for field in fields if field["unique"]}

    assert unique() == {"Website_Event_ID"}
    local.sandbox.change({"limits": {"email_unique": True, "phone_unique": True}})
    assert unique() == {"Website_Event_ID", "Email", "Phone"}


def test_a_converted_lead_is_not_checked_unless_the_organisation_prefers_so(local):
    local.upsert(lead(1))
    convert(local, 1)
    assert result(local.upsert(lead(1))) == "insert"
    assert local("GET", "settings/duplicate_check_preference?module=Leads").status == 204


@pytest.mark.parametrize(
    ("changes", "field"),
    [({"Email": "SAMPLE1@example.com"}, "Email"), ({"Website_Event_ID": "event-1"}, "Website_Event_ID")],
)
def test_with_the_preference_a_contact_counts_as_a_duplicate(local, changes, field):
    local.upsert(lead(1))
    convert(local, 1)
    local.sandbox.change({"limits": {"duplicate_check_preference": True}})
    refused = local.upsert(lead(2, **changes))
    assert result(refused) == ("DUPLICATE_DATA", field, "Contacts")
    details = refused.body["data"][0]["details"]
    assert details["id"] == details["duplicate_record"]["id"] not in {record["id"] for record in local.records()}
    preference = local("GET", "settings/duplicate_check_preference?module=Leads").body["duplicate_check_preference"]
    assert preference["type"] == "mapped_module_records"
    assert preference["type_configurations"][0]["mapped_module"]["api_name"] == "Contacts"


def test_with_the_preference_a_lead_may_still_be_updated_with_the_values_it_has(local):
    local.upsert(lead(1))
    local.upsert(lead(2, Email="sample1@example.com"))
    convert(local, 1)
    local.sandbox.change({"limits": {"duplicate_check_preference": True}})
    assert result(local.upsert(lead(2, Email="sample1@example.com"))) == "update"


@pytest.mark.parametrize(("newest_wins", "number"), [(False, 1), (True, 2)])
def test_the_oldest_or_the_newest_of_several_matches_is_updated(local, newest_wins, number):
    local.upsert(lead(1), lead(2, Email="sample1@example.com"))
    local.sandbox.change({"limits": {"newest_wins": newest_wins}})
    local("POST", "Leads/upsert", {"data": [{"Last_Name": "New", "Email": "sample1@example.com"}]})
    (updated,) = [record for record in local.records() if record["Last_Name"] == "New"]
    assert updated["Website_Event_ID"] == f"event-{number}"


def race(local, row):
    """Two upserts of one row, the second begun before the first has written; their outcomes."""
    first, second = local.begin_upsert(row), local.begin_upsert(row)
    waits = next(first), next(second)
    return waits, [next(call).reply for call in (second, first)]


def test_of_two_racing_upserts_one_writes_and_the_other_is_a_duplicate(local):
    local.sandbox.change({"upsert_race": {"ms": 40}})
    waits, (winner, loser) = race(local, lead(1))
    assert (waits, winner.status, loser.status) == ((0.04, 0.04), 200, 400)
    assert (result(winner), result(loser)) == ("insert", ("DUPLICATE_DATA", "Website_Event_ID", "Leads"))
    (record,) = local.records()
    assert loser.body["data"][0]["details"]["id"] == record["id"]
    assert local.upsert(lead(1)).body["data"][0]["details"]["id"] == record["id"]


def test_racing_updates_of_a_record_both_succeed(local):
    local.upsert(lead(1))
    local.sandbox.change({"upsert_race": True})
    _, replies = race(local, lead(1, City="Izmir"))
    assert [result(reply) for reply in replies] == ["update", "update"]


def test_without_the_race_the_second_of_two_upserts_updates(local):
    local.sandbox.change({"latency": True})
    _, replies = race(local, lead(1))
    assert [result(reply) for reply in replies] == ["insert", "update"]
