"""A batch of fresh rows is claimed and made ready while other calls are under way, and waits for its slot."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from dev.servers.waiting import wait_until
from leads.outbox.gate import Reason, shut_gate
from leads.outbox.permit import CallLimits, hold_permit
from leads.outbox.rows import Lane
from leads.outbox.slots import count_calls_in_flight
from tests.support.database import rows_of, spy_on
from tests.support.pipeline import record, statuses
from worker.delivery.deliver import deliver

SECONDS = 20.0


@pytest.fixture
def destination(delivery):
    """The CRM, with one call at once."""
    return replace(delivery.crm, limits=CallLimits(1, 60.0))


def is_claimed(delivery):
    return statuses(delivery) == {"sending": 1}


def test_a_batch_waits_for_the_end_of_a_call(crm, delivery, destination):
    record(delivery)
    with ThreadPoolExecutor(1) as pool:
        with hold_permit(delivery.engine, destination.limits):
            waiting = pool.submit(deliver, delivery.delivery, destination, Lane.FRESH)
            assert wait_until(lambda: is_claimed(delivery), SECONDS)
            assert crm.calls == []
        assert waiting.result(SECONDS).sent == 1


def test_a_batch_that_waits_is_given_back_when_the_process_is_to_stop(crm, delivery, destination):
    record(delivery)
    with ThreadPoolExecutor(1) as pool, hold_permit(delivery.engine, destination.limits):
        waiting = pool.submit(deliver, delivery.delivery, destination, Lane.FRESH)
        assert wait_until(lambda: is_claimed(delivery), SECONDS)
        delivery.delivery.stopping.set()
        assert wait_until(waiting.done, SECONDS)
    assert waiting.result().deferred == 1
    assert crm.calls == []
    assert rows_of(delivery.engine, "SELECT zoho_status, retry_count, lost_leases FROM crm_deliveries") == [
        {"zoho_status": "pending", "retry_count": 0, "lost_leases": 0}
    ]


def test_a_gate_that_shuts_after_the_claim_stops_the_call(crm, delivery):
    (lead,) = record(delivery)

    def shut(_cursor, statement, _parameters):
        if "SET began = true" in statement:
            shut_gate(delivery.engine, Reason.PAUSED, "moving house", by="ann")

    spy_on(delivery.engine, after=shut)
    assert deliver(delivery.delivery, delivery.crm, Lane.FRESH).deferred == 1
    assert crm.calls == []
    assert statuses(delivery) == {"pending": 1}
    said = "SELECT detail FROM attempts WHERE row_id = :id AND code = 'NOT_TRIED'"
    assert rows_of(delivery.engine, said, id=lead) == [{"detail": "the gate is shut (paused)"}]


def test_the_slot_is_free_for_the_next_call_while_results_are_marked(crm, delivery):
    record(delivery)
    in_flight = []

    def look(_cursor, statement, _parameters):
        if "UPDATE deliveries AS t SET" in statement:
            in_flight.append(count_calls_in_flight(delivery.engine))

    spy_on(delivery.engine, before=look)
    assert deliver(delivery.delivery, delivery.crm, Lane.FRESH).sent == 1
    assert in_flight == [{}]
