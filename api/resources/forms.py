"""POST /enquiry and /details: the forms as a browser sends them by itself, where no script does.

A stored form leads to the page that shows its reference. Errors are those of the API; `web.plain` makes pages of
them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, redirect, request
from marshmallow import ValidationError
from werkzeug import Response

from api.context import current_context
from api.errors import refuse
from api.forms import lead_body, load_form, read_form, start_token
from api.idempotency import digest, is_key
from api.page_failures import note_native_form
from api.resources import details, leads
from leads.network import network_of

ENQUIRY, DETAILS = "/enquiry", "/details"

_REFERENCE = re.compile(r"[0-9]{6}")

blueprint = Blueprint("forms", __name__)


@blueprint.post(ENQUIRY)
def post_enquiry() -> Response:
    """Store an enquiry as POST /api/leads does; lead to its receipt."""
    form = read_form(request)
    values = load_form(leads.SCHEMA, lead_body(form))
    receipt = leads.store_lead(values, key=_key(form, values), token=start_token(request, form))
    note_native_form()
    token = current_context().guard.details_token(receipt.id)
    return redirect(f"/thank-you?reference={receipt.reference}&details={token}", 303)


@blueprint.post(DETAILS)
def post_details() -> Response:
    """Store what is added to an enquiry as POST /api/details does; lead to its receipt."""
    form = read_form(request)
    values: dict[str, Any] = {"token": form.get("token", ""), "has": request.form.getlist("has")}
    if interest := form.get("interest"):
        values["interest"] = interest
    if until := form.get("callUntil"):
        values["callUntil"] = until
    loaded = load_form(details.SCHEMA, values)
    try:
        details.store_details(loaded)
    except ValidationError as error:
        refuse(422, errors={"form": error.messages})
    # The page shows what stands there, so it is nothing but a reference.
    reference = form.get("reference", "")
    shown = reference if _REFERENCE.fullmatch(reference) else ""
    return redirect(f"/thank-you?reference={shown}&details=saved", 303)


def _key(form: Mapping[str, str], values: Mapping[str, Any]) -> str:
    """Return the idempotency key: the script's, or one of what was entered, from which network, and the day.

    So a double press, a reload, or Back and another press are one enquiry; the same entries from another network
    are not, and do not get its receipt. Keyed, since a key outlives an erasure.
    """
    key = form.get("key", "")
    if is_key(key):
        return key
    entered = digest(leads.SCHEMA, values).hex()
    sender = network_of(request.remote_addr)
    return current_context().guard.hash("form", f"{datetime.now(UTC):%Y-%m-%d}.{sender}.{entered}")
