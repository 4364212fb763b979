"""What staff are told of one lead: the e-mail and the webhook's JSON. Text only, nothing is sent here.

Brief, the default, holds no personal data: a mailbox or a chat cannot be erased. Full adds name, telephone and the
question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from email.message import EmailMessage
from typing import Any

from leads.call_times import CLINIC_ZONE, call_of, for_staff, zone_of
from leads.locale_names import country_name
from leads.outbox.claim import Claimed
from leads.phone import whatsapp_url
from leads.settings import Settings
from worker.connect import record_url
from worker.destinations.smtp import compose_mail

DAY_AND_TIME = "%a %d %b, %H:%M"
Lead = Mapping[str, Any]  # its columns, and what the CRM says of it


def make_mail(row: Claimed, settings: Settings) -> EmailMessage:
    """Compose the e-mail. The settings name sender and receivers, and whether the notice is brief or full."""
    # Its id is another one than the acknowledgement's.
    return staff_mail(settings, f"{row.id}.staff", _headline(row.values), _lines(row.values, settings))


def staff_mail(settings: Settings, name: str, subject: str, lines: Iterable[str]) -> EmailMessage:
    """Compose any e-mail to staff; `name` is the Message-ID before the sender's domain."""
    return compose_mail(
        settings, name, to=", ".join(settings.staff_mail_to), subject=subject, text="\n".join(lines) + "\n"
    )


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
    }
    if settings.staff_notice == "full":
        data |= {
            "name": _name(lead),
            "phone": lead["phone_e164"],
            "whatsapp_url": whatsapp_url(lead["phone_e164"]),
            "question": lead["message"],
            "interest": lead["interest"],
            "already_has": lead["already_has"],
        }
    return {
        "type": "lead.created",
        "timestamp": data["created_at"],
        "text": f"{_headline(lead)}: {_record(lead, settings)}",
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
    return f"New enquiry {lead['reference']}" + (f" from {country}" if country else "")


def _record(lead: Lead, settings: Settings) -> str:
    if url := record_url(settings, lead["crm_record_id"]):
        return url
    if refusal := lead["crm_refusal"]:
        return f"NOT in the CRM, which refuses it ({refusal}): enter it by hand, or have the cause mended"
    return "not in the CRM yet; it will arrive by itself, search for the reference then"


def _lines(lead: Lead, settings: Settings) -> Iterator[str]:
    yield f"{_headline(lead)}."
    yield ""
    yield f"Sent:           {lead['created_at'].astimezone(CLINIC_ZONE).strftime(DAY_AND_TIME)} (Istanbul)"
    if local := local_time(lead["timezone"]):
        yield f"Time there now: {local.strftime(DAY_AND_TIME)} ({lead['timezone']})"
    if call := call_of(lead):
        yield f"Call:           {for_staff(call, lead['timezone'])}"
    yield f"Record:         {_record(lead, settings)}"
    if settings.staff_notice == "full":
        yield f"Name:           {_name(lead)}"
        yield f"Telephone:      tel:{lead['phone_e164']}"
        yield f"WhatsApp:       {whatsapp_url(lead['phone_e164'])}"
        if lead["interest"]:
            yield f"About:          {lead['interest']}"
        if lead["already_has"]:
            yield f"Has:            {lead['already_has']}"
        yield ""
        yield lead["message"] or "No question was written."
