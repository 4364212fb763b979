"""Speed to lead: from the press to the record, to the staff's notice, and to the first answer. SQL only.

What a person did is read back from the CRM (`worker/jobs/speed.py`). The days are those of the clinic's calendar;
enquiries that are held are in none of them until they are released.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Engine, text

from leads.call_times import CLINIC_ZONE, Hours
from leads.destinations import CRM, STAFF_MAIL, STAFF_WEBHOOK
from leads.tables.speed import OPEN
from leads.trial import IS_TEST

LOOK = "speed"  # the name of the workers' turn
WATCHED_DAYS = 7  # for how long an enquiry is looked for in the CRM, and counted as untouched
ENROLLED_AT_ONCE = 1000
MAX_COUNTED = 100_000  # a flood must not hold the tick up; no clinic has so many in a week

_RECENT = f"created_at > now() - interval '{WATCHED_DAYS} days'"
_UNWATCHED = text(f"""
SELECT leads.id, created_at FROM leads JOIN deliveries USING (id)
WHERE destination = '{CRM}' AND status = 'sent' AND {_RECENT} AND NOT {IS_TEST}
    AND NOT EXISTS (SELECT FROM answers WHERE lead_id = leads.id)
ORDER BY created_at LIMIT {ENROLLED_AT_ONCE}
""")  # noqa: S608 - constants of this project
_WATCH = text("""
INSERT INTO answers (lead_id, due_at) SELECT leads.id, given.due_at
FROM unnest(cast(:ids AS uuid[]), cast(:due AS timestamptz[])) AS given(id, due_at) JOIN leads USING (id)
ON CONFLICT (lead_id) DO NOTHING
""")
_WATCHED = text(f"""
SELECT lead_id, created_at, touched_at, record_id
FROM answers JOIN leads ON leads.id = lead_id JOIN deliveries ON deliveries.id = lead_id AND destination = '{CRM}'
WHERE {OPEN} AND {_RECENT} AND status = 'sent' AND record_id IS NOT NULL ORDER BY created_at
""")  # noqa: S608 - constants of this project
_SEEN = text("""
UPDATE answers SET touched_at = :touched_at, answered_at = :answered_at, gone = :gone WHERE lead_id = :lead
""")
_COUNT = text(f"""
WITH each AS (
    SELECT (created_at AT TIME ZONE :zone)::date AS day,
        extract(epoch FROM crm.sent_at - created_at) AS recorded, extract(epoch FROM told.at - created_at) AS told,
        extract(epoch FROM answered_at - created_at) AS answered, answered_at <= due_at AS in_time,
        coalesce(gone, false) AS gone
    FROM (
        SELECT id, created_at FROM leads WHERE NOT {IS_TEST} AND created_at >=
            date_trunc('day', now() AT TIME ZONE :zone) AT TIME ZONE :zone - interval '{WATCHED_DAYS} days'
        LIMIT {MAX_COUNTED}
    ) AS lead JOIN deliveries AS crm ON crm.id = lead.id AND crm.destination = '{CRM}' AND crm.status <> 'held'
        LEFT JOIN LATERAL (
            SELECT min(sent_at) AS at FROM deliveries
            WHERE deliveries.id = lead.id AND destination IN ('{STAFF_MAIL}', '{STAFF_WEBHOOK}')
        ) AS told ON true
        LEFT JOIN answers ON lead_id = lead.id
)
INSERT INTO speed_days
SELECT day, count(*),
    percentile_cont(0.5) WITHIN GROUP (ORDER BY recorded), percentile_cont(0.95) WITHIN GROUP (ORDER BY recorded),
    percentile_cont(0.5) WITHIN GROUP (ORDER BY told), percentile_cont(0.95) WITHIN GROUP (ORDER BY told),
    count(answered), percentile_cont(0.5) WITHIN GROUP (ORDER BY answered), count(*) FILTER (WHERE in_time),
    count(*) FILTER (WHERE gone)
FROM each GROUP BY day
ON CONFLICT (day) DO UPDATE SET enquiries = excluded.enquiries, recorded_half = excluded.recorded_half,
    recorded_most = excluded.recorded_most, told_half = excluded.told_half, told_most = excluded.told_most,
    answered = excluded.answered, answered_half = excluded.answered_half, in_time = excluded.in_time,
    gone = excluded.gone
""")  # noqa: S608 - constants of this project
_DAYS = text(f"SELECT * FROM speed_days ORDER BY day DESC LIMIT {WATCHED_DAYS}")  # noqa: S608 - constants
# What became due since the last look may have been answered: that is not known yet.
_UNTOUCHED = text(f"""
SELECT count(*) FROM answers JOIN leads ON leads.id = lead_id, turns
WHERE {OPEN} AND {_RECENT} AND turns.name = '{LOOK}' AND answers.due_at < turns.done_at
""")  # noqa: S608 - constants of this project
_NOTE = text(f"SELECT note FROM turns WHERE name = '{LOOK}'")  # noqa: S608 - constants of this project
_REPORT = text(f"""
SELECT reference, created_at, answered_at, coalesce(answered_at <= due_at, false) AS in_time,
    coalesce(gone, false) AS gone, created_at >= :since AS is_new
FROM leads JOIN deliveries ON deliveries.id = leads.id AND destination = '{CRM}' AND status <> 'held'
    LEFT JOIN answers ON lead_id = leads.id
WHERE created_at < :until AND NOT {IS_TEST} AND (created_at >= :since OR ({_RECENT} AND {OPEN}))
ORDER BY created_at
""")  # noqa: S608 - constants of this project


@dataclass(frozen=True, slots=True)
class Watched:
    """An enquiry that nobody has answered yet, as far as is known, and its record; `touched_at`: see the table."""

    lead_id: UUID
    created_at: datetime
    touched_at: datetime | None
    record_id: str


@dataclass(frozen=True, slots=True)
class SpeedDay:
    """The figures of a day; see the table."""

    day: date
    enquiries: int
    recorded_half: float | None
    recorded_most: float | None
    told_half: float | None
    told_most: float | None
    answered: int
    answered_half: float | None
    in_time: int
    gone: int

    @property
    def untouched(self) -> int:
        """How many nobody has answered, be it time or not."""
        return self.enquiries - self.answered - self.gone


@dataclass(frozen=True, slots=True)
class Speed:
    """The last days, the newest first; how many enquiries are untouched beyond the target; why the look failed."""

    days: list[SpeedDay]
    untouched: int
    failure: str | None

    @property
    def today(self) -> SpeedDay:
        """The clinic's day of now."""
        today = datetime.now(CLINIC_ZONE).date()
        return next((day for day in self.days if day.day == today), _nothing(today))


@dataclass(frozen=True, slots=True)
class Reported:
    """An enquiry in the daily report. `is_new`: since the report before."""

    reference: str
    created_at: datetime
    answered_at: datetime | None
    in_time: bool
    gone: bool
    is_new: bool


def _nothing(day: date) -> SpeedDay:
    return SpeedDay(day, 0, None, None, None, None, 0, None, 0, 0)


def watch_new(engine: Engine, hours: Hours, minutes: float) -> None:
    """Begin to watch what has reached the CRM."""
    with engine.connect() as connection:
        rows = connection.execute(_UNWATCHED).all()
        if rows:
            due = [hours.deadline(row.created_at, minutes) for row in rows]
            connection.execute(_WATCH, {"ids": [row.id for row in rows], "due": due})


def read_watched(engine: Engine) -> list[Watched]:
    """Return the enquiries of the last days that nobody has answered, as far as is known, the oldest first."""
    with engine.connect() as connection:
        return [Watched(*row) for row in connection.execute(_WATCHED)]


def note_seen(
    engine: Engine,
    watched: Watched,
    *,
    touched_at: datetime | None,
    answered_at: datetime | None,
    gone: bool = False,
) -> None:
    """Note what the CRM shows of an enquiry's record."""
    seen: dict[str, Any] = {"touched_at": touched_at, "answered_at": answered_at, "gone": gone}
    with engine.connect() as connection:
        connection.execute(_SEEN, {**seen, "lead": watched.lead_id})


def count_days(engine: Engine) -> None:
    """Count the figures of the last days anew."""
    with engine.connect() as connection:
        connection.execute(_COUNT, {"zone": CLINIC_ZONE.key})


def read_speed(engine: Engine) -> Speed:
    """Return the figures as they were last counted."""
    with engine.connect() as connection:
        days = [SpeedDay(**row) for row in connection.execute(_DAYS).mappings()]
        untouched = int(connection.execute(_UNTOUCHED).scalar_one())
        return Speed(days, untouched, connection.execute(_NOTE).scalar())


def read_reported(engine: Engine, *, since: datetime, until: datetime) -> Sequence[Reported]:
    """Return the enquiries stored in [since, until), and older ones that are still untouched, the oldest first."""
    with engine.connect() as connection:
        return [Reported(*row) for row in connection.execute(_REPORT, {"since": since, "until": until})]
