"""What happens later than the client expects: calls stored after it gave up, and search that lags."""

from tests.tools.sandbox.conftest import lead


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
    assert [record["City"] for record in local.records()] == ["Old"]


def test_a_lagging_search_finds_a_record_only_later(local):
    query = "criteria=(Website_Event_ID:equals:event-1)"
    local.sandbox.change({"limits": {"search_lag_s": 30}})
    made = local.upsert(lead(1)).body["data"][0]["details"]["id"]
    assert local("GET", f"Leads?fields=id&ids={made}").status == 200
    assert local.upsert(lead(1)).body["data"][0]["action"] == "update"
    local.time += 29
    assert local("GET", f"Leads/search?{query}").status == 204
    local.time += 1
    assert [record["id"] for record in local("GET", f"Leads/search?{query}").body["data"]] == [made]
