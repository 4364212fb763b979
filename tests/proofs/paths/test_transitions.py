"""The table of transitions agrees with the lifecycle."""

from __future__ import annotations

from itertools import product

import pytest

from leads.lifecycle import (
    MIN_AGE_DEAD,
    Deferred,
    Delivered,
    Rejected,
    Retryable,
    Status,
    Sync,
    lose_lease,
    settle,
)
from proofs.paths.transitions import MIN_TRIES_DEAD, Counts, Row, step


@pytest.mark.parametrize("tries", [0, 1, MIN_TRIES_DEAD - 2, MIN_TRIES_DEAD - 1, MIN_TRIES_DEAD])
@pytest.mark.parametrize(
    ("outcome", "event"),
    [
        (Delivered("1"), "delivered"),
        (Retryable("TIMEOUT"), "retryable"),
        (Rejected("INVALID_DATA"), "rejected"),
        (Deferred("LIMIT"), "deferred"),
    ],
)
def test_an_outcome_leads_where_the_lifecycle_says(tries, outcome, event):
    for age in (0.0, MIN_AGE_DEAD):
        settled = settle(Sync(tries, 0, age), outcome, 0.0)
        given_up = event == "retryable" and settled.status is Status.DEAD
        after = step(Row("sending", Counts(tries)), "exhausted" if given_up else event)
        assert after is not None
        assert (after.status, after.counts.tries) == (settled.status, settled.retry_count)


@pytest.mark.parametrize(("tries", "losses"), list(product((0, 1, 30), (0, 1, 2, 9))))
@pytest.mark.parametrize(("charged", "event"), [(False, "lost_uncharged"), (True, "lost")])
def test_a_lost_lease_leads_where_the_lifecycle_says(tries, losses, charged, event):
    settled = lose_lease(Sync(tries, losses), 0.0, charged=charged)
    after = step(Row("sending", Counts(tries, losses)), event)
    assert after is not None
    assert (after.status, after.counts.tries) == (settled.status, settled.retry_count)
