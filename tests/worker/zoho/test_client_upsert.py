"""Writing records: one record an event, whatever the connection does."""

from itertools import count

import pytest

from tests.support.token_store import MemoryTokenStore
from worker.crm.port import CallFailed, FailureClass
from worker.zoho.client import ZohoClient


def test_the_same_event_sent_again_updates_its_record(crm, make_client, make_lead):
    client, lead = make_client(), make_lead()
    first = client.upsert(lead, call_id="one")
    second = client.upsert(lead, call_id="two")
    assert (second.ok, second.action, second.record_id) == (True, "update", first.record_id)
    assert crm.summary()["records"] == 1


def test_two_enquiries_with_one_email_stay_two_records(crm, make_client, make_lead):
    client = make_client()
    results = [client.upsert(make_lead(Email="same@example.com"), call_id=call_id) for call_id in "ab"]
    assert len({result.record_id for result in results}) == 2


@pytest.mark.parametrize("status", [400, 207, 202])
def test_a_record_that_fails_has_a_result(crm, make_client, make_lead, status):
    crm.faults(limits={"all_failed_status": status})
    result = make_client().upsert(make_lead(Phone="x" * 31), call_id="c")
    assert (result.failure, result.field) == (FailureClass.RECORD, "Phone")
    assert result.detail == "api_name=Phone maximum_length=30"


def test_a_result_never_repeats_what_was_sent(crm, make_client, make_lead):
    result = make_client().upsert(make_lead(Email="secret person@nowhere"), call_id="c")
    assert not result.ok
    assert "secret" not in repr(result)


def test_a_code_nobody_listed_is_transient_and_logged(crm, make_client, make_lead, caplog):
    crm.faults(row_error={"code": "UNHEARD_OF"})
    assert make_client().upsert(make_lead(), call_id="c").failure is FailureClass.TRANSIENT
    assert "UNHEARD_OF" in caplog.text


@pytest.mark.parametrize("fault", ["commit_then_drop", "commit_then_cut", "commit_then_error"])
def test_a_reply_lost_after_the_commit_makes_no_second_record(crm, make_client, make_lead, fault):
    client, lead = make_client(), make_lead()
    crm.faults(**{fault: {"count": 1}})
    with pytest.raises(CallFailed) as failed:
        client.upsert(lead, call_id="lost")
    assert failed.value.failure is FailureClass.UNKNOWN
    assert client.upsert(lead, call_id="again").action == "update"
    assert (crm.summary()["records"], crm.summary()["duplicate_event_ids"]) == (1, 0)


@pytest.mark.parametrize(
    ("status", "failure"),
    [(500, FailureClass.UNKNOWN), (502, FailureClass.UNKNOWN), (503, FailureClass.TRANSIENT)],
)
def test_a_server_error_comes_back_later(crm, make_client, make_lead, status, failure):
    crm.faults(server_error={"status": status})
    with pytest.raises(CallFailed) as failed:
        make_client().upsert(make_lead(), call_id="c")
    assert (failed.value.failure, failed.value.http_status) == (failure, status)


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ({"scope_mismatch": True}, (FailureClass.CONFIGURATION, "OAUTH_SCOPE_MISMATCH")),
        ({"no_permission": True}, (FailureClass.CONFIGURATION, "NO_PERMISSION")),
        ({"top_level_error": {"code": "INVALID_MODULE"}}, (FailureClass.CONFIGURATION, "INVALID_MODULE")),
        ({"top_level_error": {"code": "INVALID_DATA"}}, (FailureClass.REQUEST, "INVALID_DATA")),
        ({"top_level_error": {"status": 413, "code": "TOO_BIG"}}, (FailureClass.REQUEST, "TOO_BIG")),
        ({"top_level_error": {"code": "NEVER_SEEN"}}, (FailureClass.TRANSIENT, "NEVER_SEEN")),
    ],
)
def test_a_refusal_of_the_whole_call_is_one_failure(crm, make_client, make_lead, fault, expected):
    crm.faults(**fault)
    with pytest.raises(CallFailed) as failed:
        make_client().upsert(make_lead(), call_id="c")
    assert (failed.value.failure, failed.value.code) == expected


@pytest.mark.parametrize("body", ["a", "b"])
@pytest.mark.parametrize("limit", [("concurrency", FailureClass.RATE), ("credits", FailureClass.CREDITS)])
def test_the_two_limits_are_told_apart_in_both_bodies(crm, make_client, make_lead, body, limit):
    cause, failure = limit
    crm.faults(too_many_requests={"cause": cause, "body": body, "retry_after": 17})
    with pytest.raises(CallFailed) as failed:
        make_client().upsert(make_lead(), call_id="c")
    assert (failed.value.failure, failed.value.retry_after_seconds) == (failure, 17.0)


def test_nothing_left_this_machine_when_the_connection_is_refused(make_client, make_lead):
    client = make_client(api_url="http://127.0.0.1:1")
    with pytest.raises(CallFailed) as failed:
        client.upsert(make_lead(), call_id="c")
    assert (failed.value.failure, failed.value.code) == (FailureClass.TRANSIENT, "CONNECT_FAILED")
    assert failed.value.detail == "ConnectionRefusedError"


def test_the_crm_sees_each_call_under_its_id(crm, make_client, make_lead):
    hours = count(step=3600)
    client = make_client(MemoryTokenStore(lambda: next(hours)))
    client.upsert(make_lead(), call_id="plain")
    crm.faults(expire_tokens=True)
    client.upsert(make_lead(), call_id="resent")
    crm.faults(commit_then_drop={"count": 1})
    with pytest.raises(CallFailed):
        client.upsert(make_lead(), call_id="lost")
    seen = [(call["request_id"], call["rows"], call["status"]) for call in crm.calls(kind="api")]
    assert seen == [("plain", 1, 200), ("resent", 1, 401), ("resent-2", 1, 200), ("lost", 1, None)]


def test_an_update_of_a_record_that_staff_deleted_is_told_as_gone(crm, make_client, make_lead):
    client = make_client()
    made = client.upsert(make_lead(), call_id="one").record_id
    assert client.update(made, {"City": "Bursa"}, call_id="two").ok
    client.delete(made, call_id="three")
    assert client.update(made, {"City": "Izmir"}, call_id="four").failure is FailureClass.GONE


def test_the_assignment_rule_is_asked_for_as_configured(crm, make_config):
    client = ZohoClient(make_config(lead_assignment_rule="488800000000451001"), MemoryTokenStore())
    assert client._upsert_body({"Last_Name": "Example"})["lar_id"] == "488800000000451001"
    assert "lar_id" not in ZohoClient(make_config(), MemoryTokenStore())._upsert_body({})
