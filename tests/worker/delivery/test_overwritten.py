"""A field that the CRM keeps unique and looks up by itself: nobody's record is overwritten unseen."""

from __future__ import annotations

import pytest

from leads.outbox.gate import Reason, open_gate, read_gate
from leads.outbox.rows import Lane
from tests.support.database import rows_of
from tests.support.pipeline import make_due, record, statuses
from worker.delivery.deliver import deliver

KEY = "Website_Event_ID"


@pytest.fixture
def second(context, sandbox):
    """A person's second enquiry has overwritten the record of the first."""
    sandbox.faults(limits={"phone_unique": True})
    (first,) = record(context, message="How much?")
    deliver(context.delivery, context.crm, Lane.FRESH)
    (second,) = record(context, message="And when?")
    deliver(context.delivery, context.crm, Lane.FRESH)
    return first, second


def test_the_first_record_that_is_overwritten_stops_the_destination_with_the_fields_name(context, second, run):
    gate = read_gate(context.engine)
    assert gate.reason == Reason.CONFIGURATION
    assert "Phone" in gate.detail
    assert "Phone" in run("status").output
    assert statuses(context) == {"sent": 1, "pending": 1}
    spent = "SELECT sum(retry_count) AS tries FROM crm_deliveries"
    assert rows_of(context.engine, spent) == [{"tries": 0}]


def test_no_trial_follows_within_hours(context, second):
    (wait,) = rows_of(context.engine, "SELECT until_at - now() > interval '3 hours' AS is_long FROM crm_gate")
    assert wait == {"is_long": True}
    record(context)
    for lane in Lane:
        assert deliver(context.delivery, context.crm, lane).claimed == 0


def test_a_trial_that_overwrites_another_record_does_not_open_the_gate(context, sandbox, second):
    record(context, email="other@example.com", phone_e164="+31205550199", phone="020 555 0199")
    record(context)
    make_due(context)
    for lane in Lane:
        deliver(context.delivery, context.crm, lane)
    assert read_gate(context.engine).reason == Reason.CONFIGURATION


def test_once_the_field_is_mended_both_enquiries_get_their_records(context, sandbox, second, run):
    sandbox.faults(limits={"phone_unique": False})
    open_gate(context.engine, by="ann")
    make_due(context)
    deliver(context.delivery, context.crm, Lane.FRESH)
    assert statuses(context) == {"sent": 2}
    run("reconcile", "--fix", "--by", "ann")
    deliver(context.delivery, context.crm, Lane.FRESH)
    assert {found[KEY]: found["Description"] for found in sandbox.records()} == {
        str(second[0]): "How much?",
        str(second[1]): "And when?",
    }
