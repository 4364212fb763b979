"""A field that the CRM suddenly wants or refuses of everybody: the gate shuts, and no lead is buried."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest

from leads.outbox.find import read_timeline
from leads.outbox.gate import read_gate
from leads.outbox.rows import Lane
from leads.settings import read_settings
from tests.support.database import change, rows_of
from tests.support.pipeline import record, statuses
from worker.context import make_context
from worker.crm.port import FailureClass, RowResult
from worker.delivery.deliver import deliver

MANDATORY = {"mandatory_field": {"field": "Company"}}


def send(context, count=1, **values):
    ids = record(context, count, **values)
    return ids, deliver(context.delivery, context.crm, Lane.FRESH)


def probe(context):
    """Rows keep their order, as each that was refused is due again behind the others."""
    change(context.engine, "UPDATE crm_gate SET until_at = now() WHERE until_at IS NOT NULL")
    return deliver(context.delivery, context.crm, Lane.FRESH)


def test_a_new_mandatory_field_shuts_the_gate_and_nobody_stays_buried(context, sandbox):
    sandbox.faults(**MANDATORY)
    assert [send(context, 2)[1].dead for _ in range(2)] == [2, 2]
    assert send(context, 2)[1].codes == {"MANDATORY_NOT_FOUND": 2}
    gate = read_gate(context.engine)
    assert (gate.reason, gate.detail) == ("configuration", "MANDATORY_NOT_FOUND: Company")
    assert statuses(context) == {"pending": 6}
    assert rows_of(context.engine, "SELECT DISTINCT retry_count FROM crm_deliveries") == [{"retry_count": 0}]
    assert deliver(context.delivery, context.crm, Lane.FRESH).gate == "configuration"
    assert probe(context).deferred == 2  # it finds the field still mandatory, and costs no try
    assert read_gate(context.engine).reason == "configuration"
    sandbox.only_faults()
    assert probe(context).sent == 2
    assert read_gate(context.engine).is_open
    for _ in range(2):
        deliver(context.delivery, context.crm, Lane.FRESH)
    assert statuses(context) == {"sent": 6}


def test_several_workers_count_together(context, crm_environment, sandbox):
    sandbox.faults(**MANDATORY)
    with closing(make_context(read_settings(crm_environment))) as other:
        for worker in (context, other, context):
            send(worker)
    assert read_gate(context.engine).reason == "configuration"
    assert statuses(context) == {"pending": 3}


@pytest.mark.parametrize("between", ["a success", "another field", "another row in the call"])
def test_refusals_that_differ_are_the_rows_own(context, sandbox, between):
    refuse = {"reject_word": {"word": "Poison", "field": "Last_Name"}}
    sandbox.faults(**refuse)
    send(context, surname="Poison")
    send(context, surname="Poison")
    if between == "a success":
        send(context)
    if between == "another field":
        sandbox.faults(reject_word={"word": "Poison", "field": "Description"})
    if between == "another row in the call":
        record(context)
    assert send(context, surname="Poison")[1].dead == 1
    assert read_gate(context.engine).is_open


def test_refusals_that_name_no_field_are_the_rows_own(crm, delivery):
    crm.answer = lambda _: RowResult(ok=False, code="INVALID_DATA", failure=FailureClass.RECORD)
    assert [send(delivery)[1].dead for _ in range(4)] == [1] * 4


def test_bad_rows_do_not_shut_it_for_long_and_are_sent_again_once(context, sandbox):
    sandbox.faults(reject_word={"word": "Poison", "field": "Last_Name"})
    poison = [send(context, surname="Poison")[0][0] for _ in range(3)]
    record(context)
    assert probe(context).sent == 1
    assert read_gate(context.engine).is_open
    for _ in range(2):
        deliver(context.delivery, context.crm, Lane.FRESH)
    assert statuses(context) == {"sent": 1, "dead": 3}
    assert read_gate(context.engine).is_open
    redriven = [sum(line["event"] == "redriven" for line in read_timeline(context.engine, row)) for row in poison]
    assert redriven == [1, 1, 0]  # the third was never dead


def test_rows_that_were_sent_again_shut_it_no_second_time(context, sandbox):
    sandbox.faults(reject_word={"word": "Poison", "field": "Last_Name"})
    singly = replace(context, crm=replace(context.crm, max_rows=1))
    for _ in range(3):
        send(singly, surname="Poison")
    record(context)
    assert [probe(singly).sent for _ in range(2)] == [0, 1]
    assert [deliver(context.delivery, singly.crm, Lane.FRESH).dead for _ in range(3)] == [1, 1, 1]
    assert read_gate(context.engine).is_open


def test_bad_rows_by_the_hundred_keep_no_good_one_waiting_for_long(context, sandbox):
    sandbox.faults(reject_word={"word": "Poison", "field": "Last_Name"})
    for _ in range(4):
        send(context, 100, surname="Poison")
    send(context)
    assert [probe(context).sent for _ in range(3)] == [0, 0, 1]
    assert read_gate(context.engine).is_open
