"""The logs: one line per event, UTC, no personal data (ids, codes and counts only); as text or as JSON."""

from __future__ import annotations

import logging
import time
from contextvars import ContextVar
from typing import Any

from pythonjsonlogger.json import JsonFormatter

TEXT, JSON = "text", "json"
# The id of the HTTP request that is being answered; every line that is logged meanwhile has it.
REQUEST_ID: ContextVar[str] = ContextVar("REQUEST_ID", default="")


def configure_logs(form: str = TEXT, level: int = logging.INFO) -> None:
    """Send every logger's lines to standard error, as TEXT or JSON; a second call changes nothing."""
    root = logging.getLogger()
    if root.handlers:
        return
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if form == JSON else TextLines())
    root.addHandler(handler)
    root.setLevel(level)


class TextLines(logging.Formatter):
    """A line for people; the id of the request is at the end of its message."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s.%(msecs)03dZ %(levelname)s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%S")
        self.converter = time.gmtime

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """Return the line without the stack trace."""
        request_id = REQUEST_ID.get()
        return super().formatMessage(record) + (f" (request {request_id})" if request_id else "")


class JsonLines(JsonFormatter):
    """A JSON object on one line: what every line has, what was given as `extra`, and a stack trace as text."""

    def __init__(self) -> None:
        names = {"levelname": "level", "name": "logger", "exc_info": "trace"}
        super().__init__(["levelname", "name", "message"], rename_fields=names, timestamp="time")

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        """Add the id of the request."""
        request_id = REQUEST_ID.get()
        return log_data | ({"request_id": request_id} if request_id else {})
