"""A row is given up for its age and its tries together: waiting behind a shut gate makes no tries."""

from __future__ import annotations

import pytest

from leads.lifecycle import MIN_AGE_DEAD, MIN_TRIES_DEAD, Retryable, Status, Sync, settle


@pytest.mark.parametrize(
    ("tries", "age", "status"),
    [
        (0, 10 * MIN_AGE_DEAD, Status.RETRYING),
        (MIN_TRIES_DEAD - 2, MIN_AGE_DEAD, Status.RETRYING),
        (MIN_TRIES_DEAD - 1, MIN_AGE_DEAD, Status.DEAD),
        (MIN_TRIES_DEAD - 1, MIN_AGE_DEAD - 1, Status.RETRYING),
        (10 * MIN_TRIES_DEAD, 0.0, Status.RETRYING),
    ],
)
def test_neither_age_nor_tries_alone_bury_a_row(tries, age, status):
    assert settle(Sync(tries, age=age), Retryable("X"), 0.0).status is status


def test_a_lost_lease_uses_up_no_try():
    lost = Sync(MIN_TRIES_DEAD + 4, lost_leases=6, age=2 * MIN_AGE_DEAD)
    assert settle(lost, Retryable("X"), 0.0).status is Status.RETRYING
