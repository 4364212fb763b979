"""POST /api/page-failures: a page reports that a part of it failed.

It is counted and logged in a few known words, with nothing about the visitor.
"""

import logging
import re
from typing import Any

from flask import request
from flask_smorest import Blueprint

from api.context import current_context
from api.errors import documented
from api.parser import JsonBodyParser
from api.schemas import PageFailureSchema
from api.user_agents import OTHER, BrowserEngine, read_engine

NATIVE = "native"
KINDS = ("start", "chunk", "boundary", "mismatch", "error", NATIVE, OTHER)
_FILES = ("arrival", "app", "page", "sections", "form", "extras")
_HASHED = re.compile(r"-[\w-]{8}\.js$|\.js$", re.ASCII)

log = logging.getLogger(__name__)

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
    kind, file = values["kind"], _HASHED.sub("", values["file"] or "")
    engine = read_engine(request.user_agent.string)
    _count(kind if kind in KINDS else OTHER, file if file in _FILES else OTHER, engine)


def note_native_form() -> None:
    """Count a form that came without the script, if the browser could have run it."""
    engine = read_engine(request.user_agent.string)
    if engine.runs_app:
        _count(NATIVE, "form", engine)


def _count(kind: str, file: str, engine: BrowserEngine) -> None:
    context = current_context()
    if context.guard.takes_page_failure(request.remote_addr):
        context.count_page_failure(kind, engine.name)
        log.warning("page failure: %s of %s in %s %d", kind, file, engine.name, engine.version)
