"""The form's rules as a pydantic model, for the FastAPI peers. Phone numbers are checked by the product's own rule.

Lengths, the e-mail pattern and the JSON use pydantic's compiled code, so that the peers are as fast as they can be.
"""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID, uuid4

from fastapi import HTTPException, Request
from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

from leads.phone import PhoneError, calling_code, read_phone

MAX_BODY_BYTES = 64 * 1024
Name = Annotated[str, Field(min_length=2, max_length=80)]
Tracking = Annotated[str | None, Field(max_length=255)]
Address = Annotated[str | None, Field(max_length=2048)]
Email = Annotated[str, Field(max_length=100, pattern=r"^[\w.!#$%&'*+/=?^`{|}~-]+@(?:[\w-]+\.)+[A-Za-z]{2,63}$")]


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
    ads_timestamp: Tracking = None
    session_id: Tracking = None
    current_url: Address = None
    referrer: Address = None
    user_agent: Address = None
    device_type: Tracking = None
    browser_name: Tracking = None
    browser_version: Tracking = None
    operating_system: Tracking = None
    screen_resolution: Tracking = None
    timezone: Tracking = None
    language: Tracking = None

    @model_validator(mode="after")
    def check_number(self) -> Lead:
        """The number in E.164; ValueError with the form's message."""
        try:
            self.phone_e164 = read_phone(self.phone, calling_code(self.country_code) or "")
        except PhoneError as error:
            raise ValueError(str(error)) from error
        return self

    def stored(self) -> dict[str, Any]:
        """The columns of the row, with an id of its own."""
        return {"id": uuid4(), **self.__dict__}


class Receipt(BaseModel):
    """The reply to a stored enquiry."""

    success: bool = True
    id: UUID
    reference: str


COLUMNS = ("id", *Lead.model_fields)


async def refuse_large(request: Request) -> None:
    """413 above the product's own limit."""
    if int(request.headers.get("content-length", 0)) > MAX_BODY_BYTES:
        raise HTTPException(413)
