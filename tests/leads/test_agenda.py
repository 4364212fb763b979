"""The one question of a tick: each kind of work is found when it is there, and not before."""

from __future__ import annotations

import pytest

from leads.agenda import read_agenda
from leads.outbox.gate import Reason, shut_gate
from leads.outbox.lease import claim, hurry_messages
from leads.outbox.rows import Lane
from leads.outbox.store import record_lead
from leads.privacy.erasure import Person, erase_person
from tests.support.database import change
from tests.support.samples import LEAD


def agenda(engine):
    return read_agenda(
        engine, others={"staff-mail": "staff-mail", "visitor": "visitor", "details": "zoho"}, batch=2, most_bells=3
    )


def bells(engine):
    found = agenda(engine).bells
    return found[Lane.FRESH], found[Lane.RETRY]


def test_nothing_is_to_be_done_at_first(engine):
    found = agenda(engine)
    assert (found.has_lost, found.others, found.has_erasure) == (False, [], False)
    assert bells(engine) == (0, 0)


@pytest.mark.parametrize(("rows", "wanted"), [(1, 1), (2, 1), (3, 2), (20, 3)])
def test_a_lane_has_a_bell_for_each_batch_up_to_the_most(engine, rows, wanted):
    for _ in range(rows):
        record_lead(engine, LEAD)
    assert bells(engine) == (wanted, 0)
    change(engine, "UPDATE deliveries SET status = 'retrying'")
    assert bells(engine) == (0, wanted)
    change(engine, "UPDATE deliveries SET next_retry_at = now() + interval '1 min'")
    assert bells(engine) == (0, 0)


def test_a_shut_gate_has_one_bell_when_its_probe_is_due_and_a_pause_none(engine):
    for _ in range(9):
        record_lead(engine, LEAD)
    shut_gate(engine, Reason.OUTAGE, "down", by="worker")
    assert bells(engine) == (0, 0)
    change(engine, "UPDATE gates SET until_at = now() WHERE destination = 'zoho'")
    assert bells(engine) == (1, 0)
    shut_gate(engine, Reason.PAUSED, "by hand", by="ann")
    assert bells(engine) == (0, 0)


def test_only_a_lease_that_has_ended_is_lost(engine):
    record_lead(engine, LEAD)
    claim(engine, Lane.FRESH, rows=1, lease_seconds=60.0, call_id="c")
    assert not agenda(engine).has_lost
    change(engine, "UPDATE deliveries SET next_retry_at = now()")
    assert agenda(engine).has_lost


@pytest.mark.parametrize("state", ["pending", "retrying"])
def test_the_others_are_those_that_are_owed_something_now_and_asked_for(engine, state):
    record_lead(engine, LEAD, owed={"zoho": 0.0, "visitor": 60.0, "staff-webhook": 0.0})
    assert agenda(engine).others == []
    change(engine, f"UPDATE deliveries SET next_retry_at = now(), status = '{state}' WHERE destination = 'visitor'")
    assert agenda(engine).others == ["visitor"]


def test_what_waits_behind_a_shut_gate_is_not_woken_before_its_probe(engine):
    record_lead(engine, LEAD, owed={"details": 0.0, "visitor": 0.0})
    assert agenda(engine).others == ["visitor", "details"]
    shut_gate(engine, Reason.OUTAGE, "down", by="worker")
    assert agenda(engine).others == ["visitor"]
    change(engine, "UPDATE gates SET until_at = now() WHERE destination = 'zoho'")
    assert agenda(engine).others == ["visitor", "details"]


def test_an_erasure_is_due_while_the_crm_is_watched(engine):
    record_lead(engine, LEAD)
    claim(engine, Lane.FRESH, rows=1, lease_seconds=60.0, call_id="c")
    erase_person(engine, Person(LEAD["email"]), by="ann", key="")
    change(engine, "UPDATE erased_rows SET check_at = now()")
    assert agenda(engine).has_erasure
    change(engine, "UPDATE erased_rows SET done_at = now()")
    assert not agenda(engine).has_erasure


def test_a_record_names_the_destinations_that_wait_for_it(engine):
    owed = {"zoho": 0.0, "staff-mail": 60.0, "visitor": 0.0, "staff-webhook": 60.0}
    lead = record_lead(engine, LEAD, owed=owed).id
    change(engine, "UPDATE deliveries SET status = 'sent' WHERE destination = 'staff-webhook'")
    assert set(hurry_messages(engine, [lead])) == {"staff-mail", "visitor"}
    assert set(agenda(engine).others) == {"staff-mail", "visitor"}


def test_a_claim_among_nothing_takes_nothing(engine):
    record_lead(engine, LEAD)
    assert claim(engine, Lane.FRESH, rows=1, lease_seconds=60.0, call_id="c", among=[]) == []
