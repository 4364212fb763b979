"""Every thread has the connections it needs, and a verdict outlives a database that takes none for a moment."""

from __future__ import annotations

from contextlib import ExitStack, closing

from leads.outbox.rows import Lane
from leads.settings import read_settings
from tests.support.database import spy_on
from tests.support.pipeline import record, statuses
from tests.support.slots import call_slot
from worker.context import make_context
from worker.delivery.deliver import deliver


def test_while_all_threads_are_in_a_call_each_finds_a_connection_and_the_tick_three(crm_environment):
    threads = 20
    environment = {
        **crm_environment,
        "CRM_CALLS_IN_FLIGHT": str(threads - 2),
    }
    with closing(make_context(read_settings(environment))) as context, ExitStack() as stack:
        for _ in range(threads):
            assert stack.enter_context(call_slot(context.engine, Lane.FRESH, cap=25, seconds=60.0))
        for _ in range(threads + 3):
            stack.enter_context(context.engine.connect())


def test_a_success_is_kept_over_a_failover_to_a_server_that_is_read_only_for_a_moment(context, sandbox):
    tries = []

    def spoil(cursor, statement, _parameters):
        if "UPDATE deliveries AS t SET" in statement:
            tries.append(statement)
            cursor.connection.execute(f"SET default_transaction_read_only = {'on' if len(tries) == 1 else 'off'}")

    spy_on(context.engine, before=spoil)
    record(context, 2)
    assert deliver(context.delivery, context.crm, Lane.FRESH).sent == 2
    assert (len(tries), statuses(context)) == (2, {"sent": 2})
    assert sandbox.summary()["api_calls"] == 1
