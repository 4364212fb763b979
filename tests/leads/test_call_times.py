"""When the clinic calls, over weekends, holidays, nights, changes of the clock and the other end of the world."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from leads.call_times import (
    CLINIC_ZONE,
    LEAST,
    MORNING,
    NIGHT,
    PROMISED,
    CallTime,
    Hours,
    for_staff,
    is_within_a_day,
    promise,
)
from tests.support.properties import given, st

WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
HOURS = Hours.read({"days": WEEKDAYS, "opens": "09:00", "closes": "19:00", "closed": ["2027-01-01", "2027-01-02"]})
PHONE = "+90 212 000 00 00"


def at(text: str) -> datetime:
    """A moment on the clinic's clock."""
    return datetime.fromisoformat(text).replace(tzinfo=CLINIC_ZONE)


@pytest.mark.parametrize(
    ("enquiry", "start", "end"),
    [
        ("2026-11-24T03:48", "2026-11-24T09:00", "2026-11-24T19:00"),  # a Tuesday, before opening
        ("2026-11-24T10:07", "2026-11-24T10:15", "2026-11-24T19:00"),
        ("2026-11-24T18:00", "2026-11-24T18:00", "2026-11-24T19:00"),
        ("2026-11-24T18:01", "2026-11-25T09:00", "2026-11-25T18:00"),  # too late; 24 hours end at six
        ("2026-11-24T22:30", "2026-11-25T09:00", "2026-11-25T19:00"),
        ("2026-11-28T17:30", "2026-11-28T17:30", "2026-11-28T19:00"),  # a Saturday
        ("2026-11-28T20:00", "2026-11-30T09:00", "2026-11-30T19:00"),  # closed for longer than a day
        ("2026-11-29T09:10", "2026-11-30T09:00", "2026-11-30T19:00"),  # ten minutes within 24 hours are none
        ("2026-11-29T09:40", "2026-11-30T09:00", "2026-11-30T19:00"),  # nor is half an hour
        ("2026-11-29T10:00", "2026-11-30T09:00", "2026-11-30T10:00"),
        ("2026-12-31T18:30", "2027-01-04T09:00", "2027-01-04T19:00"),  # two holidays and a Sunday
    ],
)
def test_the_first_call_is_in_the_next_hours_that_are_open(enquiry, start, end):
    assert HOURS.first_call(at(enquiry)) == CallTime(at(start), at(end))


@given(st.datetimes(min_value=datetime(2026, 11, 1), max_value=datetime(2027, 6, 1)))  # noqa: DTZ001 - made aware
def test_a_call_is_promised_within_24_hours_or_not_at_all_within_them(moment):
    since = moment.replace(tzinfo=UTC)
    call = HOURS.first_call(since)
    assert since <= call.start
    assert call.end - call.start >= LEAST
    # Where more than 24 hours are named, the clinic is closed for nearly all of them.
    assert is_within_a_day(call, since) or call.start > since + PROMISED - LEAST - timedelta(minutes=15)


@given(
    st.datetimes(min_value=datetime(2026, 11, 1), max_value=datetime(2027, 6, 1)),  # noqa: DTZ001 - made aware
    st.sampled_from(["Europe/London", "Australia/Sydney", "America/Los_Angeles", "Asia/Tokyo"]),
)
def test_nobody_is_offered_a_call_at_night_or_of_a_few_minutes(moment, timezone):
    since = moment.replace(tzinfo=UTC)
    slots = HOURS.slots(since, timezone)
    assert slots
    for slot in slots:
        start, end = (each.astimezone(ZoneInfo(timezone)) for each in (slot.start, slot.end))
        assert start.date() == end.date()
        assert MORNING <= start.time() < end.time() <= NIGHT
        assert since <= slot.start <= slot.end - LEAST


def test_a_clinic_that_never_opens_promises_no_time():
    assert Hours(frozenset(), HOURS.opens, HOURS.closes).first_call(at("2026-11-24T10:00")) is None


def told(enquiry, timezone, now=None):
    accepted_at = at(enquiry)
    call = HOURS.first_call(accepted_at)
    return promise(call, accepted_at=accepted_at, now=now or accepted_at, timezone=timezone, phone=PHONE)


@pytest.mark.parametrize(
    ("enquiry", "timezone", "words"),
    [
        ("2026-11-24T03:48", "Europe/London", "today (Tuesday 24 November) between 06:00 and 16:00 your time"),
        ("2026-11-24T22:30", "Europe/London", "tomorrow (Wednesday 25 November) between 06:00 and 16:00 your time"),
        # Summer time in London, none in Istanbul.
        ("2026-07-21T03:48", "Europe/London", "today (Tuesday 21 July) between 07:00 and 17:00 your time"),
        ("2026-11-24T03:48", None, "today (Tuesday 24 November) between 09:00 and 19:00 Istanbul time"),
        ("2026-11-24T03:48", "Mars/Olympus", "today (Tuesday 24 November) between 09:00 and 19:00 Istanbul time"),
        (
            "2026-11-24T03:48",
            "Pacific/Auckland",
            "between 19:00 today (Tuesday 24 November) and 05:00 tomorrow (Wednesday 25 November), your time",
        ),
        # Midnight is the end of the day.
        ("2026-11-24T03:48", "Asia/Shanghai", "today (Tuesday 24 November) between 14:00 and 00:00 your time"),
    ],
)
def test_a_visitor_is_told_the_time_of_their_own_clock(enquiry, timezone, words):
    assert told(enquiry, timezone) == f"Our experts will call you within 24 hours: {words}, from {PHONE}."


def test_a_closed_clinic_says_so_instead_of_24_hours():
    assert told("2026-11-28T20:00", "Europe/London") == (
        "The clinic is closed until Monday 30 November. Our experts will call you on Monday 30 November"
        f" between 06:00 and 16:00 your time, from {PHONE}."
    )


def test_an_hour_that_is_over_is_no_promise():
    late = at("2026-11-25T09:00")
    assert told("2026-11-24T10:00", "Europe/London", late) == "Our experts will call you as soon as they can."


def test_without_hours_only_24_hours_are_promised():
    moment = at("2026-11-24T10:00")
    words = promise(None, accepted_at=moment, now=moment, timezone=None, phone=PHONE)
    assert words == "Our experts will call you within 24 hours."


@pytest.mark.parametrize(
    ("timezone", "words"),
    [
        ("Europe/London", "Tue 24 Nov, 09:00 to 19:00 Istanbul (06:00 to 16:00 there)"),
        ("Pacific/Auckland", "Tue 24 Nov, 09:00 to 19:00 Istanbul (Tue 19:00 to Wed 05:00 there)"),
        (None, "Tue 24 Nov, 09:00 to 19:00 Istanbul"),
    ],
)
def test_staff_are_told_the_clinics_time_and_the_visitors(timezone, words):
    assert for_staff(HOURS.first_call(at("2026-11-24T03:48")), timezone) == words
