"""What staff are told of one lead: the e-mail and the webhook's JSON. Text only, nothing is sent here.

Brief, the default, holds no personal data: a mailbox or a chat cannot be erased. Full adds name, telephone and the
question.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import formatdate, parseaddr
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from leads.country_names import country_name
from leads.mail.notices import Notice
from leads.phone import whatsapp_url
from leads.settings import Settings

CLINIC_ZONE = ZoneInfo("Europe/Istanbul")
DAY_AND_TIME = "%a %d %b, %H:%M"


def make_mail(settings: Settings, notice: Notice, record_url: str | None) -> EmailMessage:
    """Compose the e-mail.

    Args:
        settings: sender, receivers, and whether the notice is brief or full.
        notice: the lead.
        record_url: where the lead is in the CRM; None while it is not there.
    """
    message = EmailMessage()
    message["From"] = settings.mail_from
    message["To"] = ", ".join(settings.staff_mail_to)
    message["Subject"] = _headline(notice)
    message["Date"] = formatdate()
    # The lead's own, so that mailboxes recognise a second delivery as a duplicate.
    message["Message-ID"] = f"<{notice.lead_id}.staff@{parseaddr(settings.mail_from)[1].rpartition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content("\n".join(_lines(notice, record_url, full=settings.staff_notice == "full")) + "\n")
    return message


def make_payload(notice: Notice, record_url: str | None, *, full: bool) -> dict[str, Any]:
    """Compose the webhook's JSON. `text` is what chat programs show of it."""
    data: dict[str, Any] = {
        "id": str(notice.lead_id),
        "reference": notice.reference,
        "created_at": notice.created_at.astimezone(UTC).isoformat(timespec="seconds"),
        "country": notice.country_iso,
        "timezone": notice.timezone,
        "local_time": local.isoformat(timespec="minutes") if (local := local_time(notice)) else None,
        "record_url": record_url,
    }
    if full:
        data |= {
            "name": notice.name,
            "phone": notice.phone,
            "whatsapp_url": whatsapp_url(notice.phone),
            "question": notice.question,
        }
    text = f"{_headline(notice)}: {record_url}" if record_url else f"{_headline(notice)}, not in the CRM yet"
    return {"type": "lead.created", "timestamp": data["created_at"], "text": text, "data": data}


def local_time(notice: Notice, now: datetime | None = None) -> datetime | None:
    """Return the time where the visitor is; None when the browser did not name a time zone that exists."""
    try:
        return (now or datetime.now(UTC)).astimezone(ZoneInfo(notice.timezone or ""))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _headline(notice: Notice) -> str:
    country = country_name(notice.country_iso or "")
    return f"New enquiry {notice.reference}" + (f" from {country}" if country else "")


def _lines(notice: Notice, record_url: str | None, *, full: bool) -> Iterator[str]:
    yield f"{_headline(notice)}."
    yield ""
    yield f"Sent:           {notice.created_at.astimezone(CLINIC_ZONE).strftime(DAY_AND_TIME)} (Istanbul)"
    if local := local_time(notice):
        yield f"Time there now: {local.strftime(DAY_AND_TIME)} ({notice.timezone})"
    yield f"In the CRM:     {record_url or 'not yet; it will arrive by itself, search for the reference then'}"
    if full:
        yield f"Name:           {notice.name}"
        yield f"Telephone:      tel:{notice.phone}"
        yield f"WhatsApp:       {whatsapp_url(notice.phone)}"
        yield ""
        yield notice.question or "No question was written."
