"""The plain pages: the forms for browsers that run no script, and what the server answers to what they send.

The build writes them as templates (frontend/src/pages/plain). Their names are `state` (in it one of those below is
true), `values` (what was typed) and `errors` (a message by field).
"""

from __future__ import annotations

from collections.abc import Mapping
from uuid import uuid4

from flask import Flask, Response, g, request
from jinja2 import Environment

from api.resources.forms import DETAILS, ENQUIRY
from web.site import REVALIDATE, TEXT_HTML, Site

FORMS = (ENQUIRY, DETAILS)
_OPEN, _AGAIN, _UNREADABLE = "open", "again", "unreadable"
_STATES = {403: "closed", 409: _AGAIN, 413: "long", 422: "invalid", 429: "limited", 500: "failed", 503: "failed"}


class PlainPages:
    """The pages of a site by address; none when it is not built."""

    def __init__(self, site: Site) -> None:
        environment = Environment(autoescape=True)
        self._templates = {
            address: environment.from_string(site.plain[f"plain{address}.html"])
            for address in FORMS
            if f"plain{address}.html" in site.plain
        }

    def install(self, app: Flask) -> None:
        """Show the forms of `app`, and every error at their addresses as a page."""
        if self._templates:
            app.add_url_rule(ENQUIRY, "show_enquiry", self._show_enquiry)
            app.after_request(self._as_page)

    def _show_enquiry(self) -> tuple[str, dict[str, str]]:
        return self._fill(ENQUIRY, _OPEN), {"Cache-Control": REVALIDATE}

    def _as_page(self, response: Response) -> Response:
        """Return an error of the API as a page, with its status and headers, and with all that was typed."""
        if response.status_code < 400 or request.path not in self._templates:  # noqa: PLR2004 - the first error
            return response
        state = _STATES.get(response.status_code, _UNREADABLE)
        values = dict(g.get("form", {}))
        if state == _AGAIN:
            values["key"] = str(uuid4())  # pressed again, it is an enquiry of its own
        told = (response.get_json() or {}).get("errors", {}).get("form", {})
        # A missing country is shown at the phone, as in the script's form, with the number's own message.
        errors = {field: messages[0] for field, messages in told.items() if field != "countryCode"}
        if country := told.get("countryCode"):
            errors["phone"] = ". ".join([country[0], *filter(None, [errors.get("phone")])])
        response.set_data(self._fill(request.path, state, values, errors))
        response.content_type = TEXT_HTML
        return response

    def _fill(
        self,
        address: str,
        state: str,
        values: Mapping[str, str] | None = None,
        errors: Mapping[str, str] | None = None,
    ) -> str:
        return self._templates[address].render(state={state: True}, values=values or {}, errors=errors or {})
