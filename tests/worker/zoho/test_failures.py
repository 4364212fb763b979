"""Retry-After in every shape, and which limit a 429 speaks of."""

from datetime import UTC, datetime

import pytest

from worker.crm.port import FailureClass
from worker.zoho.failures import MAX_WAIT_SECONDS, limit_met, retry_after

NOW = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0.0),
        ("30", 30.0),
        (" 30 ", 30.0),
        ("Sat, 21 Nov 2026 12:01:30 GMT", 90.0),
        ("99999999999", MAX_WAIT_SECONDS),
        ("Sat, 21 Nov 2099 12:00:00 GMT", MAX_WAIT_SECONDS),
        ("Sat, 21 Nov 2026 11:00:00 GMT", None),
        ("-5", None),
        ("1e9", None),
        ("soon", None),
        ("", None),
        ("Sat, 99 Nov 2026 12:01:30 GMT", None),
        ("٣٠", None),
    ],
)
def test_retry_after_is_read_as(value, seconds):
    assert retry_after({"Retry-After": value}, NOW) == seconds


def test_no_header_is_no_wait():
    assert retry_after({}, NOW) is None


def test_a_date_counts_from_the_crms_own_clock():
    headers = {"Date": "Sat, 21 Nov 2026 13:00:00 GMT", "Retry-After": "Sat, 21 Nov 2026 13:00:10 GMT"}
    assert retry_after(headers, NOW) == 10.0


def test_no_credits_left_means_credits_whatever_the_words():
    assert limit_met({"X-API-CREDITS-REMAINING": "0"}, "slow down") is FailureClass.CREDITS
    assert limit_met({"X-API-CREDITS-REMAINING": "9"}, "slow down") is FailureClass.RATE
