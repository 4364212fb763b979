"""Writing records: results row by row, and one record an event whatever the connection does."""

from itertools import count

import pytest

from tests.support.token_store import MemoryTokenStore
from worker.crm.port import CallFailed, FailureClass
from worker.zoho.client import ZohoClient


def test_each_record_gets_its_result_in_the_order_sent(crm, make_client, make_lead):
    leads = [make_lead(Last_Name=f"Name {n}") for n in range(100)]
    results = make_client().upsert(leads, call_id="call")
    stored = {record["id"]: record["Website_Event_ID"] for record in crm.records()}
    assert [stored[result.record_id] for result in results] == [lead["Website_Event_ID"] for lead in leads]
    assert {(result.ok, result.action) for result in results} == {(True, "insert")}


def test_the_same_event_sent_again_updates_its_record(crm, make_client, make_lead):
    client, lead = make_client(), make_lead()
    first = client.upsert([lead], call_id="one")[0]
    second = client.upsert([lead], call_id="two")[0]
    assert (second.ok, second.action, second.record_id) == (True, "update", first.record_id)
    assert crm.summary()["records"] == 1


def test_two_enquiries_with_one_email_stay_two_records(crm, make_client, make_lead):
    leads = [make_lead(Email="same@example.com"), make_lead(Email="same@example.com")]
    results = make_client().upsert(leads, call_id="call")
    assert len({result.record_id for result in results}) == 2


@pytest.mark.parametrize("status", [200, 207])
def test_a_poison_record_leaves_the_other_99_alone(crm, make_client, make_lead, status):
    crm.faults(reject_word={"word": "Poison", "field": "Phone"}, limits={"mixed_status": status})
    leads = [make_lead(Last_Name="Poison" if n == 41 else "Fine") for n in range(100)]
    results = make_client().upsert(leads, call_id="call")
    assert [n for n, result in enumerate(results) if not result.ok] == [41]
    poison = results[41]
    assert (poison.code, poison.failure, poison.field) == ("INVALID_DATA", FailureClass.RECORD, "Phone")
    assert poison.http_status == status


@pytest.mark.parametrize("status", [400, 207, 202])
def test_when_every_record_fails_there_are_still_results(crm, make_client, make_lead, status):
    crm.faults(limits={"all_failed_status": status})
    results = make_client().upsert([make_lead(Email="no address"), make_lead(Phone="x" * 31)], call_id="c")
    assert [result.field for result in results] == ["Email", "Phone"]
    assert {result.failure for result in results} == {FailureClass.RECORD}
    assert results[1].detail == "api_name=Phone maximum_length=30"


def test_a_result_never_repeats_what_was_sent(crm, make_client, make_lead):
    result = make_client().upsert([make_lead(Email="secret person@nowhere")], call_id="c")[0]
    assert not result.ok
    assert "secret" not in repr(result)


def test_a_code_nobody_listed_is_transient_and_logged(crm, make_client, make_lead, caplog):
    crm.faults(row_error={"code": "UNHEARD_OF"})
    assert make_client().upsert([make_lead()], call_id="c")[0].failure is FailureClass.TRANSIENT
    assert "UNHEARD_OF" in caplog.text


@pytest.mark.parametrize("fault", ["commit_then_drop", "commit_then_cut", "commit_then_error"])
@pytest.mark.parametrize("rows", [1, 100])
def test_a_reply_lost_after_the_commit_makes_no_second_record(crm, make_client, make_lead, fault, rows):
    client, leads = make_client(), [make_lead() for _ in range(rows)]
    crm.faults(**{fault: {"count": 1}})
    with pytest.raises(CallFailed) as failed:
        client.upsert(leads, call_id="lost")
    assert failed.value.failure is FailureClass.UNKNOWN
    results = client.upsert(leads, call_id="again")
    assert {result.action for result in results} == {"update"}
    assert (crm.summary()["records"], crm.summary()["duplicate_event_ids"]) == (rows, 0)


@pytest.mark.parametrize(
    ("status", "failure"),
    [(500, FailureClass.UNKNOWN), (502, FailureClass.UNKNOWN), (503, FailureClass.TRANSIENT)],
)
def test_a_server_error_comes_back_later(crm, make_client, make_lead, status, failure):
    crm.faults(server_error={"status": status})
    with pytest.raises(CallFailed) as failed:
        make_client().upsert([make_lead()], call_id="c")
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
        make_client().upsert([make_lead(), make_lead()], call_id="c")
    assert (failed.value.failure, failed.value.code) == expected


@pytest.mark.parametrize("body", ["a", "b"])
@pytest.mark.parametrize("limit", [("concurrency", FailureClass.RATE), ("credits", FailureClass.CREDITS)])
def test_the_two_limits_are_told_apart_in_both_bodies(crm, make_client, make_lead, body, limit):
    cause, failure = limit
    crm.faults(too_many_requests={"cause": cause, "body": body, "retry_after": 17})
    with pytest.raises(CallFailed) as failed:
        make_client().upsert([make_lead()], call_id="c")
    assert (failed.value.failure, failed.value.retry_after_seconds) == (failure, 17.0)


def test_nothing_left_this_machine_when_the_connection_is_refused(make_client, make_lead):
    client = make_client(api_url="http://127.0.0.1:1")
    with pytest.raises(CallFailed) as failed:
        client.upsert([make_lead()], call_id="c")
    assert (failed.value.failure, failed.value.code) == (FailureClass.TRANSIENT, "CONNECT_FAILED")
    assert failed.value.detail == "ConnectionRefusedError"


def test_the_crm_sees_each_call_under_its_id(crm, make_client, make_lead):
    hours = count(step=3600)
    client = make_client(MemoryTokenStore(lambda: next(hours)))
    client.upsert([make_lead()], call_id="plain")
    crm.faults(expire_tokens=True)
    client.upsert([make_lead(), make_lead()], call_id="resent")
    crm.faults(commit_then_drop={"count": 1})
    with pytest.raises(CallFailed):
        client.upsert([make_lead()], call_id="lost")
    seen = [(call["request_id"], call["rows"], call["status"]) for call in crm.calls(kind="api")]
    assert seen == [("plain", 1, 200), ("resent", 2, 401), ("resent-2", 2, 200), ("lost", 1, None)]


@pytest.mark.parametrize("rows", [0, 101])
def test_an_upsert_takes_1_to_100_records(make_client, make_lead, rows):
    with pytest.raises(ValueError, match="1 to 100"):
        make_client().upsert([make_lead() for _ in range(rows)], call_id="c")


def test_records_without_their_own_event_id_are_not_sent(crm, make_client, make_lead):
    lead = make_lead()
    for records in ([lead, lead], [{"Last_Name": "Nobody"}]):
        with pytest.raises(ValueError, match="Website_Event_ID"):
            make_client().upsert(records, call_id="c")
    assert crm.summary()["calls"] == 0


def test_the_assignment_rule_is_asked_for_as_configured(crm, make_config):
    client = ZohoClient(make_config(lead_assignment_rule="488800000000451001"), MemoryTokenStore())
    assert client._upsert_body([{"Last_Name": "Example"}])["lar_id"] == "488800000000451001"
    assert "lar_id" not in ZohoClient(make_config(), MemoryTokenStore())._upsert_body([])
