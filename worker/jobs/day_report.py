"""The report that staff get when the clinic opens: how soon enquiries were answered, and which still are not.

References only. Once a day over all workers; a second try of the same report has the same Message-ID.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import Engine

from leads.call_times import CLINIC_ZONE
from leads.clinic import opening_hours
from leads.lifecycle import Delivered
from leads.outbox.gate import read_gates
from leads.settings import Settings
from leads.speed import WATCHED_DAYS, Reported, read_reported, read_speed
from leads.turns import end_turn, fail_turn, forget_turn, take_turn
from worker.destinations.staff_notice import DAY_AND_TIME
from worker.jobs.staff_news import CHANNELS, News, tell

log = logging.getLogger(__name__)

MAX_NAMED = 50
_A_MOMENT = timedelta(microseconds=1)


def report_day(engine: Engine, settings: Settings) -> None:
    """Send the report in each way that is set up, if the clinic has opened since the last one."""
    hours, gates = opening_hours(settings.frontend_dir), read_gates(engine)
    for channel in CHANNELS:
        if not settings.speed_target_minutes or channel not in settings.lead_destinations:
            forget_turn(engine, _turn(channel))
            continue
        if channel in gates and not gates[channel].is_open:
            continue
        now = datetime.now(UTC)
        due = take_turn(engine, _turn(channel), first=hours.next_opening(now))
        if due is None:
            continue
        since, until = hours.last_opening(due - _A_MOMENT), hours.last_opening(now)
        rows, failure = read_reported(engine, since=since, until=until), read_speed(engine).failure
        news = make_report(rows, settings, since=since, until=until, failure=failure)
        outcome = tell(settings, channel, news)
        if isinstance(outcome, Delivered):
            end_turn(engine, _turn(channel), due=hours.next_opening(now))
            log.info("sent the day's report to %s", channel)
        else:
            fail_turn(engine, _turn(channel), outcome.code)
            log.warning("could not send the day's report to %s (%s)", channel, outcome.code)


def make_report(
    rows: Sequence[Reported], settings: Settings, *, since: datetime, until: datetime, failure: str | None = None
) -> News:
    """Compose the report.

    Args:
        rows: Enquiries of [since, until), and older ones that are still untouched.
        settings: The target.
        since: The beginning.
        until: The end.
        failure: Why the CRM could not be asked lately.
    """
    new = [row for row in rows if row.is_new]
    untouched = [row for row in rows if row.answered_at is None and not row.gone]
    in_time = sum(row.in_time for row in new)
    minutes = settings.speed_target_minutes
    target = "the hour" if minutes == 60 else f"{minutes} minutes"  # noqa: PLR2004 - minutes of an hour
    older = sum(not row.is_new for row in untouched)
    enquiries = f"{len(new)} enquir{'y' if len(new) == 1 else 'ies'}"
    headline = f"{enquiries}, {in_time} answered within {target}, {len(untouched) - older} untouched"
    headline += f", and {older} of the days before" if older else ""
    references = [row.reference for row in untouched[:MAX_NAMED]]
    return News(
        id=f"day-{until:%Y-%m-%d}",
        type="leads.day",
        headline=headline,
        lines=[*_lines(new, untouched, target, since), *_doubt(failure)],
        text=f"{headline}: {', '.join(references)}" if references else headline,
        data={
            "since": since.isoformat(timespec="seconds"),
            "until": until.isoformat(timespec="seconds"),
            "enquiries": len(new),
            "answered": sum(row.answered_at is not None for row in new),
            "answered_in_time": in_time,
            "target_minutes": minutes,
            "untouched": references,
        },
    )


def _lines(new: Sequence[Reported], untouched: Sequence[Reported], target: str, since: datetime) -> Iterator[str]:
    in_time, answered = sum(row.in_time for row in new), sum(row.answered_at is not None for row in new)
    yield f"Enquiries since {_clock(since)} (Istanbul): {len(new)}."
    yield f"Answered within {target}, while the clinic was open: {in_time}. Later: {answered - in_time}."
    yield ""
    if untouched:
        yield f"Nobody has called these yet or changed their status in the CRM, of the last {WATCHED_DAYS} days:"
        for row in untouched[:MAX_NAMED]:
            yield f"{row.reference}, sent {_clock(row.created_at)}"
        if len(untouched) > MAX_NAMED:
            yield f"and {len(untouched) - MAX_NAMED} more"
    else:
        yield "None is untouched."


def _doubt(failure: str | None) -> Iterator[str]:
    if failure:
        yield ""
        yield f"The CRM could not be asked lately ({failure}): some of these may have been answered."


def _clock(at: datetime) -> str:
    return at.astimezone(CLINIC_ZONE).strftime(DAY_AND_TIME)


def _turn(channel: str) -> str:
    return f"day {channel}"
