"""Statistics: rows by state and since when they wait, the results of attempts. Read-only."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Double, Engine, case, cast, func, select, text

from leads.destinations import CRM, STAFF_MAIL
from leads.lifecycle import WAITING
from leads.outbox.pause import seconds
from leads.outbox.rows import Kind
from leads.outbox.selection import STORED_AT
from leads.tables import attempts, deliveries, leads, whatsapp_clicks

ROW, LINE = deliveries.c, attempts.c
IS_WAITING = ROW.status.in_([status.value for status in WAITING])
# The log's ids are assigned before their rows are committed, so rows younger than this wait for the next read. A
# statement that records attempts takes milliseconds.
SETTLED_SECONDS = 5.0
OF_ADDITIONS = ("UPDATED", "NOTHING_TO_ADD", "GONE")  # codes of what a visitor added later


@dataclass(frozen=True, slots=True)
class Group:
    """The rows of one kind in one status that a destination is owed, or got.

    `waits_since`: when the first of them entered the queue; None: they do not wait.
    """

    kind: Kind
    status: str
    rows: int
    destination: str = CRM
    waits_since: datetime | None = None


class Refusal(NamedTuple):
    """What a destination refuses and tries again: its words, with code and field, and of how many rows."""

    destination: str
    words: str
    rows: int


@dataclass(frozen=True, slots=True)
class Attempts:
    """The attempts recorded since the last read.

    `last` is the newest attempt that was read. `counts`: destination, kind, event, code and how often. `waited`:
    for each delivered row its destination, its kind and the seconds since it was stored.
    """

    last: int
    counts: list[tuple[str, str, str, str, int]]
    waited: list[tuple[str, str, float]]


def read_backlog(engine: Engine) -> list[Group]:
    """Return every group of rows, finished ones too."""
    since = func.min(case((IS_WAITING, ROW.queued_at)))
    key = (ROW.kind, ROW.status, ROW.destination)
    groups = select(ROW.kind, ROW.status, func.count(), ROW.destination, since).group_by(*key)
    with engine.connect() as connection:
        return [Group(Kind(kind), *more) for kind, *more in connection.execute(groups)]


def read_refusals(engine: Engine) -> list[Refusal]:
    """Return what is refused now, that of the most rows first."""
    key, count = (ROW.destination, ROW.last_error), func.count()
    refused = select(*key, count).where(IS_WAITING, ROW.refused_at.is_not(None)).group_by(*key)
    with engine.connect() as connection:
        return [Refusal(*row) for row in connection.execute(refused.order_by(count.desc(), *key))]


def read_last_delivery(engine: Engine) -> datetime | None:
    """Return when the CRM last took something. The log has no index by time, and its newest lines tell."""
    newest = select(LINE.at, LINE.destination, LINE.event).order_by(LINE.id.desc()).limit(20_000).subquery().c
    last = select(func.max(newest.at)).where(newest.destination == CRM, newest.event == "sent")
    with engine.connect() as connection:
        found: datetime | None = connection.execute(last).scalar_one()
    return found


def read_database_size(engine: Engine) -> int:
    """Return the size of the whole database in bytes."""
    with engine.connect() as connection:
        return int(connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one())


def newest_attempt(engine: Engine) -> int:
    """Return the id of the newest attempt: where a reader of new attempts starts."""
    with engine.connect() as connection:
        return int(connection.execute(select(func.coalesce(func.max(LINE.id), 0))).scalar_one())


def read_attempts(engine: Engine, after: int, *, settled_seconds: float = SETTLED_SECONDS) -> Attempts:
    """Return the attempts after `after`, except those of the last few seconds; the next read starts at `last`."""
    is_settled = LINE.at < func.clock_timestamp() - seconds(settled_seconds)
    waited = cast(func.extract("epoch", LINE.at - STORED_AT), Double)
    columns = (LINE.id, LINE.destination, LINE.kind, LINE.event, func.coalesce(LINE.code, "").label("code"))
    rows = attempts.outerjoin(leads, leads.c.id == LINE.row_id)
    rows = rows.outerjoin(whatsapp_clicks, whatsapp_clicks.c.id == LINE.row_id)
    new = select(*columns, is_settled.label("is_settled"), waited.label("waited")).select_from(rows)
    with engine.connect() as connection:
        lines = connection.execute(new.where(LINE.id > after).order_by(LINE.id)).all()
    last = max((line.id for line in lines if line.is_settled), default=after)
    lines = [line for line in lines if line.id <= last]
    counts = Counter((line.destination, line.kind, line.event, line.code) for line in lines)
    first_sent = (line for line in lines if line.event == "sent" and line.code not in OF_ADDITIONS)
    return Attempts(
        last,
        [(*key, times) for key, times in counts.items()],
        [(line.destination, line.kind, line.waited) for line in first_sent if line.waited is not None],
    )


def count_partly_refused(engine: Engine) -> int:
    """How many of the day's notices were delivered, but for an address of staff that the mail server refused."""
    of_row = (LINE.row_id == ROW.id) & (LINE.destination == ROW.destination)
    partly = (
        select(func.count())
        .select_from(deliveries.join(attempts, of_row))
        .where(
            ROW.destination == STAFF_MAIL,
            ROW.queued_at > text("now() - interval '1 day'"),
            *(LINE.event == "sent", LINE.code != "SENT"),
        )
    )
    with engine.connect() as connection:
        return int(connection.execute(partly).scalar_one())
