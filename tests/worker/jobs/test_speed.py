"""Who was answered, read back from the CRM: by a person, in few calls, and at no lead's cost."""

from __future__ import annotations

import pytest

from leads.call_times import CLINIC_ZONE
from leads.outbox.gate import Reason, shut_gate
from leads.outbox.rows import Lane
from leads.outbox.store import record_lead
from leads.speed import read_speed
from tests.support.answers import look, make_due
from tests.support.database import change, rows_of
from tests.support.pipeline import record, statuses
from tests.support.samples import LEAD
from worker.delivery.deliver import deliver
from worker.jobs.speed import look_for_answers

TIMELINES = "__timeline"


@pytest.fixture
def sent(context, sandbox):
    """Store leads and deliver them; return the ids of their records, in the order of the leads."""

    def make(count=1):
        ids = record(context, count)
        deliver(context.delivery, context.crm, Lane.FRESH)
        return [sandbox.records(Website_Event_ID=str(lead))[0]["id"] for lead in ids]

    return make


def reads(sandbox):
    """How many calls read records and timelines."""
    calls = [call["path"] for call in sandbox.calls(method="GET")]
    return sum(path == "/crm/v8/Leads" for path in calls), sum(TIMELINES in path for path in calls)


def answered(context):
    rows = rows_of(context.engine, "SELECT answered_at IS NOT NULL AS answered FROM answers ORDER BY lead_id")
    return [row["answered"] for row in rows]


ACTS = {
    "a call": ("call", {}, True),
    "a status": ("change", {"Lead_Status": "Contacted"}, True),
    "a conversion": ("convert", {}, True),
    "another owner": ("change", {"Owner": {"name": "Ann", "id": "488800000000012009"}}, False),
    "a task of a workflow": ("automate", {}, False),
    "a call of a workflow": ("automate", {"module": "Calls"}, False),
}


@pytest.mark.parametrize("act", ACTS)
def test_a_call_or_a_status_by_a_person_is_an_answer_and_nothing_else(context, sandbox, sent, act):
    action, wanted, is_answer = ACTS[act]
    (found,) = sent()
    look(context)
    assert answered(context) == [False]
    later(context, found)
    sandbox.act(action, found, **wanted)
    look(context)
    assert answered(context) == [is_answer]


def later(context, *records):
    """Let a second pass at the CRM, which tells no fractions: what happens to these records now is news."""
    change(
        context.engine,
        "UPDATE answers SET touched_at = now() - interval '10 s'"
        " WHERE lead_id IN (SELECT id FROM deliveries WHERE record_id = ANY(:records))",
        records=[*records],
    )


def test_a_status_by_a_program_is_no_answer(context, sandbox, sent):
    (found,) = sent()
    look(context)
    later(context, found)
    context.access.crm.update({found: {"Lead_Status": "Contacted"}}, call_id="u")
    look(context)
    assert answered(context) == [False]


def test_the_time_is_that_of_the_first_call(context, sandbox, sent):
    (found,) = sent()
    change(context.engine, "UPDATE leads SET created_at = created_at - interval '1 hour'")
    look(context)
    later(context, found)
    sandbox.act("call", found)
    look(context)
    (row,) = rows_of(context.engine, "SELECT extract(epoch FROM now() - answered_at)::float8 AS ago FROM answers")
    assert 0 <= row["ago"] < 60
    (day,) = read_speed(context.engine).days  # in the clinic's first hour that of the day before
    assert 3590 < day.answered_half < 3700


def test_a_hundred_records_are_one_call_and_a_timeline_is_read_when_something_happened(context, sandbox, sent):
    records = sent(30)
    look(context)
    look(context)
    assert reads(sandbox) == (2, 0)
    later(context, *records[:2])
    sandbox.act("automate", records[0])
    sandbox.act("call", records[1])
    look(context)
    assert reads(sandbox) == (3, 2)
    look(context)
    assert reads(sandbox) == (4, 2)
    assert sorted(answered(context)) == [False] * 29 + [True]


def test_a_record_that_staff_deleted_waits_for_no_answer(context, sandbox, sent):
    deleted, _ = sent(2)
    sandbox.act("delete", deleted)
    look(context)
    today = read_speed(context.engine).today
    assert (today.enquiries, today.gone, today.untouched) == (2, 1, 1)


def test_beyond_the_target_it_is_untouched_until_somebody_answers(context, sandbox, sent):
    (found,) = sent()
    look(context)
    assert read_speed(context.engine).untouched == 0
    change(context.engine, "UPDATE answers SET due_at = now() - interval '1 min'")
    look(context)
    assert read_speed(context.engine).untouched == 1
    later(context, found)
    sandbox.act("call", found)
    look(context)
    speed = read_speed(context.engine)
    assert (speed.untouched, speed.today.answered, speed.today.in_time) == (0, 1, 0)


@pytest.mark.parametrize("trouble", ["outage", "scope", "paused", "credits"])
def test_without_an_answer_of_the_crm_nobody_is_called_untouched_and_no_lead_pays(context, sandbox, sent, trouble):
    (found,) = sent()
    look(context)
    later(context, found)
    sandbox.act("call", found)
    change(context.engine, "UPDATE answers SET due_at = now() - interval '1 s'")
    change(context.engine, "UPDATE turns SET done_at = now() - interval '1 min'")
    if trouble == "outage":
        sandbox.faults(server_error={"path": "/Leads"})
    elif trouble == "scope":
        sandbox.faults(scope_mismatch={"path": TIMELINES})
    elif trouble == "paused":
        shut_gate(context.engine, Reason.PAUSED, "holiday", by="ann")
    else:
        change(context.engine, "UPDATE gates SET credits_left = 10, credits_at = now() WHERE destination = 'zoho'")
    look(context)
    speed = read_speed(context.engine)
    assert (speed.untouched, bool(speed.failure)) == (0, True)
    assert statuses(context) == {"sent": 1}
    gate = rows_of(context.engine, "SELECT state FROM gates WHERE destination = 'zoho'")
    assert gate == [{"state": "shut" if trouble == "paused" else "open"}]


def test_one_worker_looks_and_not_before_it_is_due(context, make_context, sandbox, sent):
    sent()
    for worker in (context, make_context()):
        look_for_answers(worker.access, worker.settings, may_continue=lambda: True)
    assert reads(sandbox) == (0, 0)
    make_due(context)
    for worker in (context, make_context()):
        look_for_answers(worker.access, worker.settings, may_continue=lambda: True)
    assert reads(sandbox) == (1, 0)


def test_a_look_that_is_cut_off_calls_nobody_untouched_and_goes_on_later(context, sandbox, sent):
    sent(2)
    look(context, may_continue=lambda: False)
    (turn,) = rows_of(context.engine, "SELECT due_at < now() AS is_due, taken_until > now() AS is_taken FROM turns")
    assert turn == {"is_due": True, "is_taken": True}


def test_what_was_untouched_is_not_once_the_target_is_taken_away(context, make_context, sent):
    sent()
    look(context)
    change(context.engine, "UPDATE answers SET due_at = now() - interval '1 min'")
    look(context)
    worker = make_context(SPEED_TARGET_MINUTES="0")
    look_for_answers(worker.access, worker.settings, may_continue=lambda: True)
    assert read_speed(context.engine).untouched == 0


def test_without_a_target_nobody_looks(make_context, sandbox):
    worker = make_context(SPEED_TARGET_MINUTES="0")
    record(worker)
    deliver(worker.delivery, worker.crm, Lane.FRESH)
    look(worker)
    assert reads(sandbox) == (0, 0)


def test_held_enquiries_are_in_no_figure(context):
    record_lead(context.engine, LEAD, held="person")
    record(context)
    look(context)
    assert read_speed(context.engine).today.enquiries == 1


def test_days_are_those_of_the_clinic(context):
    record(context, 2)
    change(
        context.engine,
        "UPDATE leads"
        " SET created_at = date_trunc('day', now() AT TIME ZONE :zone) AT TIME ZONE :zone - interval '1 s'"
        " WHERE id = (SELECT min(id::text)::uuid FROM leads)",
        zone=CLINIC_ZONE.key,
    )
    look(context)
    assert [day.enquiries for day in read_speed(context.engine).days] == [1, 1]
