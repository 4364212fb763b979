"""The logs: one line per event, UTC, no personal data (ids, codes and counts only); as text or as JSON."""

from __future__ import annotations

import json
import logging
import time
from contextvars import ContextVar
from datetime import UTC, datetime

TEXT, JSON = "text", "json"
# The id of the HTTP request that is being answered; every line that is logged meanwhile has it.
REQUEST_ID: ContextVar[str] = ContextVar("REQUEST_ID", default="")

# What every record has; anything else on a record was given as `extra`.
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}


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
        super().__init__(
            "%(asctime)s.%(msecs)03dZ %(levelname)s %(name)s: %(message)s%(request)s", "%Y-%m-%dT%H:%M:%S"
        )
        self.converter = time.gmtime

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, with the stack trace below it."""
        request_id = REQUEST_ID.get()
        vars(record)["request"] = f" (request {request_id})" if request_id else ""
        return super().format(record)


class JsonLines(logging.Formatter):
    """A JSON object on one line: what every line has, what was given as `extra`, and a stack trace as text."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the object."""
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if request_id := REQUEST_ID.get():
            line["request_id"] = request_id
        line |= {name: value for name, value in vars(record).items() if name not in _STANDARD}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)
