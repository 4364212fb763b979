"""Never more calls in flight than the cap, and retries never take what fresh leads need."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack

from sqlalchemy import text

from leads.outbox.gate import Reason, shut_gate
from leads.outbox.rows import Lane
from leads.outbox.slots import acquire_call_slot, count_calls_in_flight
from leads.outbox.store import record_lead
from tests.support.database import change
from tests.support.samples import LEAD
from tests.support.slots import call_slot


def take(stack, engine, lane, count, cap=4, *, seconds=60.0, destination="zoho"):
    slot = {"cap": cap, "seconds": seconds, "destination": destination}
    return [stack.enter_context(call_slot(engine, lane, **slot)) for _ in range(count)]


def test_slots_end_and_come_back(engine):
    with ExitStack() as stack:
        assert take(stack, engine, Lane.FRESH, 5) == [True] * 4 + [False]
    with ExitStack() as stack:
        assert take(stack, engine, Lane.FRESH, 2) == [True] * 2


def test_retries_use_half_while_a_fresh_row_is_due(engine):
    record_lead(engine, LEAD)
    with ExitStack() as stack:
        assert take(stack, engine, Lane.RETRY, 3) == [True, True, False]
        assert take(stack, engine, Lane.FRESH, 3) == [True, True, False]


def test_retries_use_all_slots_but_one_while_no_fresh_row_is_due(engine):
    record_lead(engine, LEAD)
    change(engine, "UPDATE deliveries SET status = 'retrying'")
    record_lead(engine, LEAD, owed={"visitor": 0.0, "zoho": 3600.0})
    with ExitStack() as stack:
        assert take(stack, engine, Lane.RETRY, 4) == [True, True, True, False]
        assert take(stack, engine, Lane.FRESH, 2) == [True, False]


def test_a_shut_gate_gives_a_slot_to_a_probe_alone(engine):
    shut_gate(engine, Reason.RATE, "429", by="worker")
    for may_probe in (False, True):
        with acquire_call_slot(engine, Lane.FRESH, cap=1, seconds=60.0, may_probe=may_probe) as (gate, is_held):
            assert (gate.reason, is_held) == (Reason.RATE, may_probe)


def test_a_slot_that_another_is_taking_at_this_moment_is_passed_over(engine):
    with ExitStack() as stack, ThreadPoolExecutor(1) as pool, engine.connect() as other:
        other.execution_options(isolation_level="READ COMMITTED").begin()
        other.execute(text("SELECT FROM call_slots WHERE destination = 'zoho' AND number = 2 FOR UPDATE"))
        taking = pool.submit(stack.enter_context, call_slot(engine, cap=2))
        assert wait([taking], 10).done
        assert taking.result()


def test_the_only_slot_is_for_every_lane(engine):
    with ExitStack() as stack:
        assert take(stack, engine, Lane.RETRY, 1, cap=1) == [True]
        assert take(stack, engine, Lane.FRESH, 1, cap=1) == [False]


def test_each_destination_has_slots_of_its_own(engine):
    with ExitStack() as stack:
        assert take(stack, engine, Lane.FRESH, 2, cap=1) == [True, False]
        assert take(stack, engine, Lane.FRESH, 2, cap=1, destination="visitor") == [True, False]
        assert count_calls_in_flight(engine) == {"zoho": 1, "visitor": 1}


def test_no_session_is_kept_while_a_slot_is_held(engine):
    with call_slot(engine, Lane.FRESH, cap=1, seconds=60.0) as free:
        assert free
        assert engine.pool.checkedout() == 0
