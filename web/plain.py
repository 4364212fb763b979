"""The plain pages: the forms for browsers that run no script, and what the server answers to what they send.

The build writes them as templates (frontend/src/pages/plain). Their names are `state` (in it one of those below is
true), `values` (what was typed) and `errors` (a message by field), and those of `web.plan`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any
from uuid import uuid4

from flask import Flask, Response, g, redirect, request
from jinja2 import Environment
from werkzeug import Response as Redirect

from api.forms import read_form
from api.resources.forms import DETAILS, ENQUIRY
from web.headers import Headers
from web.plan import fill_plan
from web.site import PLAIN, REVALIDATE, TEXT_HTML, Site, encode

PLAN = "/plan"  # answers to the price plan's questions
FORMS = (ENQUIRY, DETAILS, PLAN)
_OPEN, _FULL = "open", "full"  # the empty form, and the page while too many requests wait: that one has no form
_AGAIN, _UNREADABLE = "again", "unreadable"
_STATES = {403: "closed", 409: _AGAIN, 413: "long", 422: "invalid", 429: "limited", 500: "failed", 503: "failed"}


class PlainPages:
    """The pages of a site by address; none when it is not built."""

    def __init__(self, site: Site, security: Headers, plan: Mapping[str, Any] | None = None) -> None:
        """Prepare them. `plan`: the data of `leads.plan`; None: there is no price plan."""
        self._plan = plan
        environment = Environment(autoescape=True)
        self._templates = {
            address: environment.from_string(site.plain[f"{PLAIN}{address}.html"])
            for address in FORMS
            if f"{PLAIN}{address}.html" in site.plain
        }
        # Made beforehand: they are shown when there is too much to do.
        self.when_full = {
            address: encode({"identity": self._fill(address, _FULL).encode()}, TEXT_HTML, "no-store", security)
            for address in self._templates
        }

    def install(self, app: Flask) -> None:
        """Show the forms of `app`, and every error at their addresses as a page."""
        if self._templates:
            app.add_url_rule(ENQUIRY, "show_enquiry", self._show_enquiry)
            app.after_request(self._as_page)
        if self._plan and PLAN in self._templates:
            app.add_url_rule(PLAN, "show_plan", _show_plan)
            app.add_url_rule(PLAN, "answer_plan", partial(self._answer_plan, self._plan), methods=["POST"])

    def _show_enquiry(self) -> tuple[str, dict[str, str]]:
        return self._fill(ENQUIRY, _OPEN), {"Cache-Control": REVALIDATE}

    def _answer_plan(self, data: Mapping[str, Any]) -> tuple[str, dict[str, str]]:
        filled = fill_plan(data, read_form(request))
        page = self._templates[PLAN].render(state={_OPEN: True}, errors={}, **filled)
        return page, {"Cache-Control": "no-store"}

    def _as_page(self, response: Response) -> Response:
        """Return an error of the API as a page, with its status and headers, and with all that was typed."""
        if response.status_code < 400 or request.path not in self._templates:  # noqa: PLR2004 - the first error
            return response
        state = _STATES.get(response.status_code, _UNREADABLE)
        values = dict(g.get("form", {}))
        if state == _AGAIN:
            values["key"] = str(uuid4())  # pressed again, it is an enquiry of its own
        told = (response.get_json() or {}).get("errors", {}).get("form", {})
        # A missing country is shown at the phone, as in the script's form.
        errors = {"phone" if field == "countryCode" else field: messages[0] for field, messages in told.items()}
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
        empty: dict[str, Any] = {name: {} for name in ("chosen", "marks", "said", "answer")}
        return self._templates[address].render(
            state={state: True}, values=values or {}, errors=errors or {}, **empty
        )


def _show_plan() -> Redirect:
    return redirect("/your-plan", 303)
