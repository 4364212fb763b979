"""The logs: one line per event, UTC, no personal data (ids, codes and counts only); as text or as JSON."""

import logging
import time
from contextvars import ContextVar
from typing import Any

from pythonjsonlogger.json import JsonFormatter

TEXT, JSON = "text", "json"
# The `traceparent` (W3C Trace Context: 00-trace id-caller-flags) of the present request or task; "" for none.
TRACEPARENT: ContextVar[str] = ContextVar("TRACEPARENT", default="")


def trace_id() -> str:
    """Return the id of the present trace, which every line that is logged meanwhile has; "" outside of one."""
    return TRACEPARENT.get()[3:35]


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
    """A line for people; the id of the trace is at the end of its message."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s.%(msecs)03dZ %(levelname)s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%S")
        self.converter = time.gmtime

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """Return the line without the stack trace."""
        return super().formatMessage(record) + (f" (trace {found})" if (found := trace_id()) else "")


class JsonLines(JsonFormatter):
    """A JSON object on one line: what every line has, what was given as `extra`, and a stack trace as text."""

    def __init__(self) -> None:
        names = {"levelname": "level", "name": "logger", "exc_info": "trace"}
        super().__init__(["levelname", "name", "message"], rename_fields=names, timestamp="time")

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        """Add the id of the trace."""
        return log_data | ({"trace_id": found} if (found := trace_id()) else {})
