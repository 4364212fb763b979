"""Erasing a person: gone here at once, never sent afterwards, and what reached the CRM is deleted there."""

import pytest

from leads.privacy.erasure import Person, find_person
from tests.support.database import change, rows_of
from tests.support.erasure import ANN, erase, in_recycle_bin, let_the_watch_end, open_rows, words_stored, work_off
from tests.support.pipeline import deliver
from tests.support.samples import LEAD, record_lead


def test_a_sent_lead_goes_here_and_in_the_crm_and_nobody_elses_does(context, sandbox):
    record_lead(context.engine, LEAD)
    other = record_lead(
        context.engine, {**LEAD, "email": "bob@example.com", "phone": "020 555", "phone_e164": "+31205550199"}
    ).id
    deliver(context)
    assert len(erase(context).leads) == 1
    assert work_off(context).deleted == 1
    assert [record["Website_Event_ID"] for record in sandbox.records()] == [str(other)]
    assert in_recycle_bin(context, sandbox) == []
    assert rows_of(context.engine, "SELECT id FROM leads") == [{"id": other}]
    assert rows_of(context.engine, "SELECT id FROM crm_deliveries") == [{"id": other}]
    assert words_stored(context, "ann@example.com", "447911123456", "07911 123456") == []
    let_the_watch_end(context)
    work_off(context)
    assert open_rows(context) == 0


def test_both_names_of_a_person_erase_both_kinds_of_rows(context):
    record_lead(context.engine, LEAD)
    record_lead(context.engine, {**LEAD, "email": "ann@work.example"})
    record_lead(context.engine, {**LEAD, "phone_e164": "+31205550199"})
    assert len(find_person(context.engine, ANN).leads) == 2
    assert len(erase(context, Person(email="ann@example.com", phone="+447911123456")).leads) == 3


@pytest.mark.parametrize("own", ["another record", "no record"])
def test_a_record_of_another_person_stays_though_the_row_remembers_its_id(context, sandbox, own):
    """As after a reply that named one record for two rows."""
    record_lead(context.engine, LEAD)
    bob = record_lead(context.engine, {**LEAD, "email": "bob@example.com", "phone_e164": "+31205550199"}).id
    deliver(context)
    (theirs,) = sandbox.records(Website_Event_ID=str(bob))
    if own == "no record":
        (mine,) = sandbox.records(Email="ann@example.com")
        context.access.crm.delete(mine["id"], call_id="d")
    change(context.engine, "UPDATE crm_deliveries SET zoho_record_id = :theirs", theirs=theirs["id"])
    erase(context)
    assert work_off(context).deleted == (1 if own == "another record" else 0)
    assert [record["Website_Event_ID"] for record in sandbox.records()] == [str(bob)]


def test_a_row_that_was_never_claimed_needs_no_look_at_the_crm(context, sandbox):
    record_lead(context.engine, LEAD)
    erase(context)
    assert open_rows(context) == 0
    assert work_off(context).rows_checked == 0
    assert sandbox.summary()["calls"] == 0


def test_every_call_of_an_erasure_is_in_the_log_of_attempts_without_the_person(context, sandbox):
    lead = record_lead(context.engine, LEAD).id
    deliver(context)
    erase(context)
    work_off(context)
    noted = rows_of(context.engine, "SELECT event, call_id, row_id FROM crm_attempts WHERE event LIKE 'erase%'")
    assert {row["call_id"] for row in noted} == {
        call["request_id"] for call in sandbox.calls(kind="api") if call["method"] in ("GET", "DELETE")
    }
    assert {row["row_id"] for row in noted} == {lead}
    assert words_stored(context, "example.com", "447911123456", "07911 123456") == []
