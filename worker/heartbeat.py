"""The heartbeat of a worker process: a file with the time of its last tick, for a health check of that process.

The database records only that some worker ticked. tick.py does the ticking.
"""

from __future__ import annotations

import logging
import time
from pathlib import Path

from leads.settings import Settings

log = logging.getLogger(__name__)

# A tick that delivers by itself (Redis is unavailable) may make several calls, and send mail, before the next tick.
_CALLS_IN_A_TICK = 6


def write_heartbeat(path: Path | None) -> None:
    """Record that this process has just ticked. Without a path it does nothing; a full disk stops no delivery."""
    if path is None:
        return
    fresh = path.with_name(f"{path.name}.new")
    try:
        fresh.write_text(f"{time.monotonic():.3f}")
        fresh.replace(path)
    except OSError as error:
        log.warning("the heartbeat could not be written: %s", error.strerror)


def heartbeat_age(path: Path) -> float | None:
    """Seconds since the last tick; None when there was none since the machine booted."""
    try:
        seconds = time.monotonic() - float(path.read_text())
    except (OSError, ValueError):
        return None
    return seconds if seconds >= 0 else None


def max_tick_seconds(settings: Settings) -> float:
    """Seconds without a tick after which a worker counts as unhealthy."""
    return settings.crm_tick_seconds + _CALLS_IN_A_TICK * settings.crm_call_seconds
