"""POST /api/details: what a visitor adds to an enquiry after sending, one tap at a time."""

import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from flask_smorest import Blueprint
from marshmallow import ValidationError

from api.call import name_of
from api.context import ApiContext, current_context
from api.errors import MESSAGES, documented, refuse
from api.parser import JsonBodyParser
from api.schemas import HAS, NO_INTEREST, NOT_OFFERED, UNKNOWN_INTEREST, DetailsReceiptSchema, DetailsSchema
from leads.call_times import CLINIC_ZONE, CallTime, call_of
from leads.outbox.store import change_details

EXAMPLE = {"token": "019ac3f0a1b27c3d8e4f5a6b7c8d9e0f.3f2a9c0d1e4b5a6978c0d1e2", "has": ["xray", "photos"]}

log = logging.getLogger(__name__)

SCHEMA = DetailsSchema()

blueprint = Blueprint("details", __name__, url_prefix="/api", description="What is added to an enquiry.")
blueprint.ARGUMENTS_PARSER = JsonBodyParser()


@blueprint.post("/details")
@blueprint.arguments(SCHEMA, example=EXAMPLE)
@blueprint.response(201, DetailsReceiptSchema)
@documented(blueprint, 400, 403, 413, 415, 422, 429, 500, 503)
def post_details(values: dict[str, Any]) -> dict[str, Any]:
    """Add to an enquiry

    The answer means that it is safe, and will be in the same record of the clinic's CRM. What is left out stays as
    it was; a later answer to the same question replaces the earlier one.
    """
    try:
        call = store_details(values)
    except ValidationError as error:
        refuse(422, errors={"json": error.messages})
    return {"success": True, "call": call}


def store_details(values: Mapping[str, Any]) -> dict[str, object] | None:
    """Store what `SCHEMA` loaded, and enqueue it for the CRM; `ValidationError` for what is not offered.

    Returns:
        When the clinic calls now, as `CallSchema` describes it; None: that was not asked about.
    """
    context = current_context()
    lead_id = context.guard.check_details(values["token"])
    columns = {} if lead_id is None else _columns(context, values)
    if lead_id is None or (columns and not change_details(context.engine, lead_id, columns)):
        refuse(403, MESSAGES[403].format(phone=context.desk.phone))
    log.info("lead %s has more details", lead_id, extra={"row": lead_id})
    if lead_id is not None:
        context.publisher.enqueue(lead_id)
    if "call_chosen" not in columns:
        return None
    call, timezone, is_chosen = call_of(columns), values.get("timezone"), columns["call_chosen"]
    return context.desk.describe(call, timezone, datetime.now(UTC), is_chosen=is_chosen)


def _columns(context: ApiContext, values: Mapping[str, Any]) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    if "interest" in values:
        columns["interest"] = _interest(context, values["interest"])
    if "has" in values:
        columns["already_has"] = ", ".join(words for name, words in HAS.items() if name in values["has"]) or None
    if "call_until" in values:
        chosen = values["call_until"]
        call = context.desk.first_call() if chosen is None else _slot(context, chosen, values.get("timezone"))
        columns |= {"call_chosen": chosen is not None}
        if call is not None:
            columns |= {"call_from": call.start, "call_until": call.end}
    return columns


def _interest(context: ApiContext, treatment: str | None) -> str | None:
    names = {**context.treatments, UNKNOWN_INTEREST: NO_INTEREST}
    if treatment is not None and treatment not in names:
        raise ValidationError({"interest": [NOT_OFFERED]})
    return None if treatment is None else names[treatment]


def _slot(context: ApiContext, chosen: str, timezone: str | None) -> CallTime:
    """Return the slot that ends then, or the next that ends at that hour of the clinic's clock."""
    for slot in context.desk.slots(timezone):
        ends = slot.end.astimezone(CLINIC_ZONE)
        if chosen in (f"{ends:%H:%M}", name_of(slot)):
            return slot
    raise ValidationError({"callUntil": [NOT_OFFERED]})
