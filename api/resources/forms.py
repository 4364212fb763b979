"""POST /enquiry and /details: the forms as a browser sends them by itself, where no script does.

A stored form leads to the page that shows its reference. Errors are those of the API; `web.plain` makes pages of
them.

The script fills three hidden fields where it can: `key` (the idempotency key), `start` (the start token) and
`visit` (what else it would send, as JSON). Without them the request's own headers say what they can.
"""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from flask import Blueprint, g, redirect, request
from marshmallow import Schema, ValidationError
from werkzeug import Response

from api.campaign import read_campaign
from api.context import current_context
from api.errors import refuse
from api.idempotency import digest, is_key
from api.parser import decode_json
from api.resources import details, leads
from api.resources.page_failures import note_native_form
from leads.addresses import network_of
from leads.tables import LONG_TRACKING_LENGTH
from leads.text import truncate

ENQUIRY, DETAILS = "/enquiry", "/details"
MEDIA_TYPE = "application/x-www-form-urlencoded"
# The longest form has about thirty. Reading thousands costs ten times any other request.
MAX_FIELDS = 200
# No token reads like this, so a form that another site sent is held as one with a forged token.
_OF_ANOTHER_SITE = "of another site"
_REFERENCE = re.compile(r"[0-9]{6}")

blueprint = Blueprint("forms", __name__)


@blueprint.post(ENQUIRY)
def post_enquiry() -> Response:
    """Store an enquiry as POST /api/leads does; lead to its receipt."""
    form = _read_form()
    marketing = form.get("marketing", "")
    # The country is that of the chosen option.
    own = {"countryIso": None, "marketingOptIn": bool(marketing), "marketingVersion": marketing}
    values = _load(leads.SCHEMA, {**(_visit_of(form) or {}), **form, **own})
    token = _OF_ANOTHER_SITE if _is_cross_site() else form.get("start")
    receipt = leads.store_lead(values, key=_key(form, values), token=token)
    note_native_form()
    token = current_context().guard.details_token(receipt.id)
    return redirect(f"/thank-you?reference={receipt.reference}&details={token}", 303)


@blueprint.post(DETAILS)
def post_details() -> Response:
    """Store what is added to an enquiry as POST /api/details does; lead to its receipt."""
    form = _read_form()
    answered = {name: form[name] for name in ("interest", "callUntil") if form.get(name)}
    body = {"token": form.get("token", ""), "has": request.form.getlist("has"), **answered}
    try:
        details.store_details(_load(details.SCHEMA, body))
    except ValidationError as error:
        refuse(422, errors={"form": error.messages})
    # The page shows whatever is in its address: nothing but a reference may get there.
    reference = form.get("reference", "")
    shown = reference if _REFERENCE.fullmatch(reference) else ""
    return redirect(f"/thank-you?reference={shown}&details=saved", 303)


def _read_form() -> dict[str, str]:
    """Return the fields; refuse the request (413, 415) when it is not a form of a size that people fill in.

    They are also kept as `g.form`: a page that says what is wrong shows them again.
    """
    if request.mimetype != MEDIA_TYPE:
        refuse(415, f"Send the form as {MEDIA_TYPE}.")
    if request.get_data().count(b"&") >= MAX_FIELDS:
        refuse(413)
    # Browsers send line breaks as two characters; the script sends one.
    form = {name: text.replace("\r\n", "\n") for name, text in request.form.items()}
    if _visit_of(form) is None:
        form["visit"] = json.dumps(_facts())
    g.form = form
    return form


def _load(schema: Schema, body: Mapping[str, Any]) -> dict[str, Any]:
    try:
        loaded: dict[str, Any] = schema.load(body)
    except ValidationError as error:
        refuse(422, errors={"form": error.messages})
    return loaded


def _key(form: Mapping[str, str], values: Mapping[str, Any]) -> str:
    """Return the idempotency key: the script's, or one of what was entered, from which network, and the day.

    So a double press, a reload, or Back and another press are one enquiry; the same entries from another network
    are not, and do not get its receipt. The hash is keyed, because the key stays after an erasure.
    """
    key = form.get("key", "")
    if is_key(key):
        return key
    entered = digest(leads.SCHEMA, values).hex()
    sender = network_of(request.remote_addr)
    return current_context().guard.hash("form", f"{datetime.now(UTC):%Y-%m-%d}.{sender}.{entered}")


def _is_cross_site() -> bool:
    """Whether another site's page sent the request, as far as the browser says.

    `Sec-Fetch-Site` is the browser's own judgement. Older browsers send only `Origin`; behind a proxy that changes
    the host it would make every page another site's.
    """
    if site := request.headers.get("Sec-Fetch-Site"):
        return site == "cross-site"
    origin = request.headers.get("Origin", "null")
    return origin != "null" and _host_of(origin) != _host_of(request.host_url)


def _visit_of(form: Mapping[str, str]) -> dict[str, Any] | None:
    """Return what the script knew of the visit; None when that is missing or unreadable."""
    try:
        visit = decode_json(form.get("visit", ""))
    except ValueError:
        return None
    return visit if isinstance(visit, dict) and visit else None


def _facts() -> dict[str, Any]:
    """Return what a request without a script says of the visit: the page, its campaign, language and browser."""
    facts: dict[str, Any] = {"language": request.accept_languages.best, "userAgent": request.user_agent.string}
    page = request.referrer or ""
    if _host_of(page) == _host_of(request.host_url):
        address = truncate(page, LONG_TRACKING_LENGTH)
        facts["currentUrl"] = address
        if campaign := read_campaign(urlsplit(page).query):
            arrival = {**campaign, "landingUrl": address}
            facts |= {**arrival, "firstTouch": arrival}
    return {name: value for name, value in facts.items() if value}


def _host_of(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None
