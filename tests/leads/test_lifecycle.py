"""The table of the lifecycle, row by row: what each outcome means for a row that is being sent."""

import pytest

from leads.lifecycle import (
    LOST_CALL_SECONDS,
    WAITS,
    Reason,
    Refused,
    Retry,
    Sent,
    Settled,
    Skipped,
    State,
    Status,
    Unavailable,
    back_off,
    settle,
)

HOUR = 3600.0
OLD = 72 * HOUR
RETRY, REFUSED, SENT = Retry(code="HTTP_500"), Refused(code="NO", detail="Branch"), Sent(record_id="7")
NOW = Unavailable(code="SPENT", reason=Reason.CREDITS, wait=900.0)
WORDS = "NO: Branch"


@pytest.mark.parametrize(
    ("state", "outcome", "settled"),
    [
        (State(3, 1), SENT, Settled(Status.SENT, 3, 1)),
        (State(is_refused=True), SENT, Settled(Status.SENT, 0, 0)),
        (State(), RETRY, Settled(Status.RETRYING, 1, 0, 10.0, "HTTP_500")),
        (State(4, 7), RETRY, Settled(Status.RETRYING, 5, 0, 900.0, "HTTP_500")),
        (State(24, 0, OLD), RETRY, Settled(Status.RETRYING, 25, 0, 14400.0, "HTTP_500")),
        (State(25, 0, OLD - 1), RETRY, Settled(Status.RETRYING, 26, 0, 14400.0, "HTTP_500")),
        (State(25, 0, OLD), RETRY, Settled(Status.DEAD, 26, 0, None, "HTTP_500 (no tries left after 26)")),
        (State(), REFUSED, Settled(Status.RETRYING, 1, 0, 900.0, WORDS, is_refused=True)),
        (State(1, is_refused=True), REFUSED, Settled(Status.RETRYING, 2, 0, 14400.0, WORDS, is_refused=True)),
        (State(40, 0, OLD - 1), REFUSED, Settled(Status.RETRYING, 41, 0, 900.0, WORDS, is_refused=True)),
        (State(16, 0, OLD), REFUSED, Settled(Status.RETRYING, 17, 0, 900.0, WORDS, is_refused=True)),
        (
            State(17, 0, OLD, is_refused=True),
            REFUSED,
            Settled(Status.DEAD, 18, 0, None, f"{WORDS} (no tries left after 18)", is_refused=True),
        ),
        (State(1, is_refused=True), RETRY, Settled(Status.RETRYING, 2, 0, 30.0, "HTTP_500", is_refused=True)),
        (State(0, 2, 9 * OLD), NOW, Settled(Status.PENDING, 0, 2, 0.0)),
        (State(30, 0, 9 * OLD, is_refused=True), NOW, Settled(Status.RETRYING, 30, 0, 0.0, is_refused=True)),
        (State(), Skipped(code="LIMIT"), Settled(Status.SKIPPED, 0, 0, error="LIMIT")),
    ],
)
def test_an_outcome_means_for_its_row_what_the_table_says(state, outcome, settled):
    assert settle(state, outcome, 0.0) == settled


@pytest.mark.parametrize(
    ("state", "settled"),
    [
        (State(is_added_to=True), Settled(Status.SENT, 0, 0)),
        (State(is_added_to=True, is_changed=True), Settled(Status.PENDING, 0, 0, 0.0)),
        (State(2, 1, was_tried=True, is_added_to=True), Settled(Status.PENDING, 0, 0, LOST_CALL_SECONDS)),
        (
            State(was_tried=True, is_added_to=True, is_changed=True),
            Settled(Status.PENDING, 0, 0, LOST_CALL_SECONDS),
        ),
    ],
)
def test_what_a_visitor_adds_is_sent_until_nothing_older_can_follow(state, settled):
    assert settle(state, SENT, 0.0) == settled


@pytest.mark.parametrize("jitter", [-1.0, 0.0, 1.0])
@pytest.mark.parametrize("count", [1, 5, 9, 10_000])
def test_waits_grow_to_four_hours_and_are_spread_by_a_fifth(count, jitter):
    wait = WAITS[min(count, len(WAITS)) - 1]
    assert back_off(count, jitter) == pytest.approx(wait * (1 + 0.2 * jitter))


def test_a_retry_waits_at_least_as_long_as_was_asked_for():
    assert settle(State(), Retry(code="X", wait=77.0), 1.0).wait == 77.0
