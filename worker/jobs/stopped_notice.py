"""What staff are told of rows that wait for a person, by mail and by webhook. No personal data.

A job and no row of the outbox: what could not be told is told by the next run.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from uuid import uuid4

from sqlalchemy import Engine

from leads.call_times import CLINIC_ZONE
from leads.destinations import STAFF_MAIL, STAFF_WEBHOOK
from leads.lifecycle import Outcome, Sent, Status
from leads.outbox.holds import Held
from leads.outbox.stopped import NotTold, Stopped, in_words, telling
from leads.settings import Settings
from worker.destinations.smtp import send_mail
from worker.destinations.staff_notice import DAY_AND_TIME, staff_mail
from worker.destinations.webhook import post_webhook

log = logging.getLogger(__name__)

MAX_NAMED = 30
WHY: dict[str, str] = {
    Held.HONEYPOT: "a field that people do not see was filled",
    Held.FLOOD: "many more than usual at that time",
}
LINK = "suspect, and with a link in its text"


def tell_stopped(engine: Engine, settings: Settings) -> None:
    """Tell staff of held, refused and dead rows, in each way that is set up and due."""
    for channel in (STAFF_MAIL, STAFF_WEBHOOK):
        if channel not in settings.lead_destinations:
            continue
        try:
            with telling(engine, channel) as rows:
                if rows:
                    _tell(settings, channel, rows)
        except NotTold as error:
            log.warning("could not tell %s of rows that need a person (%s)", channel, error)


def _tell(settings: Settings, channel: str, rows: Sequence[Stopped]) -> None:
    outcome = _post(settings, rows) if channel == STAFF_WEBHOOK else _mail(settings, rows)
    if not isinstance(outcome, Sent):
        raise NotTold(outcome.code)
    log.info("told %s of %d rows that need a person", channel, len(rows))


def _post(settings: Settings, rows: Sequence[Stopped]) -> Outcome:
    """`text` is what chat programs show."""
    named = rows[:MAX_NAMED]
    body = {
        "type": "leads.stopped",
        "timestamp": datetime.now(UTC).isoformat(timespec="seconds"),
        "text": f"{_headline(rows)} ({in_words(rows)}): {', '.join(row.reference for row in named)}",
        "data": {
            "count": len(rows),
            "rows": [{"kind": row.kind, "reference": row.reference, "reason": row.reason} for row in named],
        },
    }
    return post_webhook(settings, body, message_id=f"stopped-{uuid4()}")


def _mail(settings: Settings, rows: Sequence[Stopped]) -> Outcome:
    return send_mail(settings, staff_mail(settings, f"stopped-{uuid4()}", _headline(rows), _lines(rows)))


def _headline(rows: Sequence[Stopped]) -> str:
    enquiries = "enquiry is" if len(rows) == 1 else "enquiries are"
    return f"{len(rows)} {enquiries} not in the CRM and need{'s' if len(rows) == 1 else ''} a person"


def _lines(rows: Sequence[Stopped]) -> Iterator[str]:
    yield "They are stored. Held ones do not go to the CRM by themselves; refused ones are tried for three days."
    yield ""
    for row in rows[:MAX_NAMED]:
        at = row.created_at.astimezone(CLINIC_ZONE).strftime(DAY_AND_TIME)
        yield f"{row.reference} ({row.kind}), {at} (Istanbul): {_why(row)}"
    if len(rows) > MAX_NAMED:
        yield f"and {len(rows) - MAX_NAMED} more"
    yield ""
    yield "See the page Outbox in Flower, or the command `show` with the reference."
    if held := next((row for row in rows if row.status is Status.HELD), None):
        yield f"`release {held.reference}` sends a held one to the CRM, and with `--spam` deletes it instead."
    if refused := next((row for row in rows if row.status is not Status.HELD), None):
        yield f"What is refused: mend the cause, then `redrive {refused.reference}`; all that are refused alike:"
        yield f"`redrive --code {refused.code}`. What the CRM will never take must be entered there by hand."
    yield "None is named again. The alarm stays until none is left."


def _why(row: Stopped) -> str:
    match row.status:
        case Status.HELD:
            return WHY.get(row.reason, LINK)
        case Status.DEAD:
            return f"given up: {row.reason}"
        case _:
            return f"the CRM refuses it: {row.reason}"
