"""A telephone number that the CRM keeps unique: the repeat that overwrites a record becomes one of its own."""

from __future__ import annotations

import pytest

from leads.outbox.find import read_timeline
from leads.outbox.rows import Lane
from tests.support.database import change, rows_of
from tests.support.pipeline import make_due, record, statuses
from worker.crm.overwritten import Sent, give_back
from worker.crm.port import CallFailed, FailureClass, RowResult
from worker.delivery.deliver import deliver

KEY = "Website_Event_ID"
PHONE = "+447911123456"


@pytest.fixture(autouse=True)
def unique(sandbox):
    sandbox.faults(limits={"phone_unique": True})


def deliver_all(context):
    deliver(context.delivery, context.crm, Lane.FRESH)
    make_due(context)
    for lane in Lane:
        deliver(context.delivery, context.crm, lane)


def filled(given):
    return {name: value for name, value in given.items() if value}


def described(sandbox, event_id):
    (found,) = sandbox.records(Website_Event_ID=str(event_id))
    return found.get("Phone"), found.get("Description"), found.get("UTM_Source")


def test_a_repeat_gets_a_record_and_the_overwritten_enquiry_gets_its_own_back(context, sandbox):
    (first,) = record(context, message="How much?")
    deliver(context.delivery, context.crm, Lane.FRESH)
    (before,) = sandbox.records()
    (second,) = record(context, surname="Later", message="And when?", utm_source="ads")
    deliver(context.delivery, context.crm, Lane.FRESH)
    assert statuses(context) == {"sent": 1, "pending": 1}  # the first is owed again
    make_due(context)
    assert deliver(context.delivery, context.crm, Lane.FRESH).sent == 1
    (after,) = sandbox.records(Website_Event_ID=str(first))
    before["Modified_Time"] = after["Modified_Time"]
    assert filled(after) == filled(before)
    assert described(sandbox, second) == (None, f"And when?\n\nPhone: {PHONE}", "ads")
    assert sandbox.summary()["records"] == 2
    assert read_timeline(context.engine, second)[-1]["detail"] == "matched on Phone, without Phone"
    (owed,) = [line for line in read_timeline(context.engine, first) if line["event"] == "requeued"]
    assert owed["detail"] == "overwritten by another enquiry"
    ids = rows_of(context.engine, "SELECT zoho_record_id FROM crm_deliveries")
    assert {row["zoho_record_id"] for row in ids} == {record["id"] for record in sandbox.records()}


def test_enquiries_that_overwrite_each_other_within_one_batch_all_arrive(context, sandbox):
    ids = record(context, 4)
    assert deliver(context.delivery, context.crm, Lane.FRESH).sent == 4
    assert sorted(record[KEY] for record in sandbox.records()) == sorted(map(str, ids))
    assert [record.get("Phone") for record in sandbox.records()].count(PHONE) == 1
    assert statuses(context) == {"sent": 4}


def test_a_batch_of_repeats_of_one_person_costs_one_record_each(context, sandbox):
    (first,) = record(context)
    deliver(context.delivery, context.crm, Lane.FRESH)
    later = record(context, 3)
    deliver_all(context)
    assert sorted(record[KEY] for record in sandbox.records()) == sorted(map(str, [first, *later]))
    assert sandbox.records(Phone=PHONE)[0][KEY] == str(first)


def test_a_record_that_is_overwritten_again_before_its_own_row_was_sent_is_still_its_own(context, sandbox):
    (first,) = record(context)
    deliver(context.delivery, context.crm, Lane.FRESH)
    later = []
    for _ in range(2):
        later += record(context)
        assert deliver(context.delivery, context.crm, Lane.FRESH).sent == 1
    make_due(context)
    deliver(context.delivery, context.crm, Lane.FRESH)
    assert sorted(found[KEY] for found in sandbox.records()) == sorted(map(str, [first, *later]))
    assert sandbox.records(Phone=PHONE)[0][KEY] == str(first)


def test_an_overwritten_enquiry_is_sent_again_though_its_event_id_is_found(context, sandbox):
    """Its record has its event id back, and still the other enquiry's values."""
    (first,) = record(context, message="How much?")
    deliver(context.delivery, context.crm, Lane.FRESH)
    record(context, surname="Later", message="And when?")
    deliver(context.delivery, context.crm, Lane.FRESH)
    sandbox.faults(server_error={"status": 503, "path": "upsert", "count": 1})
    make_due(context)
    assert deliver(context.delivery, context.crm, Lane.FRESH).retrying == 1
    change(context.engine, "UPDATE crm_deliveries SET last_retry_at = now() - interval '6 min'")
    make_due(context)
    assert deliver(context.delivery, context.crm, Lane.RETRY).sent == 1
    assert described(sandbox, first)[1] == "How much?"


def test_a_record_that_staff_made_stays_theirs(context, sandbox):
    (first,) = record(context)
    deliver(context.delivery, context.crm, Lane.FRESH)
    change(context.engine, "DELETE FROM deliveries")  # so to us it is nobody's
    (second,) = record(context)
    assert deliver(context.delivery, context.crm, Lane.FRESH).retrying == 1  # its row may not be marked yet
    for _ in range(2):
        make_due(context)
        deliver(context.delivery, context.crm, Lane.RETRY)
    assert statuses(context) == {"sent": 1}
    (theirs,) = sandbox.records(Phone=PHONE)
    assert KEY not in theirs
    assert described(sandbox, second)[0] is None
    assert first != second


def test_a_record_whose_row_another_worker_has_not_marked_yet_is_not_lost(context, sandbox):
    (first,) = record(context)
    deliver(context.delivery, context.crm, Lane.FRESH)
    (row,) = rows_of(context.engine, "SELECT zoho_record_id FROM crm_deliveries")
    change(context.engine, "UPDATE crm_deliveries SET zoho_status = 'sending', zoho_record_id = NULL")
    (second,) = record(context)
    deliver(context.delivery, context.crm, Lane.FRESH)
    change(
        context.engine,
        "UPDATE crm_deliveries SET zoho_status = 'sent', zoho_sent_at = now(), zoho_record_id = :record"
        " WHERE id = :id",
        record=row["zoho_record_id"],
        id=first,
    )
    for lane in (Lane.RETRY, Lane.FRESH):
        make_due(context)
        assert deliver(context.delivery, context.crm, lane).sent == 1
    assert sorted(found[KEY] for found in sandbox.records()) == sorted([str(first), str(second)])
    assert sandbox.records(Phone=PHONE)[0][KEY] == str(first)


class Keeper:
    """A CRM that does not take a record back."""

    def __init__(self, answer):
        self.answer = answer

    def update(self, records, *, call_id):
        if isinstance(self.answer, CallFailed):
            raise self.answer
        return [self.answer for _ in records]


REFUSED = RowResult(ok=False, code="RECORD_LOCKED", failure=FailureClass.TRANSIENT)
DOWN = CallFailed(FailureClass.UNKNOWN, "TIMEOUT")
DONE = RowResult(ok=True, code="SUCCESS", record_id="7")


@pytest.mark.parametrize(
    ("answer", "owners", "deadline", "code"),
    [
        (REFUSED, {"7": "first"}, 1e12, "RECORD_LOCKED"),
        (DOWN, {"7": "first"}, 1e12, "TIMEOUT"),
        (DONE, {"7": "first"}, 0.0, "LEASE_SHORT"),
        (DONE, None, 1e12, "NOBODYS_YET"),
        (DONE, {}, 1e12, "NOBODYS_YET"),
    ],
)
def test_a_row_whose_record_is_not_given_back_is_in_doubt_and_never_delivered(answer, owners, deadline, code):
    wrote = RowResult(
        ok=False,
        code="OVERWROTE",
        record_id="7",
        failure=FailureClass.OVERWROTE,
        field="Phone",
        detail="matched on Phone",
    )
    (result,) = give_back(
        Keeper(answer),
        [Sent({KEY: "second", "Phone": PHONE}, 0)],
        [wrote],
        event_id_field=KEY,
        reclaim=lambda _: owners,
        call_id="c",
        deadline=deadline,
    )
    assert (result.ok, result.failure, result.detail) == (False, FailureClass.UNKNOWN, f"matched on Phone, {code}")
