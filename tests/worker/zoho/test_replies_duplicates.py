"""Whose a duplicate is: our own record is success, somebody else's is not."""

import pytest

from worker.crm.port import CallFailed, FailureClass, RowResult
from worker.zoho.replies import settle_by_look_up

FIELD = "Website_Event_ID"


def clash(field: str | None = "Email", record_id: str | None = "7") -> RowResult:
    return RowResult(
        ok=False,
        code="DUPLICATE_DATA",
        record_id=record_id,
        failure=FailureClass.DUPLICATE,
        field=field,
    )


def never():
    pytest.fail("no need to look")


def test_a_clash_on_our_event_id_is_our_record():
    settled = settle_by_look_up(clash(FIELD), FIELD, never)
    assert (settled.ok, settled.record_id, settled.failure) == (True, "7", None)


def test_a_success_needs_no_look():
    success = RowResult(ok=True, code="SUCCESS", record_id="7")
    assert settle_by_look_up(success, FIELD, never) == success


def test_a_clash_on_another_field_is_ours_when_our_event_id_is_found():
    settled = settle_by_look_up(clash(), FIELD, lambda: "99")
    assert (settled.ok, settled.record_id) == (True, "99")


def test_somebody_elses_record_stays_a_duplicate_with_its_id():
    settled = settle_by_look_up(clash(), FIELD, lambda: None)
    assert (settled.ok, settled.failure, settled.record_id) == (False, FailureClass.DUPLICATE, "7")


def held(code: str, failure: FailureClass) -> RowResult:
    return RowResult(ok=False, code=code, failure=failure, field="id")


@pytest.mark.parametrize(
    ("code", "failure"),
    [
        ("NOT_APPROVED", FailureClass.RECORD),
        ("RECORD_IN_BLUEPRINT", FailureClass.RECORD),
        ("RECORD_LOCKED", FailureClass.TRANSIENT),
    ],
)
def test_what_leaves_open_whether_the_record_exists_is_looked_up_and_never_refused(code, failure):
    one = held(code, failure)
    found = settle_by_look_up(one, FIELD, lambda: "99")
    assert (found.ok, found.record_id, found.failure) == (True, "99", None)
    missed = settle_by_look_up(one, FIELD, lambda: None)
    assert missed.failure in {FailureClass.UNKNOWN, FailureClass.TRANSIENT}


def test_a_clash_with_our_own_record_buries_no_row_though_the_crm_does_not_show_it():
    """It belongs to an owner whose records the API's user may not see."""
    hidden = settle_by_look_up(clash(FIELD, None), FIELD, lambda: None)
    assert (hidden.ok, hidden.failure) == (False, FailureClass.UNKNOWN)


def test_a_record_that_this_user_may_not_write_stops_nobody_else_when_it_is_ours():
    one = held("NO_PERMISSION", FailureClass.CONFIGURATION)
    assert settle_by_look_up(one, FIELD, lambda: "99").ok
    assert settle_by_look_up(one, FIELD, lambda: None) == one


def test_a_refusal_that_proves_nothing_is_not_looked_up():
    one = held("INVALID_DATA", FailureClass.RECORD)
    assert settle_by_look_up(one, FIELD, never) == one


@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        (FailureClass.TRANSIENT, FailureClass.UNKNOWN),
        (FailureClass.CONFIGURATION, FailureClass.DUPLICATE),  # this token is not allowed to search
    ],
)
def test_a_look_up_that_fails_leaves_the_row_in_doubt(failure, expected):
    def look_up():
        raise CallFailed(failure, "CODE")

    assert settle_by_look_up(clash(), FIELD, look_up).failure is expected


def test_an_email_that_the_crm_keeps_unique_is_told_as_somebody_elses(crm, make_client, make_lead):
    crm.faults(limits={"email_unique": True})
    client = make_client()
    first = client.upsert(make_lead(Email="same@example.com"), call_id="one")
    second = client.upsert(make_lead(Email="same@example.com"), call_id="two")
    assert second.failure is FailureClass.DUPLICATE
    assert second.record_id == first.record_id
    assert [call["request_id"] for call in crm.calls(kind="api")][-1] == "two-d"
