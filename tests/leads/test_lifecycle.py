"""The table of the lead's life, row by row, and what must hold for any row whatever happens to it."""

from __future__ import annotations

import pytest

from leads.lifecycle import (
    OLDEST_RETRY,
    WAITS,
    Deferred,
    Delivered,
    Rejected,
    Retryable,
    Status,
    Sync,
    back_off,
    lose_lease,
    settle,
)
from tests.support.properties import given, st

DAY = 86_400.0
jitters = st.floats(-1, 1)
syncs = st.builds(Sync, st.integers(0, 60), st.integers(0, 3), st.floats(0, 10 * DAY))
codes = st.text("ABC_", min_size=1, max_size=8)
outcomes = st.one_of(
    st.builds(Delivered, st.text("0123456789", min_size=17, max_size=19)),
    st.builds(Retryable, codes, st.just(""), st.floats(0, 10_000)),
    st.builds(Deferred, codes, st.just(""), st.floats(0, 1000)),
    st.builds(Rejected, codes),
)

TABLE = [
    (Sync(), Delivered("1"), Status.SENT, 0),
    (Sync(3), Delivered("1"), Status.SENT, 3),
    (Sync(), Retryable("RECORD_LOCKED"), Status.RETRYING, 1),
    (Sync(3), Retryable("RECORD_LOCKED"), Status.RETRYING, 4),
    (Sync(25, age=OLDEST_RETRY), Retryable("RECORD_LOCKED"), Status.DEAD, 26),
    (Sync(), Deferred("TOO_MANY_REQUESTS"), Status.PENDING, 0),
    (Sync(3), Deferred("TOO_MANY_REQUESTS"), Status.RETRYING, 3),
    (Sync(), Rejected("INVALID_DATA", field="Email"), Status.DEAD, 1),
]


@pytest.mark.parametrize(("sync", "outcome", "status", "count"), TABLE)
def test_each_row_of_the_table_holds(sync, outcome, status, count):
    settled = settle(sync, outcome, 0.0)
    assert (settled.status, settled.retry_count) == (status, count)


def test_a_lost_lease_is_retried_then_final_the_third_time():
    first = lose_lease(Sync(lost_leases=0), 0.0)
    assert (first.status, first.wait) == (Status.RETRYING, 0.0)  # the lease was the wait
    second = lose_lease(Sync(lost_leases=1, retry_count=1), 0.0)
    assert (second.status, second.wait) == (Status.RETRYING, 30.0)
    third = lose_lease(Sync(lost_leases=2), 0.0)
    assert third.status is Status.DEAD
    assert "worker lost three times" in third.error


def test_a_row_is_tried_about_26_times_in_72_hours():
    age, sync, waits = 0.0, Sync(), []
    while (settled := settle(sync, Retryable("X"), 0.0)).status is Status.RETRYING:
        waits.append(settled.wait)
        age += settled.wait
        sync = Sync(settled.retry_count, 0, age)
    assert tuple(waits[: len(WAITS)]) == WAITS
    assert set(waits[len(WAITS) :]) == {WAITS[-1]}
    assert 24 <= settled.retry_count <= 28
    assert age >= OLDEST_RETRY


@given(st.integers(1, 100), jitters)
def test_a_wait_is_spread_by_a_fifth_and_never_under_half_its_base(count, jitter):
    base = WAITS[min(count, len(WAITS)) - 1]
    assert base * 0.8 - 1e-6 <= back_off(count, jitter) <= base * 1.2 + 1e-6


@given(syncs, outcomes, jitters)
def test_every_outcome_leads_to_a_state_of_the_table(sync, outcome, jitter):
    settled = settle(sync, outcome, jitter)
    assert settled.status in {Status.PENDING, Status.RETRYING, Status.SENT, Status.DEAD}
    assert (settled.wait is None) == (settled.status in {Status.SENT, Status.DEAD})
    assert (settled.error is not None) == (settled.status is Status.DEAD or isinstance(outcome, Retryable))


@given(syncs, st.builds(Deferred, codes, st.just(""), st.floats(0, 1000)), jitters)
def test_a_deferral_costs_nothing(sync, outcome, jitter):
    settled = settle(sync, outcome, jitter)
    assert settled.retry_count == sync.retry_count
    assert settled.status is sync.waiting_status
    assert not settled.tried


@given(syncs, st.builds(Retryable, codes, st.just(""), st.floats(0, 1e5)), jitters)
def test_the_crm_is_never_asked_again_before_it_said(sync, outcome, jitter):
    settled = settle(sync, outcome, jitter)
    if settled.status is Status.RETRYING:
        assert settled.wait >= outcome.not_before
        assert settled.retry_count == sync.retry_count + 1
        assert settled.tried


@given(syncs, jitters)
def test_only_a_rejection_or_age_or_lost_leases_can_kill_a_row(sync, jitter):
    assert settle(sync, Deferred("X"), jitter).status is not Status.DEAD
    assert (settle(sync, Retryable("X"), jitter).status is Status.DEAD) == (sync.age >= OLDEST_RETRY)
    assert (lose_lease(sync, jitter).status is Status.DEAD) == (sync.lost_leases >= 2)
