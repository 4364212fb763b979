"""A row that makes every call fail is found by halving; an outage is not halved; fields refused are optional."""

from __future__ import annotations

import pytest

from leads.outbox.gate import read_gate
from leads.outbox.rows import Lane
from tests.support.crm import KEY, duplicate, server_error
from tests.support.database import change, rows_of
from tests.support.pipeline import record, statuses
from worker.crm.port import CallFailed, FailureClass, RowResult
from worker.delivery.deliver import deliver


def make_retries(delivery):
    change(delivery.engine, "UPDATE crm_deliveries SET zoho_status = 'retrying', retry_count = 2")


def break_on(*leads, failure=server_error):
    """The CRM's answer when it breaks on any call that carries one of these rows."""
    odd = {str(lead) for lead in leads}

    def answer(record):
        if record[KEY] in odd:
            raise failure()

    return answer


@pytest.mark.parametrize("place", [0, 3, 9])
def test_a_row_that_breaks_the_call_holds_no_other_row_up(crm, delivery, place):
    leads = record(delivery, 10)
    make_retries(delivery)
    crm.answer = break_on(leads[place])
    summary = deliver(delivery.delivery, delivery.crm, Lane.RETRY)
    assert (summary.sent, summary.retrying) == (9, 1)
    (waiting,) = rows_of(
        delivery.engine, "SELECT id, retry_count FROM crm_deliveries WHERE zoho_status = 'retrying'"
    )
    assert waiting == {"id": leads[place], "retry_count": 3}


@pytest.mark.parametrize("place", [0, 7])
def test_a_row_that_breaks_calls_is_no_sign_of_an_outage_once_others_were_answered(crm, delivery, place):
    leads = record(delivery, 8)
    make_retries(delivery)
    crm.answer = break_on(leads[place])
    assert deliver(delivery.delivery, delivery.crm, Lane.RETRY).sent == 7
    assert read_gate(delivery.engine).failing_since is None


def test_two_such_rows_are_found_both(crm, delivery):
    leads = record(delivery, 16)
    make_retries(delivery)
    crm.answer = break_on(leads[2], leads[13])
    assert deliver(delivery.delivery, delivery.crm, Lane.RETRY).sent == 14


def test_a_batch_of_fresh_rows_is_not_halved_for_a_server_error(crm, delivery):
    leads = record(delivery, 8)
    crm.answer = break_on(leads[0])
    assert deliver(delivery.delivery, delivery.crm, Lane.FRESH).retrying == 8
    assert [len(call) for call in crm.calls] == [8]


def test_an_outage_makes_few_calls_for_a_batch(crm, delivery):
    leads = record(delivery, 100)
    make_retries(delivery)
    crm.answer = break_on(*leads)
    assert deliver(delivery.delivery, delivery.crm, Lane.RETRY).sent == 0
    assert len(crm.calls) <= 16
    assert statuses(delivery) == {"retrying": 100}


def test_a_call_that_never_arrived_is_not_halved(crm, delivery):
    leads = record(delivery, 8)
    make_retries(delivery)
    crm.answer = break_on(*leads, failure=lambda: CallFailed(FailureClass.TRANSIENT, "CONNECT_FAILED"))
    assert deliver(delivery.delivery, delivery.crm, Lane.RETRY).retrying == 8
    assert len(crm.calls) == 1


def test_a_request_that_is_refused_whole_is_halved_at_once(crm, delivery):
    leads = record(delivery, 8)
    crm.answer = break_on(
        leads[5], failure=lambda: CallFailed(FailureClass.REQUEST, "FILE_TOO_LARGE", http_status=413)
    )
    summary = deliver(delivery.delivery, delivery.crm, Lane.FRESH)
    assert (summary.sent, summary.dead) == (7, 1)


@pytest.mark.parametrize("field", ["Email", "Phone"])
def test_an_optional_field_that_belongs_to_another_record_moves_to_the_description(crm, delivery, field):
    (lead,) = record(delivery, message="Hello")
    crm.answer = lambda record: duplicate(field) if field in record else None
    assert deliver(delivery.delivery, delivery.crm, Lane.FRESH).sent == 1
    stored = crm.records[str(lead)]
    value = {"Email": "ann@example.com", "Phone": "+447911123456"}[field]
    assert field not in stored
    assert stored["Description"].startswith("Hello")
    assert value in stored["Description"]


def test_several_refused_fields_move_one_by_one(crm, delivery):
    (lead,) = record(delivery)
    refused = ["Email", "Phone"]
    crm.answer = lambda record: next((duplicate(field) for field in refused if field in record), None)
    assert deliver(delivery.delivery, delivery.crm, Lane.FRESH).sent == 1
    assert not {*refused} & {*crm.records[str(lead)]}


@pytest.mark.parametrize("field", [KEY, "Last_Name", None])
def test_a_refused_field_that_is_needed_ends_the_row(crm, delivery, field):
    record(delivery)
    crm.answer = lambda _: RowResult(ok=False, code="INVALID_DATA", failure=FailureClass.RECORD, field=field)
    assert deliver(delivery.delivery, delivery.crm, Lane.FRESH).dead == 1
    assert len(crm.calls) == 1
