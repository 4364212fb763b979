"""What visitors add after sending: in the same record of the CRM, the last words last, whatever fails."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from uuid import uuid4

import pytest

from leads.destinations import CRM, DETAILS
from leads.lifecycle import LOST_CALL_WAIT, Deferred, Delivered, Retryable
from leads.outbox.details import change_details
from leads.outbox.gate import Reason, open_gate, shut_gate
from leads.outbox.holds import Held
from leads.outbox.lease import Mark, begin, claim, mark, sweep
from leads.outbox.rows import Lane
from leads.outbox.selection import redrive, release
from leads.outbox.store import record_lead
from leads.privacy.erasure import Person, erase_person
from tests.support.database import change, rows_of
from tests.support.messages import make_due, send, states
from tests.support.pipeline import crm_record
from tests.support.samples import LEAD
from worker.crm.port import CallFailed, FailureClass
from worker.delivery.deliver import deliver
from worker.destinations.port import Call

CHOSEN = {
    "call_from": datetime(2026, 11, 24, 9, tzinfo=UTC),
    "call_until": datetime(2026, 11, 24, 12, tzinfo=UTC),
    "call_chosen": True,
}
ALL = {"interest": "All-on-4", "already_has": "X-ray, photos", **CHOSEN}
SAID = {
    "Treatment_Interest": "All-on-4",
    "Already_Has": "X-ray, photos",
    "Call_Time": "Tue 24 Nov, 12:00 to 15:00 Istanbul (09:00 to 12:00 there), chosen by the visitor",
}


@pytest.fixture
def lead(context):
    return record_lead(context.engine, {**LEAD, "timezone": "Europe/London"}).id


@pytest.fixture
def sent(context, lead):
    """A lead that has a record."""
    assert deliver(context.delivery, context.crm, Lane.FRESH).sent == 1
    return lead


def add(context, lead, **values):
    assert change_details(context.engine, lead, values)


def said_of(sandbox, lead):
    record = crm_record(sandbox, lead)
    return {name: record.get(name) for name in SAID}


def updates(sandbox):
    return [call for call in sandbox.calls() if call["method"] == "PUT" and call["path"].endswith("/Leads")]


def test_three_taps_are_in_the_leads_record(context, sandbox, sent):
    add(context, sent, interest="All-on-4")
    add(context, sent, already_has="X-ray, photos")
    add(context, sent, **CHOSEN)
    assert send(context, DETAILS) == {"sent": 1}
    assert said_of(sandbox, sent) == SAID
    assert sandbox.summary()["records"] == 1
    assert send(context, DETAILS) == {}


def test_an_answer_that_is_taken_back_is_emptied(context, sandbox, sent):
    add(context, sent, **ALL)
    send(context, DETAILS)
    add(context, sent, already_has=None)
    assert send(context, DETAILS) == {"sent": 1}
    assert said_of(sandbox, sent) == {**SAID, "Already_Has": None}


def test_what_staff_wrote_meanwhile_stays(context, sandbox, sent):
    record_id = crm_record(sandbox, sent)["id"]
    context.access.crm.update({record_id: {"Phone": "+442079460000", "Description": "Called"}}, call_id="staff")
    add(context, sent, **ALL)
    send(context, DETAILS)
    record = crm_record(sandbox, sent)
    assert (record["Phone"], record["Description"]) == ("+442079460000", "Called")
    assert said_of(sandbox, sent) == SAID


def test_taps_while_the_crm_is_down_are_one_update_with_the_last_words(context, sandbox, sent):
    sandbox.faults(server_error={"status": 503, "path": "Leads"})
    add(context, sent, interest="Zirconia crowns")
    assert send(context, DETAILS) == {"retrying": 1}
    add(context, sent, already_has="X-ray, photos")
    add(context, sent, interest="All-on-4")
    sandbox.only_faults()
    add(context, sent, **CHOSEN)
    make_due(context.engine)
    assert send(context, DETAILS) == {"sent": 1}
    assert said_of(sandbox, sent) == SAID
    assert sandbox.summary()["records"] == 1


def test_taps_before_there_is_a_record_wait_for_it(context, sandbox, lead):
    sandbox.faults(server_error={"status": 503, "path": "upsert"})
    deliver(context.delivery, context.crm, Lane.FRESH)
    add(context, lead, interest="Zirconia crowns")
    assert send(context, DETAILS) == {}
    assert states(context.engine, DETAILS) == {"pending": 1}
    add(context, lead, **ALL)
    sandbox.only_faults()
    make_due(context.engine)
    assert deliver(context.delivery, context.crm, Lane.RETRY).sent == 1
    assert said_of(sandbox, lead) == SAID
    wait_out_the_first_call(context)
    assert send(context, DETAILS) == {"sent": 1}
    assert said_of(sandbox, lead) == SAID
    assert sandbox.summary()["records"] == 1


class SlowCrm:
    """The CRM, but something happens while an update is under way."""

    def __init__(self, crm, during):
        self._crm, self._during = crm, during

    def __getattr__(self, name):
        return getattr(self._crm, name)

    def update(self, records, *, call_id):
        results = self._crm.update(records, call_id=call_id)
        self._during()
        return results


def test_a_tap_during_a_call_is_sent_after_it(context, sandbox, sent):
    add(context, sent, interest="Zirconia crowns")
    (thread,) = [each for each in context.messages if each.destination.name == DETAILS]
    taps = [{"interest": "All-on-4"}, {"already_has": "photos"}]
    slow = SlowCrm(context.access.crm, lambda: taps and add(context, sent, **taps.pop(0)))
    destination = replace(thread.destination, crm=slow)
    summary = deliver(context.delivery, destination, Lane.FRESH, seconds=5)
    assert (summary.fenced, summary.sent) == (2, 3)  # the fenced ones are counted as what they would have been
    assert states(context.engine, DETAILS) == {"sent": 1}
    assert said_of(sandbox, sent) == {**SAID, "Already_Has": "photos", "Call_Time": None}
    assert len(updates(sandbox)) == 3


def test_a_tap_during_a_call_without_an_answer_waits_until_that_call_cannot_arrive(context, sent):
    def lose():
        add(context, sent, interest="All-on-4")
        add(context, sent, already_has="photos")
        raise CallFailed(FailureClass.UNKNOWN, "TIMEOUT")

    add(context, sent, interest="Zirconia crowns")
    (thread,) = [each for each in context.messages if each.destination.name == DETAILS]
    deliver(context.delivery, replace(thread.destination, crm=SlowCrm(context.access.crm, lose)), Lane.FRESH)
    (row,) = rows_of(
        context.engine,
        "SELECT status, extract(epoch FROM next_retry_at - now())::float8 AS wait FROM deliveries"
        " WHERE destination = :name",
        name=DETAILS,
    )
    assert row["status"] == "pending"
    assert LOST_CALL_WAIT - 10 < row["wait"] <= LOST_CALL_WAIT


def take(context, destination=DETAILS):
    (row,) = claim(
        context.engine, Lane.FRESH, rows=1, lease_seconds=60, call_id=uuid4().hex, destination=destination, gate=CRM
    )
    return row


def test_no_second_call_begins_while_one_is_under_way(context, sent):
    add(context, sent, interest="Zirconia crowns")
    assert begin(context.engine, [take(context)])
    add(context, sent, interest="All-on-4")
    add(context, sent, already_has="photos")
    assert send(context, DETAILS) == {}


def test_a_tap_before_the_mark_does_not_wait_for_the_lease(context, sandbox, sent, monkeypatch):
    taps = [{"interest": "All-on-4"}]

    def mark_late(engine, marks):
        if taps:
            add(context, sent, **taps.pop())
        return mark(engine, marks)

    monkeypatch.setattr("worker.delivery.deliver.mark", mark_late)
    add(context, sent, interest="Zirconia crowns")
    assert send(context, DETAILS) == {"sent": 2, "fenced": 1}
    assert states(context.engine, DETAILS) == {"sent": 1}
    assert said_of(sandbox, sent)["Treatment_Interest"] == "All-on-4"


def test_a_tap_between_the_claim_and_its_call_does_not_wait_for_the_lease(context, sandbox, sent):
    add(context, sent, interest="Zirconia crowns")
    row = take(context)
    add(context, sent, interest="All-on-4")
    (thread,) = [each for each in context.messages if each.destination.name == DETAILS]
    call = Call("late", time.monotonic() + 60, partial(begin, context.engine), lambda: None)
    assert list(thread.destination.send([row], call)) == []
    assert send(context, DETAILS) == {"sent": 1}
    assert said_of(sandbox, sent)["Treatment_Interest"] == "All-on-4"


def test_the_late_answer_to_an_older_call_does_not_end_what_is_owed(context, sandbox, sent):
    add(context, sent, interest="Zirconia crowns")
    row = take(context)
    change(context.engine, "UPDATE deliveries SET next_retry_at = now() WHERE status = 'sending'")
    sweep(context.engine)
    add(context, sent, interest="All-on-4")
    assert mark(context.engine, [Mark(row, Delivered("1"), "late")]).fenced == 1
    assert send(context, DETAILS) == {"sent": 1}
    assert said_of(sandbox, sent)["Treatment_Interest"] == "All-on-4"


@pytest.mark.slow
def test_what_a_call_without_an_answer_may_still_write_is_waited_for(context, sandbox, sent):
    add(context, sent, interest="All-on-4")
    sandbox.faults(hang={"path": "Leads", "count": 1})
    send(context, DETAILS)
    assert states(context.engine, DETAILS) == {"retrying": 1}
    assert wait_of(context) > 100
    add(context, sent, interest="Crowns")
    assert 100 < wait_of(context) <= 120


@pytest.mark.parametrize(
    ("outcome", "lane"),
    [(Retryable("TIMEOUT", "no answer"), Lane.RETRY), (Deferred("CONNECTION_LOST", "no answer", 0.0), Lane.FRESH)],
)
def test_a_lead_whose_first_call_got_no_answer_may_still_be_written_by_it(context, sandbox, lead, outcome, lane):
    mark(context.engine, [Mark(take(context, CRM), outcome, "call")])
    make_due(context.engine)
    assert deliver(context.delivery, context.crm, lane).sent == 1
    add(context, lead, interest="All-on-4")
    send(context, DETAILS)
    assert states(context.engine, DETAILS) == {"pending": 1}
    wait_out_the_first_call(context)
    send(context, DETAILS)
    assert said_of(sandbox, lead)["Treatment_Interest"] == "All-on-4"


def wait_out_the_first_call(context):
    change(context.engine, "UPDATE attempts SET at = at - interval '3 min'")
    make_due(context.engine)


def wait_of(context):
    (row,) = rows_of(
        context.engine,
        "SELECT extract(epoch FROM next_retry_at - now())::float8 AS wait FROM deliveries"
        " WHERE destination = 'zoho-details'",
    )
    return row["wait"]


def test_the_same_answer_again_owes_nothing(context, sandbox, sent):
    add(context, sent, **ALL)
    send(context, DETAILS)
    add(context, sent, **ALL)
    assert states(context.engine, DETAILS) == {"sent": 1}
    assert len(updates(sandbox)) == 1


def test_a_held_lead_carries_its_answers_when_it_is_released(context, sandbox):
    lead = record_lead(context.engine, {**LEAD, "timezone": "Europe/London"}, held=Held.HONEYPOT).id
    add(context, lead, **ALL)
    assert states(context.engine, DETAILS) == {}
    release(context.engine, by="test")
    deliver(context.delivery, context.crm, Lane.FRESH)
    assert said_of(sandbox, lead) == SAID


def test_a_dead_leads_answers_wait_for_nothing(context, sandbox, lead):
    add(context, lead, interest="Zirconia crowns")
    change(context.engine, "UPDATE crm_deliveries SET zoho_status = 'dead'")
    make_due(context.engine)
    assert send(context, DETAILS) == {}
    assert states(context.engine, DETAILS) == {}
    add(context, lead, **ALL)
    redrive(context.engine, by="test")
    deliver(context.delivery, context.crm, Lane.FRESH)
    assert said_of(sandbox, lead) == SAID


def test_an_erased_person_can_add_nothing(context, sandbox, sent):
    add(context, sent, **ALL)
    erase_person(context.engine, Person(email=LEAD["email"]), by="test", key="k")
    assert not change_details(context.engine, sent, {"interest": "All-on-4"})
    assert send(context, DETAILS) == {}
    assert updates(sandbox) == []


@pytest.fixture
def shut(context, sent):
    """Answers are due, and a probe of the shut gate."""

    def shut(reason):
        add(context, sent, **ALL)
        shut_gate(context.engine, reason, "test", by="test")
        change(context.engine, "UPDATE crm_gate SET until_at = now()")

    return shut


def probe_due(context):
    query = "SELECT coalesce(until_at <= now(), false) AS due FROM gates WHERE destination = 'zoho'"
    return rows_of(context.engine, query)[0]["due"]


@pytest.mark.parametrize("state", ["pending", "retrying"])
def test_a_shut_gate_stops_them_and_a_lead_is_its_probe(context, sandbox, sent, shut, state):
    waiting = record_lead(context.engine, LEAD).id
    change(context.engine, "UPDATE crm_deliveries SET zoho_status = :state WHERE id = :id", state=state, id=waiting)
    shut(Reason.OUTAGE)
    assert send(context, DETAILS) == {}
    assert probe_due(context)
    open_gate(context.engine, by="test")
    assert send(context, DETAILS) == {"sent": 1}


def test_where_no_lead_is_due_they_are_the_probe(context, sandbox, sent, shut):
    shut(Reason.RATE)
    assert send(context, DETAILS) == {"sent": 1}
    assert said_of(sandbox, sent) == SAID


def test_they_prove_nothing_about_a_wrong_configuration(context, sandbox, sent, shut):
    shut(Reason.CONFIGURATION)
    assert send(context, DETAILS) == {}
    assert probe_due(context)


def test_a_record_that_staff_deleted_is_a_row_that_operators_see(context, sandbox, sent):
    record_id = crm_record(sandbox, sent)["id"]
    context.access.crm.delete(record_id, call_id="staff")
    add(context, sent, **ALL)
    assert send(context, DETAILS) == {"dead": 1}
    assert sandbox.summary()["records"] == 0


def test_an_edition_with_few_fields_gets_one_line(make_context, sandbox):
    context = make_context(ZOHO_FIELDS="essential")
    lead = record_lead(context.engine, {**LEAD, "timezone": "Europe/London"}).id
    deliver(context.delivery, context.crm, Lane.FRESH)
    add(context, lead, **ALL)
    assert send(context, DETAILS) == {"sent": 1}
    assert crm_record(sandbox, lead)["Visitor_Said"] == (
        "All-on-4; has X-ray, photos; call Tue 24 Nov, 12:00 to 15:00 Istanbul (09:00 to 12:00 there),"
        " chosen by the visitor"
    )


def test_a_mapping_without_these_fields_makes_no_call(make_context, sandbox):
    off = ",".join(f"{name}=" for name in ("call_from", "call_time", "interest", "already_has"))
    context = make_context(ZOHO_FIELD_MAP=off)
    lead = record_lead(context.engine, LEAD).id
    deliver(context.delivery, context.crm, Lane.FRESH)
    add(context, lead, **ALL)
    assert send(context, DETAILS) == {"sent": 1}
    assert updates(sandbox) == []
