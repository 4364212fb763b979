"""Whose a duplicate is: our own record is success, somebody else's is not."""

import pytest

from worker.crm.port import CallFailed, FailureClass, RowResult
from worker.zoho.replies import MAX_LOOK_UPS, settle_duplicates

FIELD = "Website_Event_ID"


def clash(field: str | None = "Email", record_id: str | None = "7") -> RowResult:
    return RowResult(
        ok=False,
        code="DUPLICATE_DATA",
        record_id=record_id,
        failure=FailureClass.DUPLICATE,
        field=field,
    )


def test_a_clash_on_our_event_id_is_our_record():
    settled = settle_duplicates([clash(FIELD)], ["event"], FIELD, "c", lambda *_: pytest.fail("no need to look"))
    assert (settled[0].ok, settled[0].record_id, settled[0].failure) == (True, "7", None)


def test_a_clash_on_another_field_is_ours_when_our_event_id_is_found():
    asked: list[tuple[str, str]] = []

    def look_up(event_id: str, request_id: str) -> list[dict[str, object]]:
        asked.append((event_id, request_id))
        return [{"id": "99"}]

    settled = settle_duplicates([clash()], ["event"], FIELD, "c", look_up)
    assert (settled[0].ok, settled[0].record_id) == (True, "99")
    assert asked == [("event", "c-d1")]


def test_somebody_elses_record_stays_a_duplicate_with_its_id():
    settled = settle_duplicates([clash()], ["event"], FIELD, "c", lambda *_: [])
    assert (settled[0].ok, settled[0].failure, settled[0].record_id) == (False, FailureClass.DUPLICATE, "7")


def test_what_was_not_looked_up_is_in_doubt_never_refused():
    count = MAX_LOOK_UPS + 3
    settled = settle_duplicates([clash()] * count, [f"e{n}" for n in range(count)], FIELD, "c", lambda *_: [])
    assert [v.failure for v in settled[MAX_LOOK_UPS:]] == [FailureClass.UNKNOWN] * 3


def test_a_look_up_that_fails_leaves_the_row_in_doubt():
    def look_up(*_: str) -> list[dict[str, object]]:
        raise CallFailed(FailureClass.TRANSIENT, "CONNECT_FAILED")

    settled = settle_duplicates([clash()], ["event"], FIELD, "c", look_up)
    assert settled[0].failure is FailureClass.UNKNOWN


def test_an_email_that_the_crm_keeps_unique_is_told_as_somebody_elses(crm, make_client, make_lead):
    crm.faults(limits={"email_unique": True})
    client = make_client()
    first = client.upsert([make_lead(Email="same@example.com")], call_id="one")[0]
    second = client.upsert([make_lead(Email="same@example.com")], call_id="two")[0]
    if second.ok:
        assert second.detail == "matched on Email"
    else:
        assert second.failure is FailureClass.DUPLICATE
        assert second.record_id == first.record_id
        assert [call["request_id"] for call in crm.calls(kind="api")][-1] == "two-d1"
