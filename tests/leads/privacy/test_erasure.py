"""Whom an erasure finds, what it leaves, and how long the CRM is looked at for what it may still have."""

import pytest

from leads.outbox.store import KeyErased, record_click
from leads.privacy.erasure import (
    Person,
    erase_again,
    erase_person,
    fail_erased,
    hashes_of,
    list_erasures,
    settle_erased,
    take_erased,
)
from tests.support.database import change, rows_of
from tests.support.samples import CLICK, LEAD, record_lead

KEY = "a key of sixteen or more"


def erase(engine, **person):
    return erase_person(engine, Person(**person or {"email": "ann@example.com"}), by="bob", key=KEY)


def send(engine):
    """As if the CRM had a record of every row."""
    change(engine, "UPDATE crm_deliveries SET zoho_status = 'sent', zoho_record_id = '7'")


@pytest.mark.parametrize("stored", ["Ann@Example.com", "ann@example.com"])
def test_a_person_is_found_however_the_address_was_typed(engine, stored):
    lead = record_lead(engine, {**LEAD, "email": stored}).id
    assert erase(engine, email="ANN@example.com").leads == (lead,)


def test_the_taps_of_the_persons_visit_go_and_nobody_elses(engine):
    record_lead(engine, {**LEAD, "session_id": "s-1"})
    record_lead(engine, {**LEAD, "session_id": ""})
    mine = record_click(engine, {**CLICK, "session_id": "s-1"})
    for number, session in enumerate(("s-2", "", None)):
        record_click(engine, {**CLICK, "unique_code": f"ZZ99{number}", "session_id": session})
    assert erase(engine).clicks == (mine,)
    assert len(rows_of(engine, "SELECT 1 FROM whatsapp_clicks")) == 3


def test_nothing_is_owed_to_a_person_who_was_erased(engine):
    record_lead(engine, LEAD, owed={"zoho": 0.0, "visitor": 0.0, "staff-mail": 60.0})
    erase(engine)
    assert rows_of(engine, "SELECT destination FROM deliveries") == []


def test_a_late_repeat_of_the_press_brings_nobody_back(engine):
    press = {"idempotency_key": "press", "request_digest": b"d" * 32}
    record_lead(engine, LEAD, **press)
    erase(engine)
    with pytest.raises(KeyErased):
        record_lead(engine, LEAD, **press)


def test_only_the_key_leads_from_the_person_to_the_record(engine):
    record_lead(engine, LEAD)
    erase(engine)
    other = "another key of sixteen"
    for email, key, found in (
        ("ANN@example.com ", KEY, 1),
        ("bob@example.com", KEY, 0),
        ("ann@example.com", other, 0),
    ):
        assert len(list_erasures(engine, limit=9, hashes=hashes_of(Person(email=email), key))) == found
    assert hashes_of(Person(email="ann@example.com"), "") == (None, None)


def test_the_crm_is_looked_at_again_when_the_watch_ends(engine):
    record_lead(engine, LEAD)
    send(engine)
    erase(engine)
    early = take_erased(engine)
    assert (early.last, early.record_ids) == (False, ["7"])
    settle_erased(engine, early, deleted=1)
    assert take_erased(engine) is None
    change(engine, "UPDATE erased_rows SET check_at = now(), watch_until = now()")
    late = take_erased(engine)
    assert (late and late.last) is True
    settle_erased(engine, late, deleted=1)
    (listed,) = list_erasures(engine, limit=9)
    assert (listed["open"], listed["records_deleted"]) == (0, 2)


def test_a_check_that_failed_is_repeated_after_its_wait(engine):
    record_lead(engine, LEAD)
    send(engine)
    erase(engine)
    fail_erased(engine, take_erased(engine), "RECORD_LOCKED", deleted=0, wait=60.0)
    assert take_erased(engine) is None
    (listed,) = list_erasures(engine, limit=9)
    assert (listed["open"], listed["last_error"]) == (1, "RECORD_LOCKED")


def test_what_a_backup_brought_back_is_erased_again_and_looked_for(engine):
    record_lead(engine, LEAD)
    change(engine, "CREATE TABLE backup AS SELECT * FROM leads")
    erase(engine)
    change(engine, "INSERT INTO leads SELECT * FROM backup")
    change(engine, "INSERT INTO deliveries (id, destination, kind) SELECT id, 'zoho', 'lead' FROM backup")
    send(engine)
    assert len(erase_again(engine).leads) == 1
    assert rows_of(engine, "SELECT 1 FROM leads UNION ALL SELECT 1 FROM deliveries") == []
    assert take_erased(engine).record_ids == ["7"]


def test_a_log_hides_whom_to_erase():
    assert "ann" not in repr(Person(email="ann@example.com", phone="+447911123456"))
