"""The pulse of a worker process: a file that says when it last ticked, for whoever watches that one process.

The database knows only that some worker ticked. What a tick does stands in `ticking.py`.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from leads.settings import Settings

log = logging.getLogger(__name__)

# A tick that delivers by itself (Redis is away) may make several calls, and send mail, before the next one begins.
_CALLS_IN_A_TICK = 6


def write_heartbeat(path: Path | None) -> None:
    """Note that this process has just ticked. Without a path nothing is kept; a full disk stops no delivery."""
    if path is None:
        return
    fresh = path.with_name(f"{path.name}.new")
    try:
        fresh.write_text(f"{time.monotonic():.3f}")
        fresh.replace(path)
    except OSError as error:
        log.warning("the pulse could not be kept: %s", error.strerror)


def heartbeat_age(path: Path) -> float | None:
    """Seconds since the last tick; None when there was none since the machine started."""
    try:
        seconds = time.monotonic() - float(path.read_text())
    except (OSError, ValueError):
        return None
    return seconds if seconds >= 0 else None


def max_tick_seconds(settings: Settings) -> float:
    """Seconds after which a worker that has not ticked is not well."""
    return settings.crm_tick_seconds + _CALLS_IN_A_TICK * settings.crm_call_seconds
