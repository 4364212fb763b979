"""What staff are told of rows that a person must see to, by mail and by webhook. No personal data.

A job and no row of the outbox: while there are such rows the next run says it again, so nothing needs to be kept.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from uuid import uuid4

from sqlalchemy import Engine

from leads.call_times import CLINIC_ZONE
from leads.lifecycle import Delivered, Status
from leads.outbox.holds import Held
from leads.outbox.stopped import Stopped, give_back, in_words, read_stopped, take_turn
from leads.settings import Settings
from worker.destinations.staff_notice import DAY_AND_TIME
from worker.jobs.staff_news import CHANNELS, News, tell

log = logging.getLogger(__name__)

MAX_NAMED = 30
WHY: dict[str, str] = {
    Status.DEAD: "the CRM refuses it for good",
    Held.HONEYPOT: "a field that people do not see was filled",
    Held.NO_START: "sent without the page's script",
    Held.FORGED: "not sent from a page of this site as it is now",
    Held.EXPIRED: "from a page that was open for over a day",
    Held.TOO_FAST: "sent faster than people type",
    Held.REPLAYED: "many from one page",
    Held.PERSON: "many with one mailbox or telephone number",
    Held.ADDRESS: "many from one network",
    Held.FLOOD: "many more than usual at that time",
}


def tell_stopped(engine: Engine, settings: Settings) -> None:
    """Tell staff of held rows that look real and of dead ones, in each way that is set up and due."""
    for channel in CHANNELS:
        if channel not in settings.lead_destinations:
            continue
        turn = take_turn(engine, channel)
        if turn is None:
            continue
        rows = read_stopped(engine)
        outcome = tell(settings, channel, _news(rows))
        if isinstance(outcome, Delivered):
            log.info("told %s of %d rows that need a person", channel, len(rows))
        else:
            give_back(engine, turn)
            log.warning("could not tell %s of rows that need a person (%s)", channel, outcome.code)


def _news(rows: Sequence[Stopped]) -> News:
    named = rows[:MAX_NAMED]
    return News(
        id=f"stopped-{uuid4()}",
        type="leads.stopped",
        headline=_headline(rows),
        lines=[*_lines(rows)],
        text=f"{_headline(rows)} ({in_words(rows)}): {', '.join(row.reference for row in named)}",
        data={
            "count": len(rows),
            "rows": [{"kind": row.kind, "reference": row.reference, "reason": row.reason} for row in named],
        },
    )


def _headline(rows: Sequence[Stopped]) -> str:
    enquiries = "enquiry is" if len(rows) == 1 else "enquiries are"
    return f"{len(rows)} {enquiries} not in the CRM and need{'s' if len(rows) == 1 else ''} a person"


def _lines(rows: Sequence[Stopped]) -> Iterator[str]:
    yield "They are stored, and do not go to the CRM by themselves: something is against them."
    yield ""
    for row in rows[:MAX_NAMED]:
        at = row.created_at.astimezone(CLINIC_ZONE).strftime(DAY_AND_TIME)
        yield f"{row.reference} ({row.kind}), {at} (Istanbul): {WHY[row.reason]}"
    if len(rows) > MAX_NAMED:
        yield f"and {len(rows) - MAX_NAMED} more"
    yield ""
    yield "See the page Outbox in Flower, or the command `show` with the reference."
    if held := next((row for row in rows if row.reason != Status.DEAD), None):
        yield f"Held ones look real. `release {held.reference}` sends one to the CRM. What is spam needs nothing."
    if dead := next((row for row in rows if row.reason == Status.DEAD), None):
        yield f"What the CRM refuses: mend the cause, then `redrive {dead.reference}`; or enter it there by hand."
    yield "None is named again when it is a day old."
