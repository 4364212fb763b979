"""What staff are told of one lead: the e-mail and the webhook's JSON. Text only, nothing is sent here.

Brief, the default, holds no personal data: a mailbox or a chat cannot be erased. Full adds name, telephone and the
question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import formatdate, parseaddr
from typing import Any
from uuid import UUID

from leads.call_times import CLINIC_ZONE, CallTime, call_of, for_staff, zone_of
from leads.locale_names import country_name
from leads.outbox.claim import Claimed
from leads.phone import whatsapp_url
from leads.settings import Settings
from worker.connect import record_url

DAY_AND_TIME = "%a %d %b, %H:%M"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """What staff may be told of a lead. Its repr hides the person.

    country_iso and timezone (IANA) are None where the browser did not say. call: when the visitor expects a call;
    None: not known. record_url: where the lead is in the CRM; None while it is not there. refusal: the code with
    which the CRM refused it for good.
    """

    lead_id: UUID
    reference: str
    created_at: datetime
    country_iso: str | None
    timezone: str | None
    call: CallTime | None
    record_url: str | None
    refusal: str | None
    name: str = field(repr=False)
    phone: str = field(repr=False)  # E.164
    question: str | None = field(repr=False)
    interest: str | None = field(repr=False, default=None)
    already_has: str | None = field(repr=False, default=None)


def notice_of(row: Claimed, settings: Settings) -> Notice:
    """Return the notice of a claimed row."""
    values = row.values
    return Notice(
        lead_id=row.id,
        reference=values["reference"],
        created_at=values["created_at"],
        country_iso=values["country_iso"],
        timezone=values["timezone"],
        call=call_of(values),
        record_url=record_url(settings, values["crm_record_id"]),
        refusal=values["crm_refusal"],
        name=f"{values['name']} {values['surname']}".strip(),
        phone=values["phone_e164"],
        question=values["message"],
        interest=values["interest"],
        already_has=values["already_has"],
    )


def make_mail(settings: Settings, notice: Notice) -> EmailMessage:
    """Compose the e-mail. The settings name sender and receivers, and whether the notice is brief or full."""
    lines = _lines(notice, full=settings.staff_notice == "full")
    # The id is the lead's own, so that mailboxes recognise a second delivery as a duplicate.
    return staff_mail(settings, f"{notice.lead_id}.staff", _headline(notice), lines)


def staff_mail(settings: Settings, name: str, subject: str, lines: Iterable[str]) -> EmailMessage:
    """Compose any e-mail to staff; `name` is the Message-ID before the sender's domain."""
    message = EmailMessage()
    message["From"] = settings.mail_from
    message["To"] = ", ".join(settings.staff_mail_to)
    message["Subject"] = subject
    message["Date"] = formatdate()
    message["Message-ID"] = f"<{name}@{parseaddr(settings.mail_from)[1].rpartition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content("\n".join(lines) + "\n")
    return message


def make_payload(notice: Notice, *, full: bool) -> dict[str, Any]:
    """Compose the webhook's JSON. `text` is what chat programs show of it."""
    data: dict[str, Any] = {
        "id": str(notice.lead_id),
        "reference": notice.reference,
        "created_at": _iso(notice.created_at),
        "country": notice.country_iso,
        "timezone": notice.timezone,
        "local_time": local.isoformat(timespec="minutes") if (local := local_time(notice)) else None,
        "call_from": _iso(notice.call.start) if notice.call else None,
        "call_until": _iso(notice.call.end) if notice.call else None,
        "record_url": notice.record_url,
        "refusal": notice.refusal,
    }
    if full:
        data |= {
            "name": notice.name,
            "phone": notice.phone,
            "whatsapp_url": whatsapp_url(notice.phone),
            "question": notice.question,
            "interest": notice.interest,
            "already_has": notice.already_has,
        }
    return {
        "type": "lead.created",
        "timestamp": data["created_at"],
        "text": f"{_headline(notice)}: {_record(notice)}",
        "data": data,
    }


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def local_time(notice: Notice, now: datetime | None = None) -> datetime | None:
    """Return the time where the visitor is; None when the browser did not name a time zone that exists."""
    zone = zone_of(notice.timezone)
    return (now or datetime.now(UTC)).astimezone(zone) if zone else None


def _headline(notice: Notice) -> str:
    country = country_name(notice.country_iso or "")
    return f"New enquiry {notice.reference}" + (f" from {country}" if country else "")


def _record(notice: Notice) -> str:
    if notice.record_url:
        return notice.record_url
    if notice.refusal:
        return f"NOT in the CRM, which refuses it ({notice.refusal}): enter it by hand, or have the cause mended"
    return "not in the CRM yet; it will arrive by itself, search for the reference then"


def _lines(notice: Notice, *, full: bool) -> Iterator[str]:
    yield f"{_headline(notice)}."
    yield ""
    yield f"Sent:           {notice.created_at.astimezone(CLINIC_ZONE).strftime(DAY_AND_TIME)} (Istanbul)"
    if local := local_time(notice):
        yield f"Time there now: {local.strftime(DAY_AND_TIME)} ({notice.timezone})"
    if notice.call:
        yield f"Call:           {for_staff(notice.call, notice.timezone)}"
    yield f"Record:         {_record(notice)}"
    if full:
        yield f"Name:           {notice.name}"
        yield f"Telephone:      tel:{notice.phone}"
        yield f"WhatsApp:       {whatsapp_url(notice.phone)}"
        if notice.interest:
            yield f"About:          {notice.interest}"
        if notice.already_has:
            yield f"Has:            {notice.already_has}"
        yield ""
        yield notice.question or "No question was written."
