"""The form's rules as a pydantic model, for the FastAPI peers. Phone numbers are checked by the product's own rule.

Lengths, the e-mail pattern and the JSON use pydantic's compiled code, so that the peers are as fast as they can be.
"""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

from fastapi import Header, HTTPException, Request
from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

from api.call import CallDesk
from leads.call_times import Hours, clock_words
from leads.idempotency import hash_key
from leads.ids import new_id
from leads.phone import PhoneError, calling_code, read_phone

MAX_BODY_BYTES = 64 * 1024
_CLINIC = Path("frontend/dist/clinic.json")
DESK = CallDesk(Hours.read(json.loads(_CLINIC.read_text())["hours"]) if _CLINIC.is_file() else None)
Name = Annotated[str, Field(min_length=2, max_length=80)]
Version = Annotated[str | None, Field(max_length=64)]
Tracking = Annotated[str | None, Field(max_length=255)]
Address = Annotated[str | None, Field(max_length=2048)]
Email = Annotated[str, Field(max_length=100, pattern=r"^[\w.!#$%&'*+/=?^`{|}~-]+@(?:[\w-]+\.)+[A-Za-z]{2,63}$")]
Key = Annotated[str | None, Header(alias="Idempotency-Key", pattern=r"^[!-~]{1,255}$")]


class Lead(BaseModel):
    """An enquiry as the form posts it."""

    model_config = ConfigDict(alias_generator=to_camel, extra="ignore", str_strip_whitespace=True)

    name: Name
    surname: Name
    email: Email
    country_code: Annotated[str, Field(pattern=r"^\+[1-9]\d{0,2}(-[a-z]{2})?$")]
    country_iso: Annotated[str | None, Field(max_length=2)] = None
    phone: Annotated[str, Field(min_length=5, max_length=250)]
    phone_e164: str = ""
    message: Annotated[str | None, Field(max_length=5000)] = None
    google_campaign: Tracking = None
    google_adgroup: Tracking = None
    google_keyword: Tracking = None
    google_ad: Tracking = None
    google_gclid: Tracking = None
    utm_source: Tracking = None
    utm_medium: Tracking = None
    utm_content: Tracking = None
    utm_term: Tracking = None
    google_matchtype: Tracking = None
    google_network: Tracking = None
    google_device: Tracking = None
    gbraid: Tracking = None
    wbraid: Tracking = None
    fbclid: Tracking = None
    msclkid: Tracking = None
    ads_timestamp: Tracking = None
    event_id: Tracking = None
    session_id: Tracking = None
    current_url: Address = None
    landing_url: Address = None
    referrer: Address = None
    user_agent: Address = None
    device_type: Tracking = None
    browser_name: Tracking = None
    browser_version: Tracking = None
    operating_system: Tracking = None
    screen_resolution: Tracking = None
    timezone: Tracking = None
    language: Tracking = None
    first_touch: dict[str, str] | None = None
    consent_version: Version = None
    consent_choice: dict[str, bool] | None = None
    consent_at: datetime | None = None
    marketing_opt_in: bool = False
    marketing_version: Version = None

    @model_validator(mode="after")
    def check_number(self) -> Lead:
        """The number in E.164; ValueError with the form's message."""
        try:
            self.phone_e164 = read_phone(self.phone, calling_code(self.country_code) or "")
        except PhoneError as error:
            raise ValueError(str(error)) from error
        return self

    def row(self, key: str | None, request: Request) -> dict[str, Any]:
        """The columns of the row, with an id of its own."""
        return {
            **self.__dict__,
            "id": new_id(),
            "ip_address": request.client.host if request.client else None,
            "idempotency_key": key,
            "request_digest": None if key is None else self._digest(),
            "held_reason": None,
            **call_columns(),
        }

    def _digest(self) -> bytes:
        """What distinguishes a repeat from a misused key: the SHA-256 of what the visitor entered."""
        entered = {name: getattr(self, name) for name in ENTERED}
        return hashlib.sha256(json.dumps(entered, separators=(",", ":"), sort_keys=True).encode()).digest()


ENTERED = ("name", "surname", "email", "country_code", "country_iso", "phone", "message", "marketing_opt_in")
COLUMNS = (
    *Lead.model_fields,
    "id",
    "ip_address",
    "idempotency_key",
    "request_digest",
    "held_reason",
    "call_from",
    "call_until",
)


class Receipt(BaseModel):
    """The reply to a stored enquiry."""

    success: bool = True
    id: UUID
    reference: str
    call: dict[str, Any]
    details: dict[str, Any]


def call_columns() -> dict[str, datetime | None]:
    """When the clinic calls, by the product's own rule."""
    call = DESK.first_call()
    return {"call_from": call.start if call else None, "call_until": call.end if call else None}


def receipt_of(lead_id: UUID, reference: str, timezone: str | None) -> Receipt:
    """The receipt, with the product's words for the call and what can be added."""
    mark = hashlib.blake2b(f"details\0{lead_id.hex}".encode(), key=b"peer", digest_size=12).hexdigest()
    call = DESK.describe(DESK.first_call(), timezone, datetime.now(UTC))
    details = {
        "token": f"{lead_id.hex}.{mark}",
        "interest": None,
        "slots": DESK.describe_slots(timezone),
        "zone": clock_words(timezone),
    }
    return Receipt(id=lead_id, reference=reference, call=call, details=details)


def key_hash(key: str | None) -> bytes | None:
    """What is kept of an erased lead's key."""
    return None if key is None else hash_key(key)


def first_receipt(earlier: Any, digest: bytes | None, timezone: str | None) -> Receipt:
    """The receipt of the row that has the key already; 409 for other data, or when it was erased.

    `earlier`: its id, reference and digest, None without such a row.
    """
    lead_id, reference, known = earlier or (None, "", None)
    if lead_id is None or known != digest:
        raise HTTPException(409)
    return receipt_of(lead_id, reference, timezone)


async def refuse_large(request: Request) -> None:
    """413 above the product's own limit."""
    if int(request.headers.get("content-length", 0)) > MAX_BODY_BYTES:
        raise HTTPException(413)
