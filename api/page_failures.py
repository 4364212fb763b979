"""What is counted and logged of a failure on a page: few words that are known, and nothing about the visitor."""

from __future__ import annotations

import logging
import re

from flask import request

from api.context import current_context
from api.engines import OTHER, BrowserEngine, read_engine

log = logging.getLogger(__name__)

NATIVE = "native"
KINDS = ("start", "chunk", "boundary", "mismatch", "error", NATIVE, OTHER)
_FILES = ("arrival", "app", "page", "sections", "form", "extras")
_HASHED = re.compile(r"-[\w-]{8}\.js$|\.js$", re.ASCII)


def file_name(sent: str) -> str:
    """Return a script's name without its build's hash ("form-BUHDtnkY.js" → "form"); "other" for unknown ones."""
    name = _HASHED.sub("", sent)
    return name if name in _FILES else OTHER


def note_page_failure(kind: str, file: str) -> None:
    """Count what the page of the present request reports; what is too much is dropped."""
    _count(kind if kind in KINDS else OTHER, file_name(file), read_engine(request.user_agent.string))


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
