"""The forms for browsers that run no script, and the pages that answer them.

The build writes a page for each state (frontend/src/pages/AnswerPage.tsx). Here its form is filled in, by the names
of its fields.
"""

import re
from collections.abc import Mapping, Sequence
from html import escape, unescape
from uuid import uuid4

from flask import Flask, Response, g, request

from api.resources.forms import ENQUIRY
from web.pages import REVALIDATE, TEXT_HTML

_OPEN, _AGAIN, _UNREADABLE = "open", "again", "unreadable"
_STATES = {403: "closed", 409: _AGAIN, 413: "long", 422: "invalid", 429: "limited", 500: "failed", 503: "failed"}
# What an answer changes: the fields of a form, and the places of its messages.
_TAG = re.compile(r"<(input|textarea|select|option|\w+(?=[^>]* data-(?:error|message)=))\b([^>]*?)(/?>)")
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')

Typed = Mapping[str, Sequence[str]]


class PlainPages:
    """The pages of a site by the name of their file; none when it is not built."""

    def __init__(self, pages: Mapping[str, str]) -> None:
        self._pages = pages

    def install(self, app: Flask) -> None:
        """Show the forms of `app`, and every error at their addresses as a page."""
        if self._find(ENQUIRY, _OPEN):
            app.add_url_rule(ENQUIRY, "show_enquiry", self._show_enquiry)
            app.after_request(self._as_page)

    def _find(self, address: str, state: str) -> str | None:
        names = (f"plain{address}-{each}.html" for each in (state, _UNREADABLE))
        return next((self._pages[name] for name in names if name in self._pages), None)

    def _show_enquiry(self) -> tuple[str, dict[str, str]]:
        return self._find(ENQUIRY, _OPEN) or "", {"Cache-Control": REVALIDATE}

    def _as_page(self, response: Response) -> Response:
        """Return an error of the API as a page, with its status and headers, and with all that was typed."""
        state = _STATES.get(response.status_code, _UNREADABLE)
        if response.status_code < 400 or not (page := self._find(request.path, state)):  # noqa: PLR2004 - the first error
            return response
        typed = {name: [text, *request.form.getlist(name)] for name, text in g.get("form", {}).items()}
        if state == _AGAIN:
            typed["key"] = [str(uuid4())]  # pressed again, it is an enquiry of its own
        told = (response.get_json() or {}).get("errors", {}).get("form", {})
        # A missing country is shown at the phone, as in the script's form, with the number's own message.
        errors = {field: messages[0] for field, messages in told.items() if field != "countryCode"}
        if country := told.get("countryCode"):
            errors["phone"] = ". ".join([country[0], *filter(None, [errors.get("phone")])])
        response.set_data(fill_form(page, typed, errors))
        response.content_type = TEXT_HTML
        return response


def fill_form(page: str, typed: Typed, errors: Mapping[str, str]) -> str:
    """Return a built page with what was typed, and the errors; the first field that has one gets the focus."""
    return _TAG.sub(_Filler(typed, errors), page)


class _Filler:
    """Replaces the tags of a form one after the other."""

    def __init__(self, typed: Typed, errors: Mapping[str, str]) -> None:
        self._typed, self._errors = typed, errors
        self._select = ""  # whose options follow
        self._focus = " autofocus"

    def __call__(self, tag: re.Match[str]) -> str:
        kind, text, end = tag.groups()
        attributes = dict(_ATTRIBUTE.findall(text))
        if field := attributes.get("data-message"):
            return tag[0] + escape(self._errors.get(field, ""))
        if field := attributes.get("data-error"):
            return tag[0].replace(' hidden=""', "") if field in self._errors else tag[0]
        if kind == "option":
            words = tag.string[tag.end() : tag.string.index("<", tag.end())]  # its value, where it has no other
            chosen = attributes.get("value", unescape(words)) in self._typed.get(self._select, ())
            return f"<option{text} selected>" if chosen else tag[0]
        name = attributes.get("name", "")
        if kind == "select":
            self._select = name
            return tag[0]
        text = self._with_value(kind, name, text, attributes) + self._mark(name)
        return f"<{kind}{text}{end}" + (escape(self._first(name)) if kind == "textarea" else "")

    def _with_value(self, kind: str, name: str, text: str, attributes: Mapping[str, str]) -> str:
        if attributes.get("type") in {"checkbox", "radio"}:
            if name not in self._typed:
                return text
            return text.replace(' checked=""', "") + " checked" * (attributes["value"] in self._typed[name])
        return (
            text if kind == "textarea" or "value" in attributes else f'{text} value="{escape(self._first(name))}"'
        )

    def _mark(self, name: str) -> str:
        if name not in self._errors:
            return ""
        focus, self._focus = self._focus, ""
        return f' aria-invalid="true"{focus}'

    def _first(self, name: str) -> str:
        return next(iter(self._typed.get(name, ())), "")
