"""Reading replies: nothing unreadable passes for success."""

from datetime import UTC, datetime

import pytest

from tests.support.properties import given, st
from worker.crm.port import CallFailed, FailureClass
from worker.http import Reply
from worker.zoho.errors import CODES
from worker.zoho.failures import failure_of
from worker.zoho.replies import read_result

FIELD = "Website_Event_ID"
STATUSES = (200, 201, 202, 207, 400)


def reply(status: int, body: object, **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, named, body, datetime(2026, 11, 21, tzinfo=UTC))


def success(number: int) -> dict[str, object]:
    return {"code": "SUCCESS", "status": "success", "action": "insert", "details": {"id": str(10**17 + number)}}


def failure(code: str) -> dict[str, object]:
    return {"code": code, "status": "error", "details": {"api_name": "Phone"}, "message": "private words"}


codes = st.sampled_from([c for c in CODES if CODES[c].record in (FailureClass.RECORD, FailureClass.TRANSIENT)])


@given(code=st.none() | codes, status=st.sampled_from(STATUSES))
def test_a_result_is_read_whatever_the_status(code, status):
    result = read_result(reply(status, {"data": [success(7) if code is None else failure(code)]}), FIELD)
    if code is None:
        assert (result.ok, result.record_id) == (True, str(10**17 + 7))
    else:
        assert (result.ok, result.code, result.failure) == (False, code, CODES[code].record)


def test_more_results_than_one_are_doubt():
    with pytest.raises(CallFailed) as failed:
        read_result(reply(200, {"data": [success(1), success(2)]}), FIELD)
    assert (failed.value.failure, failed.value.code) == (FailureClass.UNKNOWN, "WRONG_COUNT")


json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["data", "code", "status", "details", "id", "errors", "error"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@given(body=json, status=st.sampled_from((*STATUSES, 204, 302, 401, 403, 404, 413, 429, 500, 502, 503)))
def test_no_body_crashes_the_reader_or_passes_for_success_without_an_id(body, status):
    try:
        result = read_result(reply(status, body), FIELD)
    except CallFailed:
        return
    assert result.ok == (result.failure is None)
    assert not result.ok or result.record_id


@pytest.mark.parametrize(
    "details", [{}, {"id": None}, {"id": ""}, {"id": True}, {"id": "x"}, None, [], {"id": 1.5}]
)
def test_a_success_without_an_id_is_doubt(details):
    item = {"code": "SUCCESS", "status": "success", "details": details}
    result = read_result(reply(200, {"data": [item]}), FIELD)
    assert (result.ok, result.failure, result.code) == (False, FailureClass.UNKNOWN, "NO_RECORD_ID")


def test_an_id_that_came_as_a_number_keeps_every_digit():
    item = {"code": "SUCCESS", "status": "success", "details": {"id": 4888000000009007199}}
    assert read_result(reply(200, {"data": [item]}), FIELD).record_id == "4888000000009007199"


def test_words_of_the_crm_are_not_passed_on():
    result = read_result(reply(400, {"data": [failure("INVALID_DATA")]}), FIELD)
    assert "private" not in repr(result)
    details = {"api_name": "me@example.com", "maximum_length": "<script>"}
    odd = {"code": "INVALID_DATA", "status": "error", "details": details}
    assert read_result(reply(400, {"data": [odd]}), FIELD).detail == ""


def test_an_update_matched_on_another_field_is_no_arrival(caplog):
    item = success(1) | {"action": "update", "duplicate_field": "Email"}
    result = read_result(reply(200, {"data": [item]}), FIELD)
    assert (result.ok, result.failure, result.field) == (False, FailureClass.CONFIGURATION, "Email")
    assert "matched on Email" in result.detail
    assert "Email" in caplog.text


def test_several_clashes_name_our_event_id_first():
    clash = {"api_name": "Email", "id": "1"}, {"api_name": FIELD, "duplicate_record": {"id": "2"}}
    errors = [{"code": "DUPLICATE_DATA", "details": one} for one in clash]
    item = {"code": "MULTIPLE_OR_MULTI_ERRORS", "status": "error", "errors": errors}
    result = read_result(reply(400, {"data": [item]}), FIELD)
    assert (result.failure, result.field, result.record_id) == (FailureClass.DUPLICATE, FIELD, "2")


@pytest.mark.parametrize("status", [200, 401])
def test_an_item_about_the_token_is_about_the_call(status):
    body = {"data": [{"code": "INVALID_TOKEN", "status": "error", "details": {}}]}
    with pytest.raises(CallFailed) as failed:
        read_result(reply(status, body), FIELD)
    assert (failed.value.failure, failed.value.code) == (FailureClass.AUTH, "INVALID_TOKEN")


@pytest.mark.parametrize("name", ["duplicate_check_fields", FIELD])
def test_a_missing_unique_field_is_a_matter_of_configuration(name):
    body = {"code": "INVALID_DATA", "status": "error", "details": {"api_name": name}}
    assert failure_of(reply(400, body), FIELD).failure is FailureClass.CONFIGURATION


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (200, (FailureClass.UNKNOWN, "UNREADABLE_REPLY")),
        (302, (FailureClass.TRANSIENT, "HTTP_302")),
        (400, (FailureClass.REQUEST, "HTTP_400")),
        (401, (FailureClass.AUTH, "HTTP_401")),
        (403, (FailureClass.TRANSIENT, "HTTP_403")),
        (408, (FailureClass.UNKNOWN, "HTTP_408")),
        (413, (FailureClass.REQUEST, "HTTP_413")),
        (429, (FailureClass.RATE, "HTTP_429")),
        (502, (FailureClass.UNKNOWN, "HTTP_502")),
        (503, (FailureClass.TRANSIENT, "HTTP_503")),
        (599, (FailureClass.UNKNOWN, "HTTP_599")),
    ],
)
def test_a_page_without_a_code_is_judged_by_its_status(status, expected):
    failed = failure_of(reply(status, None))
    assert (failed.failure, failed.code) == expected


def test_every_code_says_why_and_where_it_was_read():
    assert all(entry.note and entry.source for entry in CODES.values())
