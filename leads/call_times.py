"""When the clinic calls: its opening hours, and the time that a visitor is promised, in words. Pure: no clock.

Every place that speaks of the call speaks from here: the form, the thank-you page, the mail, the CRM and staff.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import islice
from typing import Any, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

CLINIC_ZONE = ZoneInfo("Europe/Istanbul")
PROMISED = timedelta(hours=24)
# The least that must be left of a day for a call, and the grid of all times.
LEAST = timedelta(hours=1)
QUARTER = timedelta(minutes=15)
DAYS_AHEAD = 60
# Said where no opening hours are known.
WITHIN_A_DAY = "Our experts will call you within 24 hours"
WEEK = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
SLOT = timedelta(hours=5)
MAX_SLOTS = 6
EN_DASH = "\N{EN DASH}"
# Nobody wants to be called at night.
MORNING, NIGHT = time(7), time(22)


@dataclass(frozen=True, slots=True)
class CallTime:
    """Between two aware times."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Hours:
    """When somebody answers, on the clinic's clock: weekdays from 0 for Monday; not on the dates `closed`."""

    days: frozenset[int]
    opens: time
    closes: time
    closed: frozenset[date] = frozenset()

    @classmethod
    def read(cls, hours: Mapping[str, Any]) -> Self:
        """Return the hours of the site's content (`hours` in frontend/content/clinic.yaml)."""
        return cls(
            frozenset(WEEK.index(day) for day in hours["days"]),
            time.fromisoformat(hours["opens"]),
            time.fromisoformat(hours["closes"]),
            frozenset(date.fromisoformat(day) for day in hours["closed"]),
        )

    def spans(self, since: datetime) -> Iterator[CallTime]:
        """Yield the times in which somebody answers, as far as they are after `since`, from its next quarter on."""
        begin = _quarter(since + QUARTER - timedelta.resolution)
        first = begin.astimezone(CLINIC_ZONE).date()
        for day in (first + timedelta(number) for number in range(DAYS_AHEAD)):
            opens, closes = (datetime.combine(day, clock, CLINIC_ZONE) for clock in (self.opens, self.closes))
            if day.weekday() in self.days and day not in self.closed and closes > begin:
                yield CallTime(max(begin, opens), closes)

    def first_call(self, since: datetime) -> CallTime | None:
        """Return when whoever enquires then is called: within 24 hours, unless the clinic is closed for longer.

        None where no day of the next two months is open.
        """
        span = next((span for span in self.spans(since) if span.end - span.start >= LEAST), None)
        if span is None:
            return None
        limit = _quarter(since + PROMISED)
        return CallTime(span.start, min(span.end, limit)) if limit - span.start >= LEAST else span

    def slots(self, since: datetime, timezone: str | None) -> list[CallTime]:
        """Return the next times to choose from, of about half a day each, none at night where the visitor is."""
        zone = zone_of(timezone) or CLINIC_ZONE
        pieces = (piece for span in self.spans(since) for piece in self._pieces(span))
        return list(islice((part for piece in pieces for part in _by_day(piece, zone)), MAX_SLOTS))

    def _pieces(self, span: CallTime) -> Iterator[CallTime]:
        """Yield the parts of a day's hours that a span has, the last one with what is left of the day."""
        start = datetime.combine(span.end.date(), self.opens, CLINIC_ZONE)
        while start < span.end:
            end = start + SLOT if span.end - start >= 2 * SLOT else span.end
            yield CallTime(max(start, span.start), end)
            start = end


def call_of(row: Mapping[str, Any]) -> CallTime | None:
    """Return when a lead is called, from its columns; None: not known."""
    start, end = row.get("call_from"), row.get("call_until")
    return None if start is None or end is None else CallTime(start, end)


def is_within_a_day(call: CallTime, since: datetime) -> bool:
    """Return whether a call is over before 24 hours have passed."""
    return call.end <= since + PROMISED


def promise(  # noqa: PLR0913 - keywords, what the sentences need
    call: CallTime | None,
    *,
    accepted_at: datetime,
    now: datetime,
    timezone: str | None,
    phone: str,
    is_chosen: bool = False,
) -> str:
    """Return what a visitor is told of the call, in whole sentences.

    call: None where nobody knows. accepted_at: when the enquiry came. timezone: the visitor's (IANA); without one
    that exists, the clinic's clock is named. phone: the number that calls. is_chosen: by the visitor.
    """
    if call is None or call.end <= now:
        return f"{WITHIN_A_DAY}." if call is None else "Our experts will call you as soon as they can."
    when = f"{_when(call, now, timezone)}, from {phone}."
    if is_chosen:
        return f"Our experts will call you as you asked: {when}"
    if is_within_a_day(call, accepted_at):
        return f"{WITHIN_A_DAY}: {when}"
    opens = call.start.astimezone(CLINIC_ZONE)
    return f"The clinic is closed until {_day(opens)}. Our experts will call you {when}"


def for_staff(call: CallTime, timezone: str | None) -> str:
    """Return a call's time on the clinic's clock, and where the visitor is."""
    here = f"{call.start.astimezone(CLINIC_ZONE):%a %-d %b}, {_clock(call, CLINIC_ZONE)} Istanbul"
    zone = zone_of(timezone)
    return here if zone is None else f"{here} ({_clock(call, zone)} there)"


def zone_of(timezone: str | None) -> ZoneInfo | None:
    """Return a browser's time zone; None where it named none that exists."""
    try:
        return ZoneInfo(timezone or "")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _when(call: CallTime, now: datetime, timezone: str | None) -> str:
    zone, whose = zone_of(timezone) or CLINIC_ZONE, clock_words(timezone)
    start, end, today = (moment.astimezone(zone) for moment in (call.start, call.end, now))
    begins = _relative(start, today)
    if _is_one_day(start, end):
        return f"{begins} between {start:%H:%M} and {end:%H:%M} {whose}"
    return f"between {start:%H:%M} {begins} and {end:%H:%M} {_relative(end, today)}, {whose}"


def _clock(call: CallTime, zone: ZoneInfo, to: str = " to ") -> str:
    start, end = call.start.astimezone(zone), call.end.astimezone(zone)
    if _is_one_day(start, end):
        return f"{start:%H:%M}{to}{end:%H:%M}"
    return f"{start:%a %H:%M}{to}{end:%a %H:%M}"


def _by_day(call: CallTime, zone: ZoneInfo) -> Iterator[CallTime]:
    """Yield the parts of a time that are by day there, and long enough for a call."""
    first = call.start.astimezone(zone).date()
    for day in (first, first + timedelta(days=1)):
        morning, night = (datetime.combine(day, hour, zone) for hour in (MORNING, NIGHT))
        part = CallTime(max(call.start, morning), min(call.end, night))
        if part.end - part.start >= LEAST:
            yield part


def slot_words(call: CallTime, now: datetime, timezone: str | None) -> tuple[str, str]:
    """Return the day and the time of a slot, as a visitor chooses it."""
    zone = zone_of(timezone) or CLINIC_ZONE
    start, today = call.start.astimezone(zone), now.astimezone(zone)
    days = (start.date() - today.date()).days
    return ("Today", "Tomorrow")[days] if days in (0, 1) else f"{start:%A %-d %b}", _clock(call, zone, EN_DASH)


def clock_words(timezone: str | None) -> str:
    """Return whose clock times are on."""
    return "your time" if zone_of(timezone) else "Istanbul time"


def _is_one_day(start: datetime, end: datetime) -> bool:
    """Whether both are of one day; midnight is its end."""
    return (end - timedelta.resolution).date() == start.date()


def _relative(moment: datetime, now: datetime) -> str:
    """Return a day with its name, because "tomorrow" may be read later."""
    days = (moment.date() - now.date()).days
    near = {0: "today", 1: "tomorrow"}.get(days)
    return f"{near} ({_day(moment)})" if near else f"on {_day(moment)}"


def _day(moment: datetime) -> str:
    return f"{moment:%A %-d %B}"


def _quarter(moment: datetime) -> datetime:
    """Return the quarter of an hour that has begun."""
    return moment.replace(minute=moment.minute // 15 * 15, second=0, microsecond=0)
