"""Statistics: rows by state and since when they wait, the results of attempts. Read-only."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ARRAY, Engine, String, case, func, or_, select, text
from sqlalchemy.dialects.postgresql import aggregate_order_by

from leads.db import run, seconds, seconds_of
from leads.destinations import CRM, STAFF_MAIL, VISITOR
from leads.outbox.selection import FOUND, IS_WAITING, REFERENCE, STORED_AT
from leads.tables import Kind, attempts, deliveries, leads, whatsapp_clicks

ROW, LINE = deliveries.c, attempts.c
# The log's ids are assigned before their rows are committed, so rows younger than this wait for the next read. A
# statement that records attempts takes milliseconds.
SETTLED_SECONDS = 5.0
MAX_NAMED = 3  # references of one refusal
OF_ADDITIONS = ("UPDATED", "NOTHING_TO_ADD", "GONE")  # codes of what a visitor added later


@dataclass(frozen=True, slots=True)
class Group:
    """The rows of one kind in one status that a destination is owed, or got."""

    kind: Kind
    status: str
    rows: int
    destination: str = CRM
    waits_since: datetime | None = None  # when the first of them entered the queue; None: none waits
    next_at: datetime | None = None  # when one is tried next


class Refusal(NamedTuple):
    """Rows that a destination refuses (and tries again) or that were given up, for one reason: code and field."""

    destination: str
    state: str  # of `leads.outbox.selection.STATES`: refused or dead
    words: str
    rows: int
    references: list[str]  # of the oldest few

    @property
    def code(self) -> str:
        """The reason in a word, as lists show it."""
        return self.words.partition(":")[0]


class Answers(NamedTuple):
    """How calls to a destination ended. A refusal is an answer: it is the row's trouble, not the destination's."""

    sent_at: datetime | None = None  # the last success
    failing_since: datetime | None = None  # the first failure after the last answer; None: there is none
    failure: str = ""  # the code of the newest one


@dataclass(frozen=True, slots=True)
class Attempts:
    """The attempts recorded since the last read."""

    last: int  # the newest that was read
    counts: list[tuple[str, str, str, str, int]]  # destination, kind, event, code and how often
    waited: list[tuple[str, str, float]]  # of each delivered row its destination and kind, and the seconds it took


def read_backlog(engine: Engine) -> list[Group]:
    """Return every group of rows, finished ones too."""
    since, next_at = (func.min(case((IS_WAITING, at))) for at in (ROW.queued_at, ROW.next_retry_at))
    key = (ROW.kind, ROW.status, ROW.destination)
    groups = select(ROW.kind, ROW.status, func.count(), ROW.destination, since, next_at).group_by(*key)
    return [Group(Kind(kind), *more) for kind, *more in run(engine, groups)]


def read_refusals(engine: Engine) -> list[Refusal]:
    """Return what is refused or was given up, the most rows first; not visitors' mail, whose address is wrong."""
    state = case((ROW.status == "dead", "dead"), else_="refused")
    # A dead row's words end with the count of its tries.
    words = func.coalesce(func.regexp_replace(ROW.last_error, r" \(no tries left.*", ""), "")
    key, count = (ROW.destination, state, words), func.count()
    oldest = func.array_agg(aggregate_order_by(REFERENCE.element, ROW.queued_at), type_=ARRAY(String))[1:MAX_NAMED]
    is_meant = or_(IS_WAITING & ROW.refused_at.is_not(None), ROW.status == "dead") & (ROW.destination != VISITOR)
    found = select(*key, count, oldest).select_from(FOUND).where(is_meant).group_by(*key)
    return [Refusal(*row) for row in run(engine, found.order_by(count.desc(), *key))]


# The log has no index by time, and its newest lines tell. That tokens are asked for too often follows from an
# earlier failure, which is the news.
_ANSWERS = text("""
WITH newest AS (SELECT id, at, destination, event, code FROM attempts ORDER BY id DESC LIMIT 20000),
marked AS (
    SELECT *, event IN ('retry', 'unavailable') AND id > coalesce(
        max(id) FILTER (WHERE event IN ('sent', 'refused')) OVER (PARTITION BY destination), 0) AS fails
    FROM newest
)
SELECT destination, max(at) FILTER (WHERE event = 'sent'), min(at) FILTER (WHERE fails),
    coalesce((array_agg(code ORDER BY code = 'TOKEN_BUDGET', id DESC) FILTER (WHERE fails))[1], '')
FROM marked GROUP BY destination
""")


def read_answers(engine: Engine) -> dict[str, Answers]:
    """Return how calls ended lately, by destination; one that was not tried lately is not there."""
    return {name: Answers(*more) for name, *more in run(engine, _ANSWERS)}


def newest_attempt(engine: Engine) -> int:
    """Return the id of the newest attempt: where a reader of new attempts starts."""
    return int(run(engine, select(func.coalesce(func.max(LINE.id), 0)))[0][0])


def read_attempts(engine: Engine, after: int, *, settled_seconds: float = SETTLED_SECONDS) -> Attempts:
    """Return the attempts after `after`, except those of the last few seconds; the next read starts at `last`."""
    is_settled = LINE.at < func.clock_timestamp() - seconds(settled_seconds)
    waited = seconds_of(LINE.at - STORED_AT).label("waited")
    columns = (LINE.id, LINE.destination, LINE.kind, LINE.event, func.coalesce(LINE.code, "").label("code"), waited)
    of_lead, of_click = leads.c.id == LINE.row_id, whatsapp_clicks.c.id == LINE.row_id
    rows = attempts.outerjoin(leads, of_lead).outerjoin(whatsapp_clicks, of_click)
    new = select(*columns, is_settled.label("is_settled")).select_from(rows)
    lines = run(engine, new.where(LINE.id > after).order_by(LINE.id))
    last = max((line.id for line in lines if line.is_settled), default=after)
    lines = [line for line in lines if line.id <= last]
    counts = Counter((line.destination, line.kind, line.event, line.code) for line in lines)
    first_sent = (line for line in lines if line.event == "sent" and line.code not in OF_ADDITIONS)
    waited = [(line.destination, line.kind, line.waited) for line in first_sent if line.waited is not None]
    return Attempts(last, [(*key, times) for key, times in counts.items()], waited)


def count_partly_refused(engine: Engine) -> int:
    """How many of the day's notices were delivered, but for an address of staff that the mail server refused."""
    of_row = (LINE.row_id == ROW.id) & (LINE.destination == ROW.destination)
    count = select(func.count()).select_from(deliveries.join(attempts, of_row))
    of_the_day = count.where(ROW.destination == STAFF_MAIL, ROW.queued_at > text("now() - interval '1 day'"))
    return int(run(engine, of_the_day.where(LINE.event == "sent", LINE.code != "SENT"))[0][0])
