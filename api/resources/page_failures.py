"""POST /api/page-failures: a page reports that a part of it failed. Counted and logged."""

from __future__ import annotations

from typing import Any

from flask_smorest import Blueprint

from api.errors import documented
from api.page_failures import note_page_failure
from api.parser import JsonBodyParser
from api.schemas import PageFailureSchema

blueprint = Blueprint("page_failures", __name__, url_prefix="/api", description="What fails on pages.")
blueprint.ARGUMENTS_PARSER = JsonBodyParser()


@blueprint.post("/page-failures")
@blueprint.arguments(PageFailureSchema, example={"kind": "chunk", "file": "form-BUHDtnkY.js"})
@blueprint.response(204)
@documented(blueprint, 400, 413, 415, 422, 500)
def post_page_failure(values: dict[str, Any]) -> None:
    """Count a failure on a page

    By kind, and the engine that the User-Agent names; the log has its major version and the file. Nothing about the
    visitor is kept. What comes too often is not counted; the answer is the same.
    """
    note_page_failure(values["kind"] or "", values["file"] or "")
