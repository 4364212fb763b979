"""The format of the logs: one line per event, UTC, no personal data (ids, codes and counts only)."""

from __future__ import annotations

import logging
import time


def configure_logs(level: int = logging.INFO) -> None:
    """Send every logger's lines to standard error; a second call changes nothing."""
    root = logging.getLogger()
    if root.handlers:
        return
    formatter = logging.Formatter(
        "%(asctime)s.%(msecs)03dZ %(levelname)s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%S"
    )
    formatter.converter = time.gmtime
    handler = logging.StreamHandler()
    handler.setFormatter(formatter)
    root.addHandler(handler)
    root.setLevel(level)
