"""GET /api/docs: the OpenAPI document as a page, rendered here, without scripts and without any third party."""

from __future__ import annotations

from flask import Blueprint

DESCRIPTION = "What the clinic's site sends. Answers and errors are JSON; an accepted enquiry is on disk."

blueprint = Blueprint("docs", __name__, url_prefix="/api/docs")
