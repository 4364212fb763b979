"""The form's rules as a pydantic model. Phone numbers are checked with the library that the product uses."""

import os
from typing import Annotated, Any
from uuid import uuid4

import phonenumbers
from celery import Celery
from fastapi import Header
from pydantic import BaseModel, ConfigDict, Field, create_model, model_validator
from pydantic.alias_generators import to_camel

TRACKING = (
    "google_campaign", "google_adgroup", "google_keyword", "google_ad", "google_gclid", "utm_source", "utm_medium",
    "utm_content", "utm_term", "google_matchtype", "google_network", "google_device", "gbraid", "wbraid", "fbclid",
    "msclkid", "ads_timestamp", "event_id", "session_id", "device_type", "browser_name", "browser_version",
    "operating_system", "screen_resolution", "timezone", "language",
)  # fmt: skip
LONG_TRACKING = ("current_url", "landing_url", "referrer", "user_agent")
Name = Annotated[str, Field(min_length=2, max_length=80)]
Short = Annotated[str | None, Field(max_length=255)]
Long = Annotated[str | None, Field(max_length=2048)]
Key = Annotated[str | None, Header(alias="Idempotency-Key", pattern=r"^[!-~]{1,255}$")]
_EMAIL = r"^[\w.!#$%&'*+/=?^`{|}~-]+@(?:[\w-]+\.)+[A-Za-z]{2,63}$"


class Form(BaseModel):
    """What a visitor enters."""

    model_config = ConfigDict(alias_generator=to_camel, extra="ignore", str_strip_whitespace=True)

    name: Name
    surname: Name
    email: Annotated[str, Field(max_length=100, pattern=_EMAIL)]
    country_code: Annotated[str, Field(pattern=r"^\+[1-9]\d{0,2}(-[a-z]{2})?$")]
    country_iso: Annotated[str | None, Field(max_length=2)] = None
    phone: Annotated[str, Field(min_length=5, max_length=250)]
    phone_e164: str = ""
    message: Annotated[str | None, Field(max_length=5000)] = None

    @model_validator(mode="after")
    def check_number(self) -> "Form":
        """The number in E.164."""
        try:
            number = phonenumbers.parse(self.phone, self.country_iso)
        except phonenumbers.NumberParseException as error:
            raise ValueError("Please enter a valid phone number") from error
        if not phonenumbers.is_valid_number(number):
            raise ValueError("Please enter a valid phone number")
        self.phone_e164 = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
        return self

    def row(self, key: str | None, address: str | None) -> dict[str, Any]:
        """The columns of `leads`, with an id of its own."""
        return {**self.__dict__, "id": uuid4(), "ip_address": address, "idempotency_key": key}


_TRACKED: dict[str, Any] = dict.fromkeys(TRACKING, (Short, None)) | dict.fromkeys(LONG_TRACKING, (Long, None))
Lead = create_model("Lead", __base__=Form, **_TRACKED)
COLUMNS = (*Lead.model_fields, "id", "ip_address", "idempotency_key")


_celery = Celery(broker=os.environ.get("REDIS_URL"))


def hand_over(lead_id: object) -> None:
    """Give a stored lead to the workers, as Celery's documentation shows; nothing where the test has no broker."""
    if "REDIS_URL" in os.environ:
        _celery.send_task("deliver", [str(lead_id)], ignore_result=True)
