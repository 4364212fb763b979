"""What staff are told, by e-mail and as the webhook's JSON: of one lead, and of rows that wait for a person.

Brief, the default, holds no personal data: a mailbox or a chat cannot be erased. Full adds name, telephone and the
question. A list of rows that wait has none.
"""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from email.message import EmailMessage
from html import escape
from typing import Any
from uuid import uuid4

from sqlalchemy import Engine

from leads.call_times import CLINIC_ZONE, call_of, for_staff, zone_of
from leads.destinations import STAFF_MAIL, STAFF_WEBHOOK
from leads.lifecycle import Sent, Status
from leads.locale_names import country_name
from leads.outbox.claim import Claimed
from leads.outbox.holds import Held
from leads.outbox.stopped import NotTold, Stopped, in_words, telling
from leads.phone import whatsapp_url
from leads.settings import Settings
from worker.connect import record_url
from worker.crm.mapping import fit_line
from worker.destinations.mail import compose_mail, send_mail
from worker.destinations.webhook import post_webhook

log = logging.getLogger(__name__)

DAY_AND_TIME = "%a %d %b, %H:%M"
MAX_NAMED = 30
WHY: dict[str, str] = {
    Held.HONEYPOT: "a field that people do not see was filled",
    Held.FLOOD: "many more than usual at that time",
}
_CAMPAIGN = ("google_campaign", "google_keyword", "utm_source")
LINK = "suspect, and with a link in its text"
Lead = Mapping[str, Any]  # its columns, and what the CRM says of it


def make_mail(row: Claimed, settings: Settings) -> EmailMessage:
    """Compose the e-mail. The settings name sender and receivers, and whether the notice is brief or full."""
    lead, question = row.values, ""
    if settings.staff_notice == "full":
        question = lead["message"] or "No question was written."
    facts, headline = [*_facts(lead, settings)], _headline(lead)
    lines = [f"{headline}.", "", *([question, ""] if question else [])]
    lines += [f"{f'{label}:':<16}{' '.join(filter(None, (words, link)))}" for label, words, link in facts]
    shown = "".join(_table_row(*fact) for fact in facts)
    html = (
        f"<h1>{escape(headline)}</h1><p style='white-space:pre-line'>{escape(question)}</p><table>{shown}</table>"
    )
    # The acknowledgement has the row's id alone.
    return staff_mail(settings, f"{row.id}.staff", headline, lines, html)


def _table_row(label: str, words: str, link: str) -> str:
    shown = f"<a href='{escape(link)}'>{escape(words or link)}</a>" if link else escape(words)
    return f"<tr><th align='left'>{label}</th><td>{shown}</td></tr>"


def staff_mail(settings: Settings, name: str, subject: str, lines: Iterable[str], html: str = "") -> EmailMessage:
    """Compose any e-mail to staff; `name` is the Message-ID before the sender's domain."""
    to, text = ", ".join(settings.staff_mail_to), "\n".join(lines) + "\n"
    return compose_mail(settings, name, to=to, subject=subject, text=text, html=html)


def make_payload(row: Claimed, settings: Settings) -> dict[str, Any]:
    """Compose the webhook's JSON. `text` is what chat programs show of it."""
    lead, call = row.values, call_of(row.values)
    local = local_time(lead["timezone"])
    data: dict[str, Any] = {
        "id": str(row.id),
        "reference": lead["reference"],
        "created_at": _iso(lead["created_at"]),
        "country": lead["country_iso"],
        "timezone": lead["timezone"],
        "local_time": local.isoformat(timespec="minutes") if local else None,
        "call_from": _iso(call.start) if call else None,
        "call_until": _iso(call.end) if call else None,
        "record_url": record_url(settings, lead["crm_record_id"]),
        "refusal": lead["crm_refusal"],
        "interest": lead["interest"],
        "campaign": _campaign(lead),
        "earlier_reference": lead.get("earlier_reference"),
        "earlier_record_url": record_url(settings, lead.get("earlier_record_id")),
    }
    if settings.staff_notice == "full":
        data |= {
            "name": _name(lead),
            "phone": lead["phone_e164"],
            "whatsapp_url": whatsapp_url(lead["phone_e164"]),
            "question": lead["message"],
            "already_has": lead["already_has"],
        }
    return {
        "type": "lead.created",
        "timestamp": data["created_at"],
        "text": f"{_headline(lead)}: {''.join(_record(lead, settings))}",
        "data": data,
    }


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def local_time(timezone: str | None, now: datetime | None = None) -> datetime | None:
    """Return the time where the visitor is; None when the browser did not name a time zone that exists."""
    zone = zone_of(timezone)
    return (now or datetime.now(UTC)).astimezone(zone) if zone else None


def _name(lead: Lead) -> str:
    return f"{lead['name']} {lead['surname']}".strip()


def _headline(lead: Lead) -> str:
    country = country_name(lead["country_iso"] or "")
    what = "Repeat" if lead.get("earlier_reference") else "New"
    return f"{what} enquiry {lead['reference']}" + (f" from {country}" if country else "")


def _campaign(lead: Lead) -> str:
    """What the advertisement's link said, which anybody may have written: one line, and no link of ours."""
    return ", ".join(fit_line(lead[name], 80) for name in _CAMPAIGN if lead.get(name))


def _record(lead: Lead, settings: Settings) -> tuple[str, str]:
    """What became of the lead in the CRM, and the link to its record."""
    if url := record_url(settings, lead["crm_record_id"]):
        return "", url
    if refusal := lead["crm_refusal"]:
        return f"NOT in the CRM, which refuses it ({refusal}): enter it by hand, or have the cause mended", ""
    return "not in the CRM yet; it will arrive by itself, search for the reference then", ""


def _facts(lead: Lead, settings: Settings) -> Iterator[tuple[str, str, str]]:
    """Yield what is told besides the question: what it is, in words, and where it leads."""
    if settings.staff_notice == "full":
        yield "Name", _name(lead), ""
        yield "Telephone", "", f"tel:{lead['phone_e164']}"
        yield "WhatsApp", "", whatsapp_url(lead["phone_e164"])
    if call := call_of(lead):
        yield "Call", for_staff(call, lead["timezone"]), ""
    if local := local_time(lead["timezone"]):
        yield "Time there now", f"{local.strftime(DAY_AND_TIME)} ({lead['timezone']})", ""
    if lead["interest"]:
        yield "About", lead["interest"], ""
    if settings.staff_notice == "full" and lead["already_has"]:
        yield "Has", lead["already_has"], ""
    if campaign := _campaign(lead):
        yield "Campaign", campaign, ""
    if earlier := lead.get("earlier_reference"):
        yield "Asked before", earlier, record_url(settings, lead.get("earlier_record_id")) or ""
    yield "Sent", f"{lead['created_at'].astimezone(CLINIC_ZONE).strftime(DAY_AND_TIME)} (Istanbul)", ""
    yield "Record", *_record(lead, settings)


def tell_stopped(engine: Engine, settings: Settings) -> str:
    """Tell staff of held, refused and dead rows, in each way that is set up and due; return what came of it."""
    told = []
    for channel in (STAFF_MAIL, STAFF_WEBHOOK):
        if channel not in settings.lead_destinations:
            continue
        try:
            with telling(engine, channel) as rows:
                if rows:
                    _tell(settings, channel, rows)
                    told.append(f"{channel} told of {len(rows)} rows")
        except NotTold as error:
            log.warning("could not tell %s of rows that need a person (%s)", channel, error)
            told.append(f"{channel} NOT told ({error})")
    return ", ".join(told) or "no news"


def _tell(settings: Settings, channel: str, rows: Sequence[Stopped]) -> None:
    name, headline = f"stopped-{uuid4()}", _stopped_headline(rows)
    if channel == STAFF_MAIL:
        outcome = send_mail(settings, staff_mail(settings, name, headline, _stopped_lines(rows)))
    else:
        named = [{"kind": row.kind, "reference": row.reference, "reason": row.reason} for row in rows[:MAX_NAMED]]
        text = f"{headline} ({in_words(rows)}): {', '.join(each['reference'] for each in named)}"
        data = {"count": len(rows), "rows": named}
        body = {"type": "leads.stopped", "timestamp": _iso(datetime.now(UTC)), "text": text, "data": data}
        outcome = post_webhook(settings, body, message_id=name)
    if not isinstance(outcome, Sent):
        raise NotTold(outcome.code)
    log.info("told %s of %d rows that need a person", channel, len(rows))


def _stopped_headline(rows: Sequence[Stopped]) -> str:
    enquiries = "enquiry is" if len(rows) == 1 else "enquiries are"
    return f"{len(rows)} {enquiries} not in the CRM and need{'s' if len(rows) == 1 else ''} a person"


def _stopped_lines(rows: Sequence[Stopped]) -> Iterator[str]:
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
