"""What a form says that the browser itself sends, without any script: the same fields as the API's bodies.

The script fills three hidden fields where it can: `key` (the idempotency key), `start` (the start token) and
`visit` (what else it would send, as JSON). Without them the request's own headers say what they can.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from flask import Request, g
from marshmallow import Schema, ValidationError

from api.campaign import read_campaign
from api.errors import refuse
from api.parser import decode_json
from leads.tables.columns import LONG_TRACKING_LENGTH
from leads.text import truncate

MEDIA_TYPE = "application/x-www-form-urlencoded"
# The longest form has about thirty. Reading thousands costs ten times any other request.
MAX_FIELDS = 200
# No token reads like this: to the limits a form that another site sent is one with a forged token.
_OF_ANOTHER_SITE = "of another site"


def read_form(request: Request) -> dict[str, str]:
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
        form["visit"] = json.dumps(_facts_of(request))
    g.form = form
    return form


def load_form(schema: Schema, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body as `schema` loads it; refuse the request (422) with a message at each field."""
    try:
        loaded: dict[str, Any] = schema.load(body)
    except ValidationError as error:
        refuse(422, errors={"form": error.messages})
    return loaded


def lead_body(form: Mapping[str, str]) -> dict[str, Any]:
    """Return a form's enquiry as POST /api/leads takes it."""
    marketing = form.get("marketing", "")
    own = {
        "countryIso": None,  # the option's own
        "marketingOptIn": bool(marketing),
        "marketingVersion": marketing,
    }
    return {**(_visit_of(form) or {}), **form, **own}


def start_token(request: Request, form: Mapping[str, str]) -> str | None:
    """Return the form's start token, None without one; an invalid one when another site sent the form."""
    return _OF_ANOTHER_SITE if is_cross_site(request) else form.get("start")


def is_cross_site(request: Request) -> bool:
    """Whether another site's page sent the request, as far as the browser says.

    The first header is the browser's own judgement. Older browsers send the second one, where proxies that change
    the host would make every page another site's.
    """
    if site := request.headers.get("Sec-Fetch-Site"):
        return site == "cross-site"
    origin = request.headers.get("Origin", "null")
    return origin != "null" and _host_of(origin) != _own_host(request)


def _visit_of(form: Mapping[str, str]) -> dict[str, Any] | None:
    """Return what the script knew of the visit; None when that is missing or unreadable."""
    try:
        visit = decode_json(form.get("visit", ""))
    except ValueError:
        return None
    return visit if isinstance(visit, dict) and visit else None


def _facts_of(request: Request) -> dict[str, Any]:
    """Return what a request without a script says of the visit: the page, its campaign, language and browser."""
    facts: dict[str, Any] = {
        "language": request.accept_languages.best,
        "userAgent": request.user_agent.string,
    }
    page = request.referrer or ""
    if _host_of(page) == _own_host(request):
        address = truncate(page, LONG_TRACKING_LENGTH)
        facts["currentUrl"] = address
        if campaign := read_campaign(urlsplit(page).query):
            arrival = {**campaign, "landingUrl": address}
            facts |= {**arrival, "firstTouch": arrival}
    return {name: value for name, value in facts.items() if value}


def _own_host(request: Request) -> str | None:
    return _host_of(request.host_url)


def _host_of(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None
