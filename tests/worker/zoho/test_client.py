"""The client's calls: one record an event, whatever the connection does; lists to their end; and its hosts."""

import socket
import threading
from contextlib import suppress
from itertools import count
from uuid import UUID

import pytest

from tests.support.token_store import MemoryTokenStore
from worker.crm.port import CallFailed, CustomField, FailureClass
from worker.zoho import client as module


def fails(call, *given, **named):
    with pytest.raises(CallFailed) as failed:
        call(*given, **{"call_id": "c"} | named)
    return failed.value


def test_two_enquiries_with_one_email_stay_two_records(make_client, make_lead):
    client = make_client()
    assert len({client.upsert(make_lead(Email="same@example.com"), call_id=call_id) for call_id in "ab"}) == 2


@pytest.mark.parametrize("status", [400, 207, 202])
def test_a_record_that_fails_has_a_result(sandbox, make_client, make_lead, status):
    sandbox.faults(limits={"all_failed_status": status})
    failure = fails(make_client().upsert, make_lead(Phone="x" * 31))
    assert (failure.failure, failure.field) == (FailureClass.REFUSED, "Phone")
    assert failure.detail == "api_name=Phone maximum_length=30"


def test_a_code_nobody_listed_is_transient_and_logged(sandbox, make_client, make_lead, caplog):
    sandbox.faults(row_error={"code": "UNHEARD_OF"})
    assert fails(make_client().upsert, make_lead()).failure is FailureClass.TRANSIENT
    assert "UNHEARD_OF" in caplog.text


@pytest.mark.parametrize("fault", [{"under_approval": {}}, {"in_blueprint": {"field": "Last_Name"}}])
def test_a_record_of_ours_that_the_crm_will_not_update_buries_no_row(sandbox, make_client, make_lead, fault):
    client, lead = make_client(), make_lead()
    record_id = client.upsert(lead, call_id="one")
    sandbox.faults(**fault)
    failure = fails(client.upsert, lead)
    assert (failure.failure, failure.answered) == (FailureClass.UNKNOWN, True)
    assert fails(client.update, record_id, {"Last_Name": "Other"}).failure is FailureClass.REFUSED


@pytest.mark.parametrize("fault", ["commit_then_drop", "commit_then_cut", "commit_then_error"])
def test_a_reply_lost_after_the_commit_makes_no_second_record(sandbox, make_client, make_lead, fault):
    client, lead = make_client(), make_lead()
    sandbox.faults(**{fault: {"count": 1}})
    assert fails(client.upsert, lead).failure is FailureClass.UNKNOWN
    client.upsert(lead, call_id="again")
    assert (sandbox.summary()["records"], sandbox.summary()["duplicate_event_ids"]) == (1, 0)


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ({"scope_mismatch": True}, (FailureClass.CONFIGURATION, "OAUTH_SCOPE_MISMATCH")),
        ({"no_permission": True}, (FailureClass.CONFIGURATION, "NO_PERMISSION")),
        ({"top_level_error": {"code": "INVALID_MODULE"}}, (FailureClass.CONFIGURATION, "INVALID_MODULE")),
        ({"top_level_error": {"code": "INVALID_DATA"}}, (FailureClass.REFUSED, "INVALID_DATA")),
        ({"top_level_error": {"status": 413, "code": "TOO_BIG"}}, (FailureClass.REFUSED, "TOO_BIG")),
        ({"top_level_error": {"code": "NEVER_SEEN"}}, (FailureClass.TRANSIENT, "NEVER_SEEN")),
    ],
)
def test_a_refusal_of_the_whole_call_is_one_failure(sandbox, make_client, make_lead, fault, expected):
    sandbox.faults(**fault)
    failure = fails(make_client().upsert, make_lead())
    assert (failure.failure, failure.code, failure.answered) == (*expected, False)


@pytest.mark.parametrize("body", ["a", "b"])
@pytest.mark.parametrize("limit", [("concurrency", FailureClass.RATE), ("credits", FailureClass.CREDITS)])
def test_the_two_limits_are_told_apart_in_both_bodies(sandbox, make_client, make_lead, body, limit):
    cause, expected = limit
    sandbox.faults(too_many_requests={"cause": cause, "body": body, "retry_after": 17})
    failure = fails(make_client().upsert, make_lead())
    assert (failure.failure, failure.retry_after_seconds) == (expected, 17.0)


def test_nothing_left_this_machine_when_the_connection_is_refused(make_client, make_lead):
    failure = fails(make_client(api_url="http://127.0.0.1:1").upsert, make_lead())
    assert (failure.failure, failure.code) == (FailureClass.TRANSIENT, "CONNECT_FAILED")
    assert failure.detail == "ConnectionRefusedError"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ({"hang": {"commit": True}}, (FailureClass.UNKNOWN, "TIMEOUT")),
        ({"hang": {"path": "/oauth"}}, (FailureClass.TRANSIENT, "TOKEN_TIMEOUT")),
    ],
)
def test_a_call_ends_on_time_its_token_included(sandbox, make_client, make_lead, fault, expected):
    sandbox.faults(**fault)
    failure = fails(make_client(call_seconds=1.0).upsert, make_lead())
    assert (failure.failure, failure.code) == expected


def test_the_crm_sees_each_call_under_its_id(sandbox, make_client, make_lead):
    hours = count(step=3600)
    client = make_client(MemoryTokenStore(lambda: next(hours)))
    client.upsert(make_lead(), call_id="plain")
    sandbox.faults(expire_tokens=True)
    client.upsert(make_lead(), call_id="resent")
    sandbox.faults(commit_then_drop={"count": 1})
    fails(client.upsert, make_lead(), call_id="lost")
    seen = [(call["request_id"], call["rows"], call["status"]) for call in sandbox.calls(kind="api")]
    assert seen == [("plain", 1, 200), ("resent", 1, 401), ("resent-2", 1, 200), ("lost", 1, None)]


def test_a_record_is_found_by_its_event_id_updated_and_deleted(sandbox, make_client, make_lead):
    client, lead = make_client(), make_lead()
    record_id = client.upsert(lead, call_id="one")
    event_id = UUID(lead["Website_Event_ID"])
    assert client.find([event_id], call_id="f") == [(event_id, record_id)]
    client.update(record_id, {"City": "Bursa"}, call_id="u")
    client.delete(record_id, call_id="erasure")
    assert client.find([event_id], call_id="g") == []
    assert sandbox.calls(kind="api", method="DELETE")[0]["request_id"] == "erasure"
    assert list(client.list_deleted()) == [[record_id]]
    gone = [fails(client.update, record_id, {"City": "Izmir"}), fails(client.delete, record_id)]
    assert [failure.failure for failure in gone] == [FailureClass.GONE] * 2


def test_an_id_that_is_none_is_not_sent(sandbox, make_client):
    client = make_client()
    for found in ("1/../2", "1 or 1", ""):
        for call in (client.delete, client.purge):
            with pytest.raises(ValueError, match="digits"):
                call(found, call_id="c")
        with pytest.raises(ValueError, match="digits"):
            list(client.list_records(ids=[found]))
    assert sandbox.calls() == []


def test_the_assignment_rule_is_asked_for_as_configured(sandbox, make_client, make_lead, monkeypatch):
    bodies = []
    client = make_client(lead_assignment_rule="488800000000451001")
    real = client._call
    monkeypatch.setattr(client, "_call", lambda *words, body: bodies.append(body) or real(*words, body=body))
    client.upsert(make_lead(), call_id="c")
    assert bodies[0]["lar_id"] == "488800000000451001"


# Lists ----------------------------------------------------------------------------------------------------------


def fill(client, make_lead, count):
    return [client.upsert(make_lead(), call_id=f"fill-{number}") for number in range(count)]


def test_every_record_of_a_list_is_read_once_newest_first_whatever_arrives_meanwhile(
    make_client, make_lead, monkeypatch
):
    monkeypatch.setattr(module, "PAGE_ROWS", 20)
    client = make_client()
    assert list(client.list_records()) == list(client.list_deleted()) == []
    there = fill(client, make_lead, 45)
    pages = client.list_records()
    first = next(pages)
    fill(client, make_lead, 5)
    ids = [item.id for page in (first, *pages) for item in page]
    assert ids == sorted(there, key=int, reverse=True)


def test_the_hour_in_which_the_clocks_go_back_is_in_order(sandbox, make_client, make_lead):
    """The CRM writes times in its user's zone: those of a moment later look an hour earlier."""
    client = make_client()
    fill(client, make_lead, 1)
    sandbox.faults(limits={"utc_offset_min": 120})
    fill(client, make_lead, 1)
    ((later, earlier),) = client.list_records()
    assert 0 <= (later.created_at - earlier.created_at).total_seconds() < 60


def test_records_are_read_by_their_ids(make_client, make_lead):
    client = make_client()
    first, _, third = fill(client, make_lead, 3)
    (page,) = client.list_records(ids=[first, third, "488800000000999999"])
    assert {item.id for item in page} == {first, third}


# Settings -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    [
        CustomField("Shoe_Size", "Shoe Size", "text", 255, unique=True),
        CustomField("Long_Story", "Long Story", "textarea", 2000),
        CustomField("Seen_At", "Seen At", "datetime", 0),
    ],
)
def test_a_field_is_created_as_specified(make_client, spec):
    client = make_client()
    client.create_field(spec)
    made = next(field for field in client.fields() if field.api_name == spec.name)
    assert (made.data_type, made.unique) == (spec.data_type, spec.unique)
    assert made.length >= spec.length


# Replies of whatever bytes: a failed call, never an exception that a batch dies of -------------------------------


OK = b"HTTP/1.1 200 OK\r\n"


def json_reply(body, headers=b""):
    return b"%bContent-Type: application/json\r\n%bContent-Length: %d\r\n\r\n%b" % (OK, headers, len(body), body)


ODD = {
    "a list in a list, and so on": json_reply(b"[" * 50_000),
    "a number of ten thousand digits": json_reply(b'{"data":%b}' % (b"9" * 10_000)),
    "bytes that are no text": json_reply(b'{"data": "\xff\xfe"}'),
    "nothing": json_reply(b""),
    "no HTTP": b"garbage\r\n\r\n",
    "a status that is no number": b"HTTP/1.1 abc OK\r\n\r\n",
    "a status beyond all": b"HTTP/1.1 99999 X\r\nContent-Length: 0\r\n\r\n",
    "a header that never ends": OK + b"X: " + b"a" * 100_000 + b"\r\n\r\n{}",
    "headers without number": OK + b"".join(b"X%d: a\r\n" % number for number in range(200)) + b"\r\n{}",
    "a coding it does not have": json_reply(b"no gzip", b"Content-Encoding: gzip\r\n"),
    "two lengths": OK + b"Content-Length: 2, 3\r\n\r\n{}",
    "chunks that are none": OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    "times beyond the calendar": json_reply(b"{}", b"Retry-After: Fri, 31 Dec 9999 23:59:59 -1200\r\n"),
}


def answer_once(listener, reply):
    with suppress(OSError), listener.accept()[0] as client:
        request = b""
        while b"\r\n\r\n" not in request and (chunk := client.recv(65536)):
            request += chunk
        client.sendall(reply)
        client.shutdown(socket.SHUT_WR)
        while client.recv(65536):
            continue


@pytest.mark.parametrize("reply", ODD.values(), ids=ODD.keys())
def test_the_call_fails_for(make_client, make_lead, reply):
    store = MemoryTokenStore()
    store.finish_mint("a-token", 3600.0)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=answer_once, args=[listener, reply], daemon=True).start()
        client = make_client(store, api_url=f"http://127.0.0.1:{listener.getsockname()[1]}")
        with pytest.raises(CallFailed):
            client.upsert(make_lead(), call_id="odd")
