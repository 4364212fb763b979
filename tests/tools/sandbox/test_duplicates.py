"""Which record an upsert belongs to, and what an organisation's own unique fields and preferences refuse."""

from tests.tools.sandbox.conftest import lead

PHONE = "+905320000001"


def result(reply):
    """What became of the only row: its action, or its code with the field and module that clash."""
    (item,) = reply.body["data"]
    if item["status"] == "success":
        return item["action"]
    details = item["details"]
    return item["code"], details["api_name"], details["duplicate_record"]["module"]["api_name"]


def test_an_email_marked_unique_refuses_a_repeat(local):
    assert result(local.upsert(lead(1, Email="one@example.com"))) == "insert"
    assert result(local.upsert(lead(2, Email="one@example.com"))) == "insert"
    local.sandbox.change({"limits": {"email_unique": True}})
    assert result(local.upsert(lead(3, Email="ONE@example.com"))) == ("DUPLICATE_DATA", "Email", "Leads")
    assert len(local.records()) == 2


def test_a_unique_phone_is_looked_up_by_every_upsert_and_its_record_is_overwritten(local):
    local.sandbox.change({"limits": {"phone_unique": True}})
    local.upsert(lead(1, Phone=PHONE))
    (item,) = local.upsert(lead(2, Phone=PHONE)).body["data"]
    assert (item["action"], item["duplicate_field"]) == ("update", "Phone")
    assert [record["Website_Event_ID"] for record in local.records()] == ["event-2"]


def test_the_fields_state_what_is_unique(local):
    def unique():
        fields = local("GET", "settings/fields?module=Leads").body["fields"]
        return {field["api_name"] for field in fields if field["unique"]}

    assert unique() == {"Website_Event_ID"}
    local.sandbox.change({"limits": {"email_unique": True, "phone_unique": True}})
    assert unique() == {"Website_Event_ID", "Email", "Phone"}


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
