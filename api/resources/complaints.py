"""POST /api/complaints: a complaint about how personal data is handled becomes an entry in the register."""

from __future__ import annotations

from typing import Any

from flask import request
from flask_smorest import Blueprint

from api.context import current_context
from api.openapi import post_operation
from api.parser import JsonBodyParser
from api.schemas import ComplaintReceiptSchema, ComplaintSchema
from leads.privacy.complaints import record_complaint

EXAMPLES = {
    "body": {
        "name": "Ada Sample",
        "email": "ada@example.com",
        "text": "I asked for my data three weeks ago and have heard nothing.",
    },
    "receipt": {"success": True, "reference": "C-0402117"},
    "errors": {"text": ["Please tell us what happened"]},
}

SCHEMA = ComplaintSchema()

blueprint = Blueprint("complaints", __name__, url_prefix="/api", description="Complaints about personal data.")
blueprint.ARGUMENTS_PARSER = JsonBodyParser()


@post_operation(
    blueprint,
    "/complaints",
    SCHEMA,
    ComplaintReceiptSchema(),
    errors=(400, 413, 415, 422, 429, 500, 503),
    examples=EXAMPLES,
)
def post_complaint(values: dict[str, Any]) -> dict[str, Any]:
    """Store a complaint about personal data

    The answer means that the complaint is in the register under the reference. A person reads and answers it; it is
    not sent to the CRM. The same complaint within a day gets the reference of the first.
    """
    return {"success": True, "reference": store_complaint(values, suspect=values.pop("website"))}


def store_complaint(values: dict[str, Any], *, suspect: bool) -> str:
    """Store a complaint, in whatever way it came; return its reference.

    `values`: name, email and text as `SCHEMA` loaded them. `suspect`: no person seems to have sent it.
    """
    context = current_context()
    held = context.guard.check_complaint(address=request.remote_addr, honeypot=suspect)
    reference = record_complaint(context.engine, values, held=held is not None)
    context.count("complaint", "held" if held else "accepted")
    return reference
