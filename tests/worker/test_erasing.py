"""Erasing a person: gone here at once, never sent afterwards, and what reached the CRM is deleted there."""

from __future__ import annotations

import pytest

from leads.outbox.lease import sweep
from leads.outbox.redrive import redrive
from leads.outbox.rows import Lane
from leads.outbox.store import record_click, record_lead
from leads.privacy.erasure import Person, find_person, list_erasures
from leads.settings import read_settings
from tests.rows import CLICK, LEAD, change, rows_of
from tests.worker.erasures import (
    ANN,
    erase,
    in_recycle_bin,
    is_nowhere,
    let_the_watch_end,
    open_rows,
    work_off,
)
from worker.context import make_crm
from worker.delivery.deliver import deliver


def test_a_sent_lead_goes_here_and_in_the_crm_and_nobody_elses_does(crm, sandbox):
    record_lead(crm.engine, LEAD)
    other = record_lead(
        crm.engine, {**LEAD, "email": "bob@example.com", "phone": "020 555", "phone_e164": "+31205550199"}
    ).id
    deliver(crm, Lane.FRESH)
    assert len(erase(crm).leads) == 1
    assert work_off(crm).deleted == 1
    assert [record["Website_Event_ID"] for record in sandbox.records()] == [str(other)]
    assert in_recycle_bin(crm) == []
    assert rows_of(crm.engine, "SELECT id FROM leads") == [{"id": other}]
    assert is_nowhere(crm, "ann@example.com", "+447911123456", "07911")
    let_the_watch_end(crm)
    work_off(crm)
    assert open_rows(crm) == 0


@pytest.mark.parametrize("person", [Person(email="ann@example.com"), Person(phone="+447911123456")])
@pytest.mark.parametrize("status", ["pending", "retrying", "dead", "held", "sent"])
def test_an_erased_row_of_any_state_is_never_sent_again(crm, sandbox, person, status):
    record_lead(crm.engine, LEAD)
    change(crm.engine, "UPDATE leads SET zoho_status = :status", status=status)
    assert len(erase(crm, person).leads) == 1
    redrive(crm.engine, by="bob")
    sweep(crm.engine)
    assert [deliver(crm, lane).claimed for lane in Lane] == [0, 0]
    assert sandbox.records() == []


def test_both_names_of_a_person_erase_both_kinds_of_rows(crm):
    record_lead(crm.engine, LEAD)
    record_lead(crm.engine, {**LEAD, "email": "ann@work.example"})
    record_lead(crm.engine, {**LEAD, "phone_e164": "+31205550199"})
    assert len(find_person(crm.engine, ANN).leads) == 2
    assert len(erase(crm, Person(email="ann@example.com", phone="+447911123456")).leads) == 3


def test_the_clicks_of_the_same_browser_session_go_too(crm, sandbox):
    record_lead(crm.engine, {**LEAD, "session_id": "s-1"})
    mine = record_click(crm.engine, {**CLICK, "session_id": "s-1"})
    record_click(crm.engine, {**CLICK, "unique_code": "ZZ99Z", "session_id": "s-2"})
    record_click(crm.engine, {**CLICK, "unique_code": "ZZ99Y"})
    for _ in range(2):
        deliver(crm, Lane.FRESH)
    assert erase(crm).clicks == (mine,)
    assert work_off(crm).deleted == 2
    assert sandbox.summary()["records"] == 2
    assert rows_of(crm.engine, "SELECT count(*) AS n FROM whatsapp_clicks") == [{"n": 2}]


def test_a_lead_without_a_session_takes_no_click_along(crm):
    record_lead(crm.engine, {**LEAD, "session_id": ""})
    record_click(crm.engine, {**CLICK, "session_id": ""})
    assert erase(crm).clicks == ()


def test_a_row_that_was_never_claimed_needs_no_look_at_the_crm(crm, sandbox):
    record_lead(crm.engine, LEAD)
    erase(crm)
    assert open_rows(crm) == 0
    assert work_off(crm).looked == 0
    assert sandbox.summary()["calls"] == 0


def test_erasing_twice_changes_nothing(crm):
    record_lead(crm.engine, LEAD)
    erase(crm)
    assert not erase(crm)
    assert len(list_erasures(crm.engine, most=9)) == 1


def test_a_person_who_writes_again_afterwards_is_a_new_enquiry(crm, sandbox):
    record_lead(crm.engine, LEAD)
    deliver(crm, Lane.FRESH)
    erase(crm)
    work_off(crm)
    record_lead(crm.engine, LEAD)
    assert deliver(crm, Lane.FRESH).sent == 1
    let_the_watch_end(crm)
    work_off(crm)
    (record,) = sandbox.records()
    assert "Repeat_Enquiry" not in record


def test_enquiries_that_share_a_record_are_erased_together(crm_environment, sandbox):
    crm = make_crm(read_settings({**crm_environment, "CRM_REPEAT": "merge"}))
    record_lead(crm.engine, LEAD)
    deliver(crm, Lane.FRESH)
    record_lead(crm.engine, {**LEAD, "phone_e164": "+31205550199"})
    deliver(crm, Lane.FRESH)
    assert sandbox.summary()["records"] == 1
    assert len(find_person(crm.engine, Person(phone="+31205550199")).leads) == 2
    assert len(erase(crm, Person(phone="+447911123456")).leads) == 2
    assert work_off(crm).deleted == 1
    assert sandbox.records() == []
    crm.close()


def test_every_call_of_an_erasure_is_in_the_log_of_attempts_without_the_person(crm, sandbox):
    lead = record_lead(crm.engine, LEAD).id
    deliver(crm, Lane.FRESH)
    erase(crm)
    work_off(crm)
    noted = rows_of(crm.engine, "SELECT event, call_id, row_id FROM crm_attempts WHERE event LIKE 'erase%'")
    assert {row["call_id"] for row in noted} == {
        call["request_id"] for call in sandbox.calls(kind="api") if call["method"] in ("GET", "DELETE")
    }
    assert {row["row_id"] for row in noted} == {lead}
    assert is_nowhere(crm, "example.com", "07911", "+44")
