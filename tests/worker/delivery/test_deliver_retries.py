"""Retries have turns: all of a process's threads but one, each for some batches."""

from __future__ import annotations

from contextlib import closing

import pytest

from leads.outbox.gate import Reason, shut_gate
from leads.outbox.rows import Lane
from leads.outbox.store import record_lead
from leads.settings import read_settings
from tests.support.database import change, rows_of, spy_on
from tests.support.samples import LEAD
from worker.context import make_context
from worker.delivery.deliver import deliver_on_turn


def make_retries(context, count):
    for _ in range(count):
        record_lead(context.engine, LEAD)
    change(
        context.engine, "UPDATE crm_deliveries SET zoho_status = 'retrying', retry_count = 1, next_retry_at = now()"
    )


def sent(context):
    return rows_of(context.engine, "SELECT count(*) AS n FROM crm_deliveries WHERE zoho_status = 'sent'")[0]["n"]


def test_one_bell_delivers_batch_after_batch_of_retries(context, sandbox):
    make_retries(context, 250)
    last = deliver_on_turn(context.delivery, context.crm, Lane.RETRY)
    assert (last.sent, last.full, sent(context), sandbox.summary()["api_calls"]) == (250, False, 250, 3)


def rows_of_calls(sandbox):
    return [call["rows"] for call in sandbox.calls(kind="api")]


def retry(context):
    return deliver_on_turn(context.delivery, context.crm, Lane.RETRY)


def test_rows_that_go_alone_hold_no_batch_up(context, sandbox):
    make_retries(context, 320)
    change(
        context.engine,
        "UPDATE deliveries SET lost_leases = 2 WHERE id IN (SELECT id FROM leads ORDER BY created_at LIMIT 20)",
    )
    while sent(context) < 320:
        assert retry(context).codes == {}
    assert sorted(rows_of_calls(sandbox)) == [1] * 20 + [100] * 3


def take_turns(turns):
    count = 0
    while turns.acquire(blocking=False):
        count += 1
    return count


def test_retries_leave_one_of_a_processs_threads_to_fresh_rows(context, sandbox):
    make_retries(context, 1)
    assert take_turns(context.delivery.retry_turns) == context.settings.crm_concurrency - 1
    assert retry(context).gate == "every turn is busy"
    assert sandbox.summary()["api_calls"] == 0
    record_lead(context.engine, LEAD)
    assert deliver_on_turn(context.delivery, context.crm, Lane.FRESH).sent == 1
    context.delivery.retry_turns.release()
    assert retry(context).sent == 1


@pytest.mark.parametrize(("threads", "turns"), [(3, 2), (8, 7)])
def test_turns_follow_from_the_number_of_threads(crm_environment, threads, turns):
    with closing(
        make_context(read_settings({**crm_environment, "CRM_CALLS_IN_FLIGHT": str(threads - 2)}))
    ) as context:
        assert take_turns(context.delivery.retry_turns) == turns


def test_a_turn_is_given_back_after_its_batches(context):
    make_retries(context, 1)
    for _ in range(context.settings.crm_concurrency):
        retry(context)
    assert take_turns(context.delivery.retry_turns) == context.settings.crm_concurrency - 1
    assert sent(context) == 1


def test_a_turn_is_given_back_when_a_delivery_fails(context):
    make_retries(context, 1)

    def fail(_cursor, statement, _parameters):
        if "WITH due AS" in statement:
            raise OSError("the connection is gone")

    spy_on(context.engine, before=fail)
    with pytest.raises(OSError, match="the connection is gone"):
        retry(context)
    assert take_turns(context.delivery.retry_turns) == context.settings.crm_concurrency - 1


def test_a_gate_that_shuts_in_the_middle_of_a_turn_ends_it(context, sandbox):
    make_retries(context, 250)

    def shut(_cursor, statement, _parameters):
        if "UPDATE deliveries AS t SET" in statement:
            shut_gate(context.engine, Reason.PAUSED, "moving", by="ann")

    spy_on(context.engine, after=shut)
    assert retry(context).gate == "paused"
    assert rows_of_calls(sandbox) == [100]


def test_a_stopping_worker_ends_its_turn(context):
    make_retries(context, 150)
    context.stopping.set()
    assert retry(context).gate == "stopping"
    assert sent(context) == 0
