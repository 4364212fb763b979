"""What happens later than the client expects: calls stored after it gave up, and search that lags."""

import pytest
import requests

from tests.sandbox.conftest import lead


def begin_late(local, *rows):
    """A call whose client has lost the connection; the next step stores it."""
    call = local.begin_upsert(*rows)
    assert (next(call).ending, next(call)) == ("drop", 5.0)
    return call


def test_a_late_commit_is_stored_after_a_retry_and_updates_its_record(local):
    local.sandbox.change({"late_commit": {"count": 1}})
    late = begin_late(local, lead(1, City="Old"))
    assert local.upsert(lead(1, City="New")).body["data"][0]["action"] == "insert"
    assert list(late) == []
    (record,) = local.records()
    assert (record["City"], len(local.sandbox.records.history(int(record["id"])))) == ("Old", 2)


def test_a_late_commit_brings_an_erased_person_back(local):
    local.upsert(lead(1))
    local.sandbox.change({"late_commit": {"count": 1}})
    late = begin_late(local, lead(1))
    local("DELETE", f"Leads?ids={local.records()[0]['id']}")
    assert local.records() == []
    list(late)
    assert [record["Website_Event_ID"] for record in local.records()] == ["event-1"]


def test_a_late_commit_that_raced_a_retry_is_a_duplicate(local):
    local.sandbox.change({"late_commit": {"count": 1}, "upsert_race": {"count": 1}})
    late = local.begin_upsert(lead(1, City="Old"))
    assert [next(late) if n else next(late).ending for n in range(3)] == ["drop", 5.0, 0.1]
    local.upsert(lead(1, City="New"))
    list(late)
    assert [record["City"] for record in local.records()] == ["New"]


def test_a_late_commit_is_in_flight_until_it_is_stored(local):
    local.sandbox.change({"late_commit": {"count": 1}})
    late = begin_late(local, lead(1))
    assert local.sandbox.in_flight.total == 1
    list(late)
    assert local.sandbox.in_flight.total == 0


def test_the_server_stores_a_call_after_its_client_gave_up(crm, sandbox):
    sandbox.faults(late_commit={"seconds": 0.05, "count": 1})
    with pytest.raises(requests.ConnectionError):
        crm.upsert(lead(1))
    while sandbox.summary()["in_flight"]:
        pass
    assert [record["Website_Event_ID"] for record in sandbox.records()] == ["event-1"]
    (call,) = sandbox.calls(kind="api")
    assert (call["status"], call["committed"], call["fault"]) == (None, True, "late_commit")


@pytest.mark.parametrize(
    "query",
    [
        "criteria=(Website_Event_ID:equals:event-1)",
        "email=sample1@example.com",
        "phone=%2B31205550199",
        "word=Haag",
    ],
)
def test_a_lagging_search_finds_a_record_only_later(local, query):
    local.sandbox.change({"limits": {"search_lag_s": 30}})
    made = local.upsert(lead(1, City="Den Haag", Phone="+31205550199")).body["data"][0]["details"]["id"]
    assert local("GET", f"Leads/{made}").status == 200
    assert local.upsert(lead(1)).body["data"][0]["action"] == "update"
    local.time += 29
    assert local("GET", f"Leads/search?{query}").status == 204
    local.time += 1
    assert [record["id"] for record in local("GET", f"Leads/search?{query}").body["data"]] == [made]


def test_a_lagging_search_goes_by_the_values_a_record_had(local):
    local.upsert(lead(1))
    local.time += 60
    local.sandbox.change({"limits": {"search_lag_s": 30}})
    local.upsert(lead(1, Email="new@example.com"))
    assert local("GET", "Leads/search?email=new@example.com").status == 204
    assert local("GET", "Leads/search?email=sample1@example.com").body["data"][0]["Email"] == "sample1@example.com"
    local.time += 30
    assert local("GET", "Leads/search?email=new@example.com").status == 200


def test_without_a_lag_search_finds_what_was_just_written(local):
    local.upsert(lead(1))
    assert local("GET", "Leads/search?email=sample1@example.com").status == 200
