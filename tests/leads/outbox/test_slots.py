"""A call slot is a row with a lease: a lost holder loses it, and frees no one else's."""

from __future__ import annotations

import pytest

from leads.outbox.rows import Lane
from leads.outbox.slots import count_calls_in_flight
from tests.support.database import change, rows_of
from tests.support.slots import call_slot

# The server refuses to free a slot, as it cancels a statement that takes too long.
REFUSE = """
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'cancelled' USING ERRCODE = 'query_canceled'; END $$;
CREATE TRIGGER refuse BEFORE UPDATE ON call_slots FOR EACH ROW
WHEN (NEW.until_at = '-infinity') EXECUTE FUNCTION refuse()
"""


def end_leases(engine):
    change(engine, "UPDATE call_slots SET until_at = now() WHERE until_at > now()")


@pytest.mark.parametrize("lane", Lane)
def test_a_slot_is_held_for_its_lease_at_most(engine, lane):
    with call_slot(engine, lane, cap=2, seconds=60.0) as held:
        assert held
        (slot,) = rows_of(
            engine, "SELECT until_at - now() <= interval '60 s' AS ends FROM call_slots WHERE until_at > now()"
        )
        assert slot["ends"]


def test_the_slot_of_a_lost_holder_frees_itself(engine):
    with call_slot(engine), call_slot(engine) as second:
        assert not second
        end_leases(engine)
        with call_slot(engine) as third:
            assert third


def test_a_holder_that_lost_its_slot_frees_no_one_elses(engine):
    with call_slot(engine) as late:
        assert late
        end_leases(engine)
        holder = call_slot(engine)
        assert holder.__enter__()
    with call_slot(engine) as third:
        assert not third
    holder.__exit__(None, None, None)
    assert count_calls_in_flight(engine) == {}


def test_a_slot_is_free_after_the_call_even_when_that_failed(engine):
    with pytest.raises(KeyError), call_slot(engine):
        raise KeyError
    assert count_calls_in_flight(engine) == {}


def test_a_slot_that_cannot_be_freed_costs_the_caller_nothing_and_frees_itself(engine):
    change(engine, REFUSE)
    with call_slot(engine) as held:
        assert held
    assert count_calls_in_flight(engine) == {"zoho": 1}
    end_leases(engine)
    assert count_calls_in_flight(engine) == {}


def test_what_follows_on_the_same_session_is_written_durably(engine):
    with call_slot(engine):
        assert rows_of(engine, "SHOW synchronous_commit") == [{"synchronous_commit": "on"}]
    assert rows_of(engine, "SHOW synchronous_commit") == [{"synchronous_commit": "on"}]
