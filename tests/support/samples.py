"""Sample enquiries: as the API receives them and as the outbox stores them."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Engine

from leads.outbox.store import Receipt, record_leads, submission

# The smallest body that makes a lead.
PAYLOAD = {
    "name": "Ada",
    "surname": "Sample",
    "email": "ada@example.com",
    "countryCode": "+44",
    "phone": "07911 123456",
}
# Columns to store.
LEAD = {
    "name": "Ann",
    "surname": "Example",
    "email": "ann@example.com",
    "country_code": "+44",
    "country_iso": "GB",
    "phone": "07911 123456",
    "phone_e164": "+447911123456",
}
# What an acknowledgement says of a lead.
ACKNOWLEDGED = {"id": 1, "reference": "402117", "interest": None, "already_has": None, "message": None}
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
TRACEPARENT = f"00-{TRACE}-00f067aa0ba902b7-01"  # the example of W3C Trace Context
WEBHOOK_SECRET = "whsec_c2FtcGxlIHNlY3JldCBmb3IgdGVzdHMgYWxvbmU="
CLICK = {"unique_code": "AB12C", "whatsapp_message": "[AB12C] Hi", "button_location": "thank-you-page"}

# A clinic that is open every day, as a build tells it.
_WEEK = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
HOURS = {"days": _WEEK, "opens": "09:00", "closes": "19:00", "closed": []}


def record_lead(engine: Engine, values: Mapping[str, Any], **more: Any) -> Receipt:
    """Store a lead as the site does, and give its receipt; raises what kept it out."""
    (outcome,) = record_leads(engine, [submission(values, **more)])
    if isinstance(outcome, Exception):
        raise outcome
    return outcome
