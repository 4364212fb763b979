"""A call slot is a row with a lease: a lost holder loses it, and frees no one else's."""

from __future__ import annotations

import pytest

from leads.crm_state.concurrency import acquire_call_slot, count_calls_in_flight
from leads.outbox.rows import Lane
from tests.support.database import change, rows_of

# The server refuses to free a slot, as it cancels a statement that takes too long.
REFUSE = """
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'cancelled' USING ERRCODE = 'query_canceled'; END $$;
CREATE TRIGGER refuse BEFORE UPDATE ON crm_slots FOR EACH ROW
WHEN (NEW.until_at = '-infinity') EXECUTE FUNCTION refuse()
"""


def take(engine, lane=Lane.FRESH, *, cap=1, seconds=60.0, spare=False):
    return acquire_call_slot(engine, lane, cap=cap, seconds=seconds, spare=spare)


def end_leases(engine):
    change(engine, "UPDATE crm_slots SET until_at = now() WHERE until_at > now()")


@pytest.mark.parametrize("lane", Lane)
def test_a_slot_is_held_for_its_lease_at_most(engine, lane):
    with take(engine, lane, cap=2, seconds=60.0) as held:
        assert held
        (slot,) = rows_of(
            engine, "SELECT until_at - now() <= interval '60 s' AS ends FROM crm_slots WHERE until_at > now()"
        )
        assert slot["ends"]


def test_the_slot_of_a_lost_holder_frees_itself(engine):
    with take(engine), take(engine) as second:
        assert not second
        end_leases(engine)
        with take(engine) as third:
            assert third


def test_a_holder_that_lost_its_slot_frees_no_one_elses(engine):
    with take(engine) as late:
        assert late
        end_leases(engine)
        holder = take(engine)
        assert holder.__enter__()
    with take(engine) as third:
        assert not third
    holder.__exit__(None, None, None)
    assert count_calls_in_flight(engine) == 0


def test_a_slot_is_free_after_the_call_even_when_that_failed(engine):
    with pytest.raises(KeyError), take(engine):
        raise KeyError
    assert count_calls_in_flight(engine) == 0


def test_a_slot_that_cannot_be_freed_costs_the_caller_nothing_and_frees_itself(engine):
    change(engine, REFUSE)
    with take(engine) as held:
        assert held
    assert count_calls_in_flight(engine) == 1
    end_leases(engine)
    assert count_calls_in_flight(engine) == 0


def test_retries_leave_half_of_the_slots_to_fresh_rows(engine):
    with take(engine, Lane.RETRY, cap=4), take(engine, Lane.RETRY, cap=4) as second:
        assert second
        with take(engine, Lane.RETRY, cap=4) as third:
            assert not third
        with take(engine, cap=4), take(engine, cap=4) as fourth:
            assert fourth


def test_retries_on_spare_threads_leave_the_last_slot_to_fresh_rows(engine):
    with take(engine, Lane.RETRY, cap=2, spare=True) as first:
        assert first
        with take(engine, Lane.RETRY, cap=2, spare=True) as second:
            assert not second
        with take(engine, cap=2) as fresh:
            assert fresh
