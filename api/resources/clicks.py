"""POST /api/whatsapp-click: a tap on a WhatsApp button becomes a stored click."""

import logging
from typing import Any

from flask import request
from flask_smorest import Blueprint

from api.context import current_context
from api.errors import documented
from api.parser import JsonBodyParser
from api.resources.geo import read_country
from api.schemas import ClickReceiptSchema, ClickSchema
from api.user_agents import add_device
from leads.outbox.store import record_click
from leads.tables import ADDRESS_LENGTH
from leads.text import truncate

EXAMPLE = {
    "uniqueCode": "7KQ2Z",
    "whatsappMessage": "[7KQ2Z] Hi - quick implants price & treatment info, please.",
    "buttonLocation": "hero-section-landing",
    "sessionId": "s-18c2f1",
    "countryIso": "GB",
    "ipAddress": None,
}

log = logging.getLogger(__name__)

blueprint = Blueprint("clicks", __name__, url_prefix="/api", description="Taps on the WhatsApp buttons.")
blueprint.ARGUMENTS_PARSER = JsonBodyParser()


@blueprint.post("/whatsapp-click")
@blueprint.arguments(ClickSchema, example=EXAMPLE)
@blueprint.response(201, ClickReceiptSchema)
@documented(blueprint, 400, 413, 415, 422, 429, 500, 503)
def post_click(values: dict[str, Any]) -> dict[str, Any]:
    """Store a WhatsApp click

    The same code from the same session is the same click. The same code from another session is stored as a click
    of its own, with a suffix to its code.
    """
    # A proxy may report anything as the address.
    address = values["ip_address"] = truncate(request.remote_addr, ADDRESS_LENGTH)
    values["country_iso"] = read_country() or values.get("country_iso")
    add_device(values, request.user_agent.string)
    context = current_context()
    held = context.guard.check_click(address=address, honeypot=values.pop("website"))
    click_id = record_click(context.engine, values, held=held)
    result = "held" if held else "accepted"
    log.info("click %s %s", click_id, result, extra={"row": click_id})
    context.count("click", result)
    if not held:
        context.publisher.enqueue(click_id)
    return {"success": True, "id": click_id}
