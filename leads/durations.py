"""Durations and times as operators read them: one clock everywhere, the clinic's."""

from datetime import UTC, datetime

from leads.call_times import CLINIC_ZONE

CITY = CLINIC_ZONE.key.partition("/")[2]


def age(seconds: float | None) -> str:
    """Seconds as text: 42 s, 5 min, 3.5 h, 2.1 days."""
    if seconds is None:
        return "-"
    for limit, unit, size in ((120, "s", 1), (7200, "min", 60), (172_800, "h", 3600)):
        if seconds < limit:
            return f"{round(seconds / size, 1):g} {unit}"
    return f"{round(seconds / 86_400, 1):g} days"


def clock(at: datetime | None) -> str:
    """A time of today as 14:30:05, another with its day; on the clinic's clock."""
    if at is None:
        return "-"
    at = at.astimezone(CLINIC_ZONE)
    return f"{at:%H:%M:%S}" if at.date() == datetime.now(CLINIC_ZONE).date() else f"{at:%d %b %H:%M}"


def clock_and_zone(at: datetime) -> str:
    """The same in a sentence, with whose clock it is."""
    return f"{clock(at)} {CITY}"


def due_at(at: datetime | None) -> str:
    """When a row is tried next: a time, or "due" once that has come: then it waits for a worker."""
    return "due" if at is not None and at <= datetime.now(UTC) else clock(at)
