"""What else came from a claimed row's session: only what the CRM has, newest first, by an index."""

from datetime import UTC, datetime, timedelta

import pytest

from leads.destinations import CRM
from leads.lifecycle import Sent
from leads.outbox import values
from leads.outbox.claim import claim, find_due
from leads.outbox.holds import Held
from leads.outbox.settle import record as settle
from leads.outbox.store import record_click
from leads.outbox.values import MAX_NAMED
from leads.privacy.erasure import Person, erase_person
from tests.support.database import change
from tests.support.samples import CLICK, LEAD, record_lead

VISIT = {"session_id": "a visit"}


def take(engine):
    due = list(find_due(engine, [CRM], limit=100))
    return [row for _, row_id in due if (row := claim(engine, CRM, row_id, call_id="c"))]


def send_all(engine):
    for row in take(engine):
        settle(engine, row, Sent(record_id="1"), call_id="c")


def tap(engine, code="AB12C", **values):
    return record_click(engine, {**CLICK, **VISIT, "unique_code": code, **values})


def ask(engine, **values):
    return record_lead(engine, {**LEAD, **VISIT, **values}).reference


def named(engine):
    return [row.values["same_visit"] for row in take(engine)]


def test_an_enquiry_names_the_tap_before_it_and_a_tap_the_enquiry(engine):
    tap(engine)
    assert named(engine) == [[]]
    change(engine, "UPDATE deliveries SET status = 'sent', record_id = '1' WHERE kind = 'click'")
    reference = ask(engine)
    assert named(engine) == [["AB12C"]]
    change(engine, "UPDATE deliveries SET status = 'sent', record_id = '1' WHERE kind = 'lead'")
    tap(engine, "ZZ99Z")
    assert named(engine) == [[reference]]


def test_of_many_taps_the_newest_are_named(engine):
    codes = [f"AAAA{number}" for number in range(MAX_NAMED + 2)]
    for code in codes:
        tap(engine, code)
    send_all(engine)
    ask(engine)
    assert named(engine) == [codes[:1:-1]]


@pytest.mark.parametrize("other", [{"session_id": "another visit"}, {"session_id": None}, {"session_id": ""}])
def test_another_visit_is_not_named(engine, other):
    tap(engine, **other)
    send_all(engine)
    ask(engine)
    assert named(engine) == [[]]


def test_two_rows_without_a_session_are_no_visit(engine):
    for session in (None, ""):
        tap(engine, f"A{session}", session_id=session)
        send_all(engine)
        ask(engine, session_id=session)
        assert named(engine) == [[]]


def test_suspected_spam_and_the_dead_are_not_named(engine):
    tap(engine, "DEAD1")
    change(engine, "UPDATE deliveries SET status = 'dead' WHERE kind = 'click'")
    record_click(engine, {**CLICK, **VISIT, "unique_code": "HELD1"}, held=Held.ADDRESS)
    ask(engine)
    assert named(engine) == [[]]


def test_an_erased_enquiry_is_not_named_by_a_later_tap(engine):
    ask(engine)
    send_all(engine)
    erase_person(engine, Person(email=LEAD["email"]), by="ann", key="")
    tap(engine)
    assert named(engine) == [[]]


LIKE_LEAD = {"email": LEAD["email"], "phone_e164": LEAD["phone_e164"]}
STRANGER = {"email": "bob@example.com", "phone_e164": "+31205550199"}


@pytest.mark.parametrize("second", LIKE_LEAD)
@pytest.mark.parametrize("first", LIKE_LEAD)
def test_the_last_of_a_persons_enquiries_is_known_by_e_mail_or_number(engine, first, second):
    leads = []
    for days, same in ((9, {first: LIKE_LEAD[first]}), (5, {second: LIKE_LEAD[second]}), (2, {})):
        leads.append(record_lead(engine, {**LEAD, **STRANGER, **same}).id)
        aged = "UPDATE leads SET created_at = now() - make_interval(days => :days) WHERE id = :id"
        change(engine, aged, days=days, id=leads[-1])
    record_lead(engine, LEAD, held=Held.HONEYPOT)
    asking = record_lead(engine, LEAD).id
    found = {row.id: row.values["earlier_enquiry_at"] for row in take(engine)}
    assert round((datetime.now(UTC) - found[asking]) / timedelta(days=1)) == 5
    assert found[leads[0]] is None


def test_an_enquiry_that_is_erased_during_the_claim_of_the_next_is_none(engine, monkeypatch):
    record_lead(engine, {**LEAD, **STRANGER, "phone_e164": LEAD["phone_e164"]})
    send_all(engine)
    asking = record_lead(engine, LEAD).id

    def erase_first(row, find=values._earlier):
        erase_person(engine, Person(email=STRANGER["email"]), by="ann", key="")
        return find(row)

    monkeypatch.setattr(values, "_earlier", erase_first)
    (row,) = take(engine)
    assert (row.id, row.values["repeat_enquiry"], row.values["earlier_enquiry_at"]) == (asking, False, None)
