"""Which core a measured process may use. A process that can use only one is measured on one, alike for all sides.

Between two cores, threads that take turns on one interpreter wait for each other's wake-ups.
"""

from __future__ import annotations

import os
from contextlib import suppress


def cores() -> list[int]:
    """The cores that this process may use; empty where the system cannot pin."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def pin(pid: int | None, place: int = 0) -> None:
    """Pin a process that has just started, and the threads it will start, to one core.

    Does nothing on a machine with one core. `place`: counts from the last core, for processes side by side.
    """
    allowed = cores()
    if pid is not None and len(allowed) > 1:
        with suppress(ProcessLookupError):  # it has ended, which its owner will report
            os.sched_setaffinity(pid, {allowed[-1 - place % len(allowed)]})
