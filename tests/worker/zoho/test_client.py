"""The client's calls: one record an event, whatever the connection does; lists to their end; and its hosts."""

import time
from itertools import count
from uuid import UUID

import pytest

from tests.support.token_store import MemoryTokenStore
from worker.crm.port import CallFailed, CustomField, FailureClass
from worker.zoho.config import DATA_CENTERS


def fails(call, *given, **named):
    with pytest.raises(CallFailed) as failed:
        call(*given, **{"call_id": "c"} | named)
    return failed.value


def test_the_same_event_sent_again_updates_its_record(crm, make_client, make_lead):
    client, lead = make_client(), make_lead()
    assert client.upsert(lead, call_id="one") == client.upsert(lead, call_id="two")
    assert crm.summary()["records"] == 1


def test_two_enquiries_with_one_email_stay_two_records(make_client, make_lead):
    client = make_client()
    assert len({client.upsert(make_lead(Email="same@example.com"), call_id=call_id) for call_id in "ab"}) == 2


def test_an_email_that_the_crm_keeps_unique_is_told_as_somebody_elses(crm, make_client, make_lead):
    crm.faults(limits={"email_unique": True})
    client = make_client()
    client.upsert(make_lead(Email="same@example.com"), call_id="one")
    failure = fails(client.upsert, make_lead(Email="same@example.com"))
    assert (failure.failure, failure.field) == (FailureClass.DUPLICATE, "Email")


@pytest.mark.parametrize("status", [400, 207, 202])
def test_a_record_that_fails_has_a_result(crm, make_client, make_lead, status):
    crm.faults(limits={"all_failed_status": status})
    failure = fails(make_client().upsert, make_lead(Phone="x" * 31))
    assert (failure.failure, failure.field) == (FailureClass.REFUSED, "Phone")
    assert failure.detail == "api_name=Phone maximum_length=30"


def test_a_result_never_repeats_what_was_sent(make_client, make_lead):
    failure = fails(make_client().upsert, make_lead(Email="secret person@nowhere"))
    assert "secret" not in str(vars(failure))


def test_a_code_nobody_listed_is_transient_and_logged(crm, make_client, make_lead, caplog):
    crm.faults(row_error={"code": "UNHEARD_OF"})
    assert fails(make_client().upsert, make_lead()).failure is FailureClass.TRANSIENT
    assert "UNHEARD_OF" in caplog.text


@pytest.mark.parametrize("fault", [{"under_approval": {}}, {"in_blueprint": {"field": "Last_Name"}}])
def test_a_record_of_ours_that_the_crm_will_not_update_buries_no_row(crm, make_client, make_lead, fault):
    client, lead = make_client(), make_lead()
    record_id = client.upsert(lead, call_id="one")
    crm.faults(**fault)
    failure = fails(client.upsert, lead)
    assert (failure.failure, failure.answered) == (FailureClass.UNKNOWN, True)
    assert fails(client.update, record_id, {"Last_Name": "Other"}).failure is FailureClass.REFUSED


@pytest.mark.parametrize("fault", ["commit_then_drop", "commit_then_cut", "commit_then_error"])
def test_a_reply_lost_after_the_commit_makes_no_second_record(crm, make_client, make_lead, fault):
    client, lead = make_client(), make_lead()
    crm.faults(**{fault: {"count": 1}})
    assert fails(client.upsert, lead).failure is FailureClass.UNKNOWN
    client.upsert(lead, call_id="again")
    assert (crm.summary()["records"], crm.summary()["duplicate_event_ids"]) == (1, 0)


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
def test_a_refusal_of_the_whole_call_is_one_failure(crm, make_client, make_lead, fault, expected):
    crm.faults(**fault)
    failure = fails(make_client().upsert, make_lead())
    assert (failure.failure, failure.code, failure.answered) == (*expected, False)


@pytest.mark.parametrize("body", ["a", "b"])
@pytest.mark.parametrize("limit", [("concurrency", FailureClass.RATE), ("credits", FailureClass.CREDITS)])
def test_the_two_limits_are_told_apart_in_both_bodies(crm, make_client, make_lead, body, limit):
    cause, expected = limit
    crm.faults(too_many_requests={"cause": cause, "body": body, "retry_after": 17})
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
def test_a_call_ends_on_time_its_token_included(crm, make_client, make_lead, fault, expected):
    crm.faults(**fault)
    began = time.monotonic()
    failure = fails(make_client(call_seconds=1.0).upsert, make_lead())
    assert time.monotonic() - began < 6.0  # on a busy machine
    assert (failure.failure, failure.code) == expected


def test_the_crm_sees_each_call_under_its_id(crm, make_client, make_lead):
    hours = count(step=3600)
    client = make_client(MemoryTokenStore(lambda: next(hours)))
    client.upsert(make_lead(), call_id="plain")
    crm.faults(expire_tokens=True)
    client.upsert(make_lead(), call_id="resent")
    crm.faults(commit_then_drop={"count": 1})
    fails(client.upsert, make_lead(), call_id="lost")
    seen = [(call["request_id"], call["rows"], call["status"]) for call in crm.calls(kind="api")]
    assert seen == [("plain", 1, 200), ("resent", 1, 401), ("resent-2", 1, 200), ("lost", 1, None)]


def test_a_record_is_found_by_its_event_id_updated_and_deleted(crm, make_client, make_lead):
    client, lead = make_client(), make_lead()
    record_id = client.upsert(lead, call_id="one")
    event_id = UUID(lead["Website_Event_ID"])
    assert client.find([event_id], call_id="f") == [(event_id, record_id)]
    client.update(record_id, {"City": "Bursa"}, call_id="u")
    client.delete(record_id, call_id="erasure")
    assert client.find([event_id], call_id="g") == []
    assert crm.calls(kind="api", method="DELETE")[0]["request_id"] == "erasure"
    assert list(client.list_deleted()) == [[record_id]]
    gone = [fails(client.update, record_id, {"City": "Izmir"}), fails(client.delete, record_id)]
    assert [failure.failure for failure in gone] == [FailureClass.GONE] * 2


def test_an_id_that_is_none_is_not_sent(crm, make_client):
    client = make_client()
    for found in ("1/../2", "1 or 1", ""):
        for call in (client.delete, client.purge):
            with pytest.raises(ValueError, match="digits"):
                call(found, call_id="c")
        with pytest.raises(ValueError, match="digits"):
            list(client.list_records(ids=[found]))
    assert crm.calls() == []


def test_the_assignment_rule_is_asked_for_as_configured(crm, make_client, make_lead, monkeypatch):
    bodies = []
    client = make_client(lead_assignment_rule="488800000000451001")
    real = client._call
    monkeypatch.setattr(client, "_call", lambda *words, body: bodies.append(body) or real(*words, body=body))
    client.upsert(make_lead(), call_id="c")
    assert bodies[0]["lar_id"] == "488800000000451001"


# Lists ----------------------------------------------------------------------------------------------------------


def fill(client, make_lead, count):
    return [client.upsert(make_lead(), call_id=f"fill-{number}") for number in range(count)]


def test_every_record_of_a_list_is_read_once_newest_first_whatever_arrives_meanwhile(make_client, make_lead):
    client = make_client()
    assert list(client.list_records()) == list(client.list_deleted()) == []
    there = fill(client, make_lead, 450)
    pages = client.list_records()
    first = next(pages)
    fill(client, make_lead, 50)
    ids = [item.id for page in (first, *pages) for item in page]
    assert ids == sorted(there, key=int, reverse=True)


def test_a_list_beyond_two_thousand_rows_is_read_to_its_end(crm, make_client, make_lead):
    client = make_client()
    fill(client, make_lead, 2_100)
    assert sum(len(page) for page in client.list_records()) == 2_100
    assert {call["status"] for call in crm.calls(kind="api", method="GET")} == {200}


def test_the_hour_in_which_the_clocks_go_back_is_in_order(crm, make_client, make_lead):
    """The CRM writes times in its user's zone: those of a moment later look an hour earlier."""
    client = make_client()
    fill(client, make_lead, 1)
    crm.faults(limits={"utc_offset_min": 120})
    fill(client, make_lead, 1)
    ((later, earlier),) = client.list_records()
    assert 0 <= (later.created_at - earlier.created_at).total_seconds() < 60


def test_records_are_read_by_their_ids(make_client, make_lead):
    client = make_client()
    first, _, third = fill(client, make_lead, 3)
    (page,) = client.list_records(ids=[first, third, "488800000000999999"])
    assert {item.id for item in page} == {first, third}


def test_a_list_that_is_refused_midway_says_so(crm, make_client, make_lead):
    client = make_client()
    fill(client, make_lead, 250)
    pages = client.list_records()
    next(pages)
    crm.faults(server_error={"status": 503})
    with pytest.raises(CallFailed, match="HTTP_503"):
        next(pages)


# Settings -------------------------------------------------------------------------------------------------------


def test_fields_are_read_with_length_and_uniqueness(make_client):
    found = {field.api_name: field for field in make_client().fields()}
    event_id, last_name = found["Website_Event_ID"], found["Last_Name"]
    assert (event_id.unique, event_id.data_type) == (True, "text")
    assert (last_name.unique, last_name.length) == (False, 80)


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


def test_every_data_centre_has_two_hosts_over_tls():
    assert len(DATA_CENTERS) == 10
    urls = [url for pair in DATA_CENTERS.values() for url in pair]
    assert all(url.startswith("https://") and not url.endswith("/") for url in urls)
