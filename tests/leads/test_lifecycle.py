"""The table of the lead's life, row by row, and what must hold for any row whatever happens to it."""

from __future__ import annotations

import pytest

from leads.lifecycle import (
    MIN_AGE_DEAD,
    MIN_TRIES_DEAD,
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
syncs = st.builds(Sync, st.integers(0, 60), st.integers(0, 9), st.floats(0, 10 * DAY))
# What is promised, in seconds: written out here, so that a change of the code is one of the promise.
WAITS = (10, 30, 120, 300, 900, 1800, 3600, 7200, 14_400)
WAITS_ALONE = (30, 900, 3600, 14_400)
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
    (Sync(25, age=MIN_AGE_DEAD), Retryable("RECORD_LOCKED"), Status.DEAD, 26),
    (Sync(24, age=10 * MIN_AGE_DEAD), Retryable("RECORD_LOCKED"), Status.RETRYING, 25),
    (Sync(26, 1, age=MIN_AGE_DEAD), Retryable("RECORD_LOCKED"), Status.DEAD, 27),
    (Sync(26, 2, age=MIN_AGE_DEAD), Retryable("RECORD_LOCKED"), Status.RETRYING, 27),
    (Sync(99, age=MIN_AGE_DEAD - 1), Retryable("RECORD_LOCKED"), Status.RETRYING, 100),
    (Sync(), Deferred("TOO_MANY_REQUESTS"), Status.PENDING, 0),
    (Sync(3), Deferred("TOO_MANY_REQUESTS"), Status.RETRYING, 3),
    (Sync(), Rejected("INVALID_DATA", field="Email"), Status.DEAD, 1),
]


@pytest.mark.parametrize(("sync", "outcome", "status", "count"), TABLE)
def test_each_row_of_the_table_holds(sync, outcome, status, count):
    settled = settle(sync, outcome, 0.0)
    assert (settled.status, settled.retry_count) == (status, count)


def test_a_deferral_waits_half_a_minute_unless_it_says_how_long():
    assert [settle(Sync(), Deferred("X", wait=wait), 1.0).wait for wait in (0.0, 7.0)] == [0.0, 7.0]
    assert settle(Sync(), Deferred("X"), 1.0).wait == 30.0


@pytest.mark.parametrize("outcome", [Retryable, Rejected])
def test_an_error_is_the_code_and_what_is_known_of_it(outcome):
    assert settle(Sync(), outcome("X"), 0.0).error == "X"
    assert settle(Sync(), outcome("X", "why"), 0.0).error == "X: why"


def test_a_row_whose_call_began_is_due_at_once_the_first_time_and_then_alone_after_ever_longer_waits():
    losses = [lose_lease(Sync(lost, lost), 0.0, charged=True) for lost in range(7)]
    assert [loss.wait for loss in losses] == [0, *WAITS_ALONE, 14_400, 14_400]
    assert {loss.status for loss in losses} == {Status.RETRYING}


@given(syncs, jitters)
def test_a_loss_costs_nothing_before_the_call_began(sync, jitter):
    lost = lose_lease(sync, jitter, charged=False)
    assert (lost.status, lost.retry_count, lost.wait) == (sync.waiting_status, sync.retry_count, 0.0)


@given(syncs, jitters)
def test_no_number_of_losses_ends_a_row(sync, jitter):
    lost = lose_lease(sync, jitter, charged=True)
    assert (lost.status, lost.retry_count) == (Status.RETRYING, sync.retry_count + 1)


def test_a_row_is_tried_about_26_times_in_72_hours():
    age, sync, waits = 0.0, Sync(), []
    while (settled := settle(sync, Retryable("X"), 0.0)).status is Status.RETRYING:
        waits.append(settled.wait)
        age += settled.wait
        sync = Sync(settled.retry_count, 0, age)
    assert tuple(waits[:9]) == WAITS
    assert set(waits[9:]) == {14_400}
    assert 24 <= settled.retry_count <= 28
    assert age >= MIN_AGE_DEAD


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
def test_only_a_rejection_or_72_hours_of_answered_tries_can_kill_a_row(sync, jitter):
    assert settle(sync, Deferred("X"), jitter).status is not Status.DEAD
    is_final = sync.age >= MIN_AGE_DEAD and sync.retry_count - sync.lost_leases + 1 >= MIN_TRIES_DEAD
    assert (settle(sync, Retryable("X"), jitter).status is Status.DEAD) == is_final
