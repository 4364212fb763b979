"""Waiting for a condition, with a time limit."""

import threading
import time
from collections.abc import Callable


def wait_until(check: Callable[[], bool], seconds: float, *, every: float = 0.05) -> bool:
    """Poll `check` until it is true (returns True) or `seconds` have passed (returns False)."""
    never = threading.Event()
    end = time.monotonic() + seconds
    while not check():
        if time.monotonic() >= end:
            return False
        never.wait(every)
    return True
