"""Never more calls in flight than the cap, and retries never take what fresh leads need."""

from __future__ import annotations

from contextlib import ExitStack

from leads.crm_state.concurrency import acquire_call_slot
from leads.outbox.rows import Lane
from tests.support.database import change, rows_of


def take(stack, engine, lane, count, cap=4, *, spare=False):
    return [stack.enter_context(acquire_call_slot(engine, lane, cap=cap, spare=spare)) for _ in range(count)]


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


def test_a_worker_whose_session_died_gives_its_slot_back(engine):
    with acquire_call_slot(engine, Lane.FRESH, cap=1) as free:
        assert free
        change(engine, "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted")
    with acquire_call_slot(engine, Lane.FRESH, cap=1) as free:
        assert free
    assert rows_of(engine, "SELECT count(*) AS n FROM pg_locks WHERE locktype = 'advisory'") == [{"n": 0}]
