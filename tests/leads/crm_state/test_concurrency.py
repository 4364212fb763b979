"""Never more calls in flight than the cap, and retries never take what fresh leads need."""

from __future__ import annotations

from contextlib import ExitStack

from leads.crm_state.concurrency import count_calls_in_flight
from leads.outbox.rows import Lane
from tests.support.database import change
from tests.support.slots import call_slot


def take(stack, engine, lane, count, cap=4, *, spare=False, seconds=60.0):
    slot = {"cap": cap, "spare": spare, "seconds": seconds}
    return [stack.enter_context(call_slot(engine, lane, **slot)) for _ in range(count)]


def test_slots_end_and_come_back(engine):
    with ExitStack() as stack:
        assert take(stack, engine, Lane.FRESH, 5) == [True] * 4 + [False]
    with ExitStack() as stack:
        assert take(stack, engine, Lane.FRESH, 2) == [True] * 2


def test_retries_use_half_and_fresh_rows_find_the_other_half_free(engine):
    with ExitStack() as stack:
        assert take(stack, engine, Lane.RETRY, 3) == [True, True, False]
        assert take(stack, engine, Lane.FRESH, 3) == [True, True, False]


def test_retries_on_spare_threads_use_all_slots_but_one_and_the_retries_own_half_last(engine):
    with ExitStack() as stack:
        assert take(stack, engine, Lane.RETRY, 1, spare=True) == [True]
        assert take(stack, engine, Lane.RETRY, 3) == [True, True, False]
        assert take(stack, engine, Lane.RETRY, 1, spare=True) == [False]
        assert take(stack, engine, Lane.FRESH, 2) == [True, False]


def test_the_only_slot_is_for_every_lane(engine):
    for spare in (False, True):
        with ExitStack() as stack:
            assert take(stack, engine, Lane.RETRY, 1, cap=1, spare=spare) == [True]
            assert take(stack, engine, Lane.FRESH, 1, cap=1) == [False]


def test_the_slot_of_a_lost_worker_is_free_when_its_lease_ends(engine):
    with ExitStack() as lost:
        assert take(lost, engine, Lane.FRESH, 1, cap=1, seconds=3600.0) == [True]
        with ExitStack() as stack:
            assert take(stack, engine, Lane.FRESH, 1, cap=1) == [False]
        change(engine, "UPDATE crm_slots SET until_at = now() WHERE until_at > now()")
        with ExitStack() as stack:
            assert take(stack, engine, Lane.FRESH, 1, cap=1) == [True]


def test_a_holder_whose_lease_ended_does_not_free_the_slot_of_the_next_one(engine):
    with ExitStack() as stack:
        with call_slot(engine, Lane.FRESH, cap=1, seconds=0.0) as late:
            assert late
            assert take(stack, engine, Lane.FRESH, 1, cap=1) == [True]
        assert count_calls_in_flight(engine) == 1
        with ExitStack() as third:
            assert take(third, engine, Lane.FRESH, 1, cap=1) == [False]


def test_no_session_is_kept_while_a_slot_is_held(engine):
    """A pooler in transaction mode gives every statement another session."""
    with call_slot(engine, Lane.FRESH, cap=1, seconds=60.0) as free:
        assert free
        assert engine.pool.checkedout() == 0
