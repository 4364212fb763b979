"""GET /api/docs: the OpenAPI document as a page, rendered here, without scripts and without any third party.

The page knows only the document; `compose.py` hands it over. What the document says is written at the resources.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from flask import Blueprint, render_template
from markupsafe import Markup, escape

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

DESCRIPTION = (
    "What the clinic's site sends to its server: enquiries from the form, taps on the WhatsApp buttons, and "
    "complaints about personal data. A 201 means that the data is on disk, whatever else is down; enquiries and "
    "taps will reach the clinic's CRM."
)


def make_docs(read_document: Callable[[], Mapping[str, Any]]) -> Blueprint:
    """The page and its style sheet, as a blueprint. The document is read at each view; nobody views it often."""
    blueprint = Blueprint(
        "docs",
        __name__,
        url_prefix="/api/docs",
        template_folder="templates",
        static_folder="static",
        static_url_path="/static",
    )
    blueprint.add_app_template_filter(_pretty, "pretty_json")
    blueprint.add_app_template_filter(_mark_code, "mark_code")

    def page() -> str:
        document = read_document()
        return render_template("docs.html", document=document, operations=list_operations(document))

    blueprint.add_url_rule("", view_func=page)
    return blueprint


def list_operations(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The document's operations flattened for reading: one entry for each method of each path."""
    return [
        {
            "id": path.strip("/").replace("/", "-"),
            "method": method.upper(),
            "path": path,
            "summary": operation["summary"],
            "description": operation.get("description", ""),
            "parameters": operation.get("parameters", []),
            "body": _read_body(document, operation),
            "responses": [{"code": code, **answer} for code, answer in sorted(operation["responses"].items())],
        }
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if method in {"get", "post"}
    ]


def _read_body(document: Mapping[str, Any], operation: Mapping[str, Any]) -> dict[str, Any] | None:
    if "requestBody" not in operation:
        return None
    content = operation["requestBody"]["content"]["application/json"]
    schema = document["components"]["schemas"][content["schema"]["$ref"].rpartition("/")[2]]
    required = schema.get("required", [])
    fields = [{"name": name, "required": name in required, **field} for name, field in schema["properties"].items()]
    fields.sort(key=lambda field: not field["required"])  # stable: the rest keep the schema's order
    return {"fields": fields, "example": content.get("example")}


def _mark_code(text: str) -> Markup:
    """The text, escaped, with `names` in back-ticks as code."""
    parts = escape(text).split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if number % 2 else part for number, part in enumerate(parts)
    )


def _pretty(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
