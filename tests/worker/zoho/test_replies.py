"""Reading replies: nothing unreadable passes for success, and every failure has its class and its wait."""

from datetime import UTC, datetime

import pytest

from tests.support.properties import given, st
from worker.crm.port import EVENT_ID_FIELD, CallFailed, FailureClass
from worker.http import Reply
from worker.zoho.errors import CODES
from worker.zoho.replies import MAX_WAIT_SECONDS, failure_of, limit_met, read_result, retry_after

STATUSES = (200, 201, 202, 207, 400)
NOW = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)


def reply(status: int, body: object) -> Reply:
    return Reply(status, {}, body, NOW)


def success(number: int) -> dict[str, object]:
    return {"code": "SUCCESS", "status": "success", "action": "insert", "details": {"id": str(10**17 + number)}}


def refusal(code: str, **details: object) -> dict[str, object]:
    return {
        "code": code,
        "status": "error",
        "details": details or {"api_name": "Phone"},
        "message": "private words",
    }


def failed(item: object, status: int = 200) -> CallFailed:
    with pytest.raises(CallFailed) as failure:
        read_result(reply(status, {"data": [item]}))
    return failure.value


@given(code=st.sampled_from(["NOT_APPROVED", "INVALID_DATA", "RECORD_LOCKED"]), status=st.sampled_from(STATUSES))
def test_a_result_is_read_whatever_the_status(code, status):
    assert read_result(reply(status, {"data": [success(7)]})) == str(10**17 + 7)
    failure = failed(refusal(code), status)
    assert (failure.code, failure.failure, failure.field) == (code, CODES[code].failure, "Phone")
    assert failure.answered


def test_more_results_than_one_are_an_unknown_outcome():
    with pytest.raises(CallFailed) as failure:
        read_result(reply(200, {"data": [success(1), success(2)]}))
    assert (failure.value.failure, failure.value.code) == (FailureClass.UNKNOWN, "WRONG_COUNT")


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
        assert read_result(reply(status, body)).isdecimal()
    except CallFailed:
        return


@pytest.mark.parametrize(
    "details", [{}, {"id": None}, {"id": ""}, {"id": True}, {"id": "x"}, None, [], {"id": 1.5}]
)
def test_a_success_without_an_id_is_an_unknown_outcome(details):
    failure = failed({"code": "SUCCESS", "status": "success", "details": details})
    assert (failure.failure, failure.code) == (FailureClass.UNKNOWN, "NO_RECORD_ID")


def test_an_id_that_came_as_a_number_keeps_every_digit():
    item = {"code": "SUCCESS", "status": "success", "details": {"id": 4888000000009007199}}
    assert read_result(reply(200, {"data": [item]})) == "4888000000009007199"


def test_words_of_the_crm_are_not_passed_on():
    assert "private" not in str(vars(failed(refusal("INVALID_DATA"), 400)))
    assert failed(refusal("INVALID_DATA", api_name="me@example.com", maximum_length="<script>")).detail == ""


def test_an_update_matched_on_another_field_is_no_arrival(caplog):
    failure = failed(success(1) | {"action": "update", "duplicate_field": "Email"})
    assert (failure.failure, failure.field) == (FailureClass.CONFIGURATION, "Email")
    assert "matched on Email" in failure.detail
    assert "Email" in caplog.text


def test_of_several_clashes_the_one_on_our_event_id_is_our_record():
    clashes = {"api_name": "Email", "id": "1"}, {"api_name": EVENT_ID_FIELD, "duplicate_record": {"id": "2"}}
    errors = [{"code": "DUPLICATE_DATA", "details": one} for one in clashes]
    item = {"code": "MULTIPLE_OR_MULTI_ERRORS", "status": "error", "errors": errors}
    assert read_result(reply(400, {"data": [item]})) == "2"


@pytest.mark.parametrize(
    ("field", "failure"), [("Email", FailureClass.DUPLICATE), (EVENT_ID_FIELD, FailureClass.UNKNOWN)]
)
def test_a_clash_is_somebody_elses_record_or_our_own_that_this_user_may_not_see(field, failure):
    assert failed(refusal("DUPLICATE_DATA", api_name=field)).failure is failure


@pytest.mark.parametrize("status", [200, 401])
def test_an_item_about_the_token_is_about_the_call(status):
    failure = failed(refusal("INVALID_TOKEN"), status)
    assert (failure.failure, failure.code) == (FailureClass.AUTH, "INVALID_TOKEN")


@pytest.mark.parametrize("name", ["duplicate_check_fields", EVENT_ID_FIELD])
def test_a_missing_unique_field_is_a_matter_of_configuration(name):
    assert failure_of(reply(400, refusal("INVALID_DATA", api_name=name))).failure is FailureClass.CONFIGURATION


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (200, (FailureClass.UNKNOWN, "UNREADABLE_REPLY")),
        (302, (FailureClass.TRANSIENT, "HTTP_302")),
        (400, (FailureClass.REFUSED, "HTTP_400")),
        (401, (FailureClass.AUTH, "HTTP_401")),
        (403, (FailureClass.TRANSIENT, "HTTP_403")),
        (408, (FailureClass.UNKNOWN, "HTTP_408")),
        (413, (FailureClass.REFUSED, "HTTP_413")),
        (429, (FailureClass.RATE, "HTTP_429")),
        (502, (FailureClass.UNKNOWN, "HTTP_502")),
        (503, (FailureClass.TRANSIENT, "HTTP_503")),
        (599, (FailureClass.UNKNOWN, "HTTP_599")),
    ],
)
def test_a_page_without_a_code_is_judged_by_its_status(status, expected):
    failure = failure_of(reply(status, None))
    assert (failure.failure, failure.code) == expected


def test_every_code_says_why_and_where_it_was_read():
    assert all(entry.note and entry.source for entry in CODES.values())


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0.0),
        (" 30 ", 30.0),
        ("Sat, 21 Nov 2026 12:01:30 GMT", 90.0),
        ("99999999999", MAX_WAIT_SECONDS),
        ("Sat, 21 Nov 2099 12:00:00 GMT", MAX_WAIT_SECONDS),
        ("Sat, 21 Nov 2026 11:00:00 GMT", None),
        ("-5", None),
        ("1e9", None),
        ("soon", None),
        ("", None),
        ("Sat, 99 Nov 2026 12:01:30 GMT", None),
        ("٣٠", None),
    ],
)
def test_retry_after_is_read_as(value, seconds):
    assert retry_after({"Retry-After": value}, NOW) == seconds


def test_a_date_counts_from_the_crms_own_clock():
    headers = {"Date": "Sat, 21 Nov 2026 13:00:00 GMT", "Retry-After": "Sat, 21 Nov 2026 13:00:10 GMT"}
    assert retry_after(headers, NOW) == 10.0


def test_no_credits_left_means_credits_whatever_the_words():
    assert limit_met({"X-API-CREDITS-REMAINING": "0"}, "slow down") is FailureClass.CREDITS
    assert limit_met({"X-API-CREDITS-REMAINING": "9"}, "slow down") is FailureClass.RATE
