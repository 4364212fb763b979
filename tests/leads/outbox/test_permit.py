"""Who may call: probes are for those who send a due row, and patience is for those who asked for it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from leads.outbox.gate import Reason, read_gate, shut_gate
from leads.outbox.permit import SLOT_POLL_SECONDS, CallLimits, NotPermitted, hold_permit
from leads.outbox.rows import Lane
from leads.outbox.store import record_lead
from tests.support.database import change
from tests.support.samples import LEAD
from tests.support.slots import call_slot

LIMITS = CallLimits(8, 60.0)
ONE = CallLimits(1, 60.0)


@pytest.fixture
def probe_due(engine):
    shut_gate(engine, Reason.OUTAGE, "test", by="test")
    change(engine, "UPDATE crm_gate SET until_at = now()")


def test_one_due_row_is_one_probe(engine, probe_due):
    record_lead(engine, LEAD)
    with hold_permit(engine, LIMITS, Lane.FRESH, probe_of="zoho") as permit:
        assert permit.is_probe
        with pytest.raises(NotPermitted), hold_permit(engine, LIMITS, Lane.FRESH, probe_of="zoho"):
            pass


def test_who_sends_no_row_takes_no_probe(engine, probe_due):
    record_lead(engine, LEAD)
    with pytest.raises(NotPermitted), hold_permit(engine, LIMITS, Lane.FRESH):
        pass
    assert read_gate(engine).probe_due


SHARED = {"details": 0.0}


def test_who_shares_a_gate_takes_the_probe_when_its_owner_has_nothing_due(engine, probe_due):
    record_lead(engine, LEAD, owed=SHARED)
    with hold_permit(engine, LIMITS, Lane.FRESH, probe_of="details") as permit:
        assert permit.is_probe
    assert not read_gate(engine).probe_due


def test_who_shares_a_gate_leaves_the_probe_to_its_owner(engine, probe_due):
    record_lead(engine, LEAD, owed={"zoho": 0.0, **SHARED})
    with pytest.raises(NotPermitted), hold_permit(engine, LIMITS, Lane.FRESH, probe_of="details"):
        pass
    assert read_gate(engine).probe_due


def test_another_kind_of_call_proves_nothing_about_a_wrong_configuration(engine, probe_due):
    change(engine, "UPDATE crm_gate SET reason = 'configuration'")
    record_lead(engine, LEAD, owed=SHARED)
    with pytest.raises(NotPermitted), hold_permit(engine, LIMITS, Lane.FRESH, probe_of="details"):
        pass
    assert read_gate(engine).probe_due


@pytest.fixture
def pauses(engine, monkeypatch):
    """The only slot is taken, in another process; the pauses, in seconds."""
    pauses = []

    event = SimpleNamespace(wait=pauses.append)
    monkeypatch.setattr("leads.outbox.permit.threading", SimpleNamespace(Event=lambda: event))
    with call_slot(engine, Lane.RETRY) as is_held:
        assert is_held
        yield pauses


def test_patience_gets_the_slot_that_becomes_free(engine, pauses):
    def may_wait():
        if pauses:
            change(engine, "UPDATE call_slots SET until_at = '-infinity'")
        return True

    with hold_permit(engine, ONE, may_wait=may_wait):
        assert pauses == [SLOT_POLL_SECONDS]


def test_who_waits_long_for_other_processes_looks_less_often(engine, pauses):
    with pytest.raises(NotPermitted, match="busy"), hold_permit(engine, ONE, may_wait=lambda: len(pauses) < 6):
        pass
    assert pauses == [0.1, 0.2, 0.4, 0.8, 1.0, 1.0]


def test_a_refusal_takes_no_turn(engine):
    shut_gate(engine, Reason.PAUSED, "test", by="test")
    with pytest.raises(NotPermitted, match="paused"), hold_permit(engine, ONE):
        pass
    assert ONE.turns.acquire(blocking=False)
    ONE.turns.release()
    change(engine, "UPDATE crm_gate SET state = 'open', reason = NULL")
    with hold_permit(engine, ONE), pytest.raises(NotPermitted, match="busy"), hold_permit(engine, ONE):
        pass


def test_nobody_waits_for_a_slot_who_did_not_ask_for_it(engine, pauses):
    with pytest.raises(NotPermitted, match="busy"), hold_permit(engine, ONE):
        pass
    assert pauses == []
