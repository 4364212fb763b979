"""The clinic's opening hours: when it opens, and how long a person has had to answer."""

from __future__ import annotations

from datetime import datetime, time

import pytest

from leads.call_times import CLINIC_ZONE, Hours

HOURS = Hours(frozenset(range(6)), time(9), time(19))


def at(day, clock):
    """A time of November 2026; the 23rd is a Monday."""
    hour, minute = map(int, clock.split(":"))
    return datetime(2026, 11, day, hour, minute, tzinfo=CLINIC_ZONE)


@pytest.mark.parametrize(
    ("pressed", "due"),
    [
        (at(23, "10:00"), at(23, "11:00")),
        (at(23, "18:00"), at(23, "19:00")),
        (at(23, "18:40"), at(24, "09:40")),
        (at(23, "02:00"), at(23, "10:00")),
        (at(23, "19:00"), at(24, "10:00")),
        (at(28, "20:00"), at(30, "10:00")),
        (at(28, "18:59"), at(30, "09:59")),
    ],
)
def test_only_the_time_in_which_the_clinic_is_open_counts(pressed, due):
    assert HOURS.deadline(pressed, 60) == due


def test_a_target_of_days_runs_over_several_of_them():
    assert HOURS.deadline(at(23, "18:00"), 60 * 12) == at(25, "10:00")


@pytest.mark.parametrize(
    ("now", "last", "then"),
    [
        (at(23, "09:00"), at(23, "09:00"), at(24, "09:00")),
        (at(23, "08:59"), at(21, "09:00"), at(23, "09:00")),
        (at(29, "12:00"), at(28, "09:00"), at(30, "09:00")),
    ],
)
def test_the_last_opening_and_the_next(now, last, then):
    assert (HOURS.last_opening(now), HOURS.next_opening(now)) == (last, then)
