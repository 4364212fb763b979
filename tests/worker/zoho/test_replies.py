"""Reading replies: any mixture of results is told row by row, and nothing unreadable passes for success."""

from datetime import UTC, datetime

import pytest

from tests.support.properties import given, st
from worker.crm.port import CallFailed, FailureClass
from worker.http import Reply
from worker.zoho.errors import CODES
from worker.zoho.failures import failure_of
from worker.zoho.replies import read_results

FIELD = "Website_Event_ID"
STATUSES = (200, 201, 202, 207, 400)


def reply(status: int, body: object, **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, named, body, body is None, datetime(2026, 11, 21, tzinfo=UTC))


def success(number: int) -> dict[str, object]:
    return {"code": "SUCCESS", "status": "success", "action": "insert", "details": {"id": str(10**17 + number)}}


def failure(code: str) -> dict[str, object]:
    return {"code": code, "status": "error", "details": {"api_name": "Phone"}, "message": "private words"}


codes = st.sampled_from([c for c in CODES if CODES[c].record in (FailureClass.RECORD, FailureClass.TRANSIENT)])
items = st.lists(st.one_of(st.none(), codes), min_size=1, max_size=100)


@given(pattern=items, status=st.sampled_from(STATUSES))
def test_any_pattern_of_results_is_read_row_by_row_whatever_the_status(pattern, status):
    data = [success(n) if code is None else failure(code) for n, code in enumerate(pattern)]
    results = read_results(reply(status, {"data": data}), len(data), FIELD)
    assert [result.ok for result in results] == [code is None for code in pattern]
    for number, (result, code) in enumerate(zip(results, pattern, strict=True)):
        if code is None:
            assert result.record_id == str(10**17 + number)
        else:
            assert (result.code, result.failure) == (code, CODES[code].record)


@given(pattern=items, missing=st.integers(1, 3), status=st.sampled_from(STATUSES))
def test_another_number_of_results_than_rows_is_doubt(pattern, missing, status):
    data = [success(n) if code is None else failure(code) for n, code in enumerate(pattern)]
    with pytest.raises(CallFailed) as failed:
        read_results(reply(status, {"data": data}), len(data) + missing, FIELD)
    assert failed.value.failure is FailureClass.UNKNOWN


@given(pattern=items, extra=st.integers(1, 3))
def test_more_results_than_rows_are_doubt(pattern, extra):
    data = [success(n) if code is None else failure(code) for n, code in enumerate(pattern)]
    data += [success(len(pattern) + n) for n in range(extra)]
    with pytest.raises(CallFailed) as failed:
        read_results(reply(200, {"data": data}), len(pattern), FIELD)
    assert (failed.value.failure, failed.value.code) == (FailureClass.UNKNOWN, "WRONG_COUNT")


def test_one_record_id_for_several_rows_is_doubt_for_these_rows():
    data = [success(1), success(2), success(1), failure("INVALID_DATA")]
    results = read_results(reply(200, {"data": data}), 4, FIELD)
    assert [result.code for result in results] == ["REPEATED_ID", "SUCCESS", "REPEATED_ID", "INVALID_DATA"]
    assert [result.failure for result in results[:3]] == [FailureClass.UNKNOWN, None, FailureClass.UNKNOWN]


def test_a_refusal_that_names_another_rows_position_puts_all_in_doubt():
    refused = failure("INVALID_DATA")
    refused["details"] = {"api_name": "Phone", "json_path": "$.data[0].Phone"}
    results = read_results(reply(207, {"data": [success(1), refused]}), 2, FIELD)
    assert [(result.code, result.failure) for result in results] == [("WRONG_ORDER", FailureClass.UNKNOWN)] * 2
    in_order = read_results(reply(207, {"data": [refused, success(1)]}), 2, FIELD)
    assert [result.code for result in in_order] == ["INVALID_DATA", "SUCCESS"]


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
        results = read_results(reply(status, body), 1, FIELD)
    except CallFailed:
        return
    for result in results:
        assert result.ok == (result.failure is None)
        assert not result.ok or result.record_id


@pytest.mark.parametrize(
    "details", [{}, {"id": None}, {"id": ""}, {"id": True}, {"id": "x"}, None, [], {"id": 1.5}]
)
def test_a_success_without_an_id_is_doubt(details):
    item = {"code": "SUCCESS", "status": "success", "details": details}
    result = read_results(reply(200, {"data": [item]}), 1, FIELD)[0]
    assert (result.ok, result.failure, result.code) == (False, FailureClass.UNKNOWN, "NO_RECORD_ID")


def test_an_id_that_came_as_a_number_keeps_every_digit():
    item = {"code": "SUCCESS", "status": "success", "details": {"id": 4888000000009007199}}
    assert read_results(reply(200, {"data": [item]}), 1, FIELD)[0].record_id == "4888000000009007199"


def test_words_of_the_crm_are_not_passed_on():
    result = read_results(reply(400, {"data": [failure("INVALID_DATA")]}), 1, FIELD)[0]
    assert "private" not in repr(result)
    details = {"api_name": "me@example.com", "maximum_length": "<script>"}
    odd = {"code": "INVALID_DATA", "status": "error", "details": details}
    assert read_results(reply(400, {"data": [odd]}), 1, FIELD)[0].detail == ""


def test_an_update_matched_on_another_field_is_no_arrival(caplog):
    item = success(1) | {"action": "update", "duplicate_field": "Email"}
    result = read_results(reply(200, {"data": [item]}), 1, FIELD)[0]
    assert (result.ok, result.failure, result.field) == (False, FailureClass.CONFIGURATION, "Email")
    assert "matched on Email" in result.detail
    assert "Email" in caplog.text


def test_several_clashes_name_our_event_id_first():
    clash = {"api_name": "Email", "id": "1"}, {"api_name": FIELD, "duplicate_record": {"id": "2"}}
    errors = [{"code": "DUPLICATE_DATA", "details": one} for one in clash]
    item = {"code": "MULTIPLE_OR_MULTI_ERRORS", "status": "error", "errors": errors}
    result = read_results(reply(400, {"data": [item]}), 1, FIELD)[0]
    assert (result.failure, result.field, result.record_id) == (FailureClass.DUPLICATE, FIELD, "2")


@pytest.mark.parametrize("status", [200, 401])
def test_one_item_about_the_token_answers_every_row(status):
    body = {"data": [{"code": "INVALID_TOKEN", "status": "error", "details": {}}]}
    with pytest.raises(CallFailed) as failed:
        read_results(reply(status, body), 3, FIELD)
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
