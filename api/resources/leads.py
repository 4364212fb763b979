"""POST /api/leads: an enquiry from the form becomes a stored lead and a receipt."""

import logging
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from flask import request
from flask_smorest import Blueprint

from api.context import current_context
from api.errors import documented
from api.idempotency import HEADER, digest, read_key
from api.limits import start_token
from api.parser import JsonBodyParser
from api.schemas import LeadReceiptSchema, LeadSchema
from api.user_agents import add_device
from leads.call_times import clock_words
from leads.outbox.store import IdempotencyConflict, Receipt, submission
from leads.tables import ADDRESS_LENGTH
from leads.text import truncate

HEADERS = {
    HEADER: "A random value for each submission; a repeat with the same value gets the first receipt.",
    start_token.HEADER: "From /api/start. An enquiry without a good one is stored, and may wait for a person.",
}
EXAMPLE = {
    "name": "Ada",
    "surname": "Sample",
    "email": "ada@example.com",
    "countryCode": "+44",
    "countryIso": "GB",
    "phone": "07911 123456",
    "message": "How long does an implant take?",
    "utmSource": "google",
    "currentUrl": "https://clinic.example/dental-implants",
}

log = logging.getLogger(__name__)

SCHEMA = LeadSchema()

blueprint = Blueprint("leads", __name__, url_prefix="/api", description="Enquiries from the consultation form.")
blueprint.ARGUMENTS_PARSER = JsonBodyParser()


@blueprint.post("/leads")
@blueprint.arguments(SCHEMA, example=EXAMPLE)
@blueprint.response(201, LeadReceiptSchema)
@documented(blueprint, 400, 409, 413, 415, 422, 429, 500, 503, headers=HEADERS)
def post_lead(values: dict[str, Any]) -> dict[str, Any]:
    """Store an enquiry

    The answer means that the enquiry is safe: it is on disk and will reach the clinic's CRM. Tracking fields
    never cost an enquiry: they are converted, truncated or dropped. `ipAddress` is ignored; the connection's
    address is stored.
    """
    token = request.headers.get(start_token.HEADER)
    receipt = store_lead(values, key=read_key(request), token=token)
    context = current_context()
    call = context.desk.describe(receipt.call, values["timezone"], receipt.accepted_at)
    offer = {
        "token": context.guard.details_token(receipt.id),
        "interest": receipt.interest,
        "slots": context.desk.describe_slots(values["timezone"]),
        "zone": clock_words(values["timezone"]),
    }
    return {"success": True, "id": receipt.id, "reference": receipt.reference, "call": call, "details": offer}


_TREATMENT_PAGE = re.compile(r"/treatments/([a-z0-9-]+)/?")


def interest_of(address: str | None, treatments: Mapping[str, str]) -> str | None:
    """Return the name of the treatment whose page an enquiry was sent from; None: from another page."""
    try:
        page = _TREATMENT_PAGE.search(urlsplit(address or "").path)
    except ValueError:
        return None
    return treatments.get(page.group(1)) if page else None


def store_lead(values: dict[str, Any], *, key: str | None, token: str | None) -> Receipt:
    """Store an enquiry, in whatever way it came, and enqueue its delivery; return the receipt.

    values: as `SCHEMA` loaded them. token: the start token as sent. key: the idempotency key; if it was used before
    with the same entry, the receipt is the first one.
    """
    honeypot = values.pop("website")
    request_digest = digest(SCHEMA, values) if key is not None else None
    # A proxy may report anything as the address.
    address = values["ip_address"] = truncate(request.remote_addr, ADDRESS_LENGTH)
    add_device(values, request.user_agent.string)
    context = current_context()
    values["interest"] = interest_of(values["current_url"], context.treatments)
    if call := context.desk.first_call():
        values |= {"call_from": call.start, "call_until": call.end}
    held = context.guard.check_lead(values, address=address, token=token, key=key, honeypot=honeypot)
    owed = context.lead_destinations
    lead = submission(values, idempotency_key=key, request_digest=request_digest, held=held, owed=owed)
    try:
        receipt = context.record_lead(lead)
    except IdempotencyConflict:
        context.guard.note("lead", "conflict")
        raise
    result = "repeated" if receipt.repeated else "held" if held else "accepted"
    log.info("lead %s %s", receipt.id, result, extra={"row": receipt.id})
    context.count("lead", result)
    if not held:
        context.publisher.enqueue(receipt.id)
    return receipt
