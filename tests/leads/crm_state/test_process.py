"""One call of a process may ask the others to wait: then nothing but its row explains a death."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from leads.crm_state.permit import CallLimits, NotPermitted, hold_permit
from leads.crm_state.process import ProcessCalls

PATIENCE = 30.0  # seconds; never waited out where the wait is to succeed


def can_join(calls):
    with calls.join() as is_free:
        return is_free


def test_others_are_kept_out_while_a_caller_is_alone_and_no_longer():
    calls = ProcessCalls()
    with calls.join() as is_free:
        assert is_free
        with calls.alone(0.0) as is_alone:
            assert is_alone
            assert not can_join(calls)
            assert not can_join(calls)
        assert can_join(calls)
    assert can_join(calls)


def test_a_caller_with_company_is_not_alone_and_keeps_no_one_out():
    calls = ProcessCalls()
    with calls.join(), calls.join(), calls.alone(0.0) as is_alone:
        assert not is_alone
        assert can_join(calls)


def test_a_caller_waits_for_those_in_flight_and_lets_no_new_one_in():
    calls, joined = ProcessCalls(), Event()

    def call_until_others_are_kept_out():
        with calls.join():
            joined.set()
            while can_join(calls):
                Event().wait(0.001)

    with ThreadPoolExecutor(1) as pool, calls.join():
        other = pool.submit(call_until_others_are_kept_out)
        joined.wait(PATIENCE)
        with calls.alone(PATIENCE) as is_alone:
            assert is_alone
        other.result(PATIENCE)


def test_an_error_in_the_call_lets_the_others_in_again():
    calls = ProcessCalls()
    with pytest.raises(KeyError), calls.join(), calls.alone(0.0):
        raise KeyError
    with calls.join(), calls.alone(0.0) as is_alone:
        assert is_alone


def test_no_permit_is_given_while_a_row_is_sent_alone(engine):
    limits = CallLimits(8, 0, 60.0)
    with hold_permit(engine, limits) as permit, permit.alone(0.0) as is_alone:
        assert is_alone
        with pytest.raises(NotPermitted, match="alone"), hold_permit(engine, limits):
            pass
    with hold_permit(engine, limits):
        pass
