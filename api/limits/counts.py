"""Counts of requests by name, in this process alone. Memory is bounded: the names unused for longest go first."""

import math
import threading
import time
from collections.abc import Hashable

# About 20 MB. A request uses eight names at most, so a flood pushes out what nobody of the last minutes has used.
MAX_NAMES = 50_000


class Counts:
    """Counts within windows of time; a name's window begins with its first request."""

    def __init__(self) -> None:
        # When it ends, and the count; the one used last stands at the end.
        self._windows: dict[Hashable, tuple[float, int]] = {}
        self._lock = threading.Lock()

    def add(self, name: Hashable, seconds: float, by: int = 1) -> tuple[int, int]:
        """Count a request under a name; return the count, and in how many seconds it begins anew. 0 only looks."""
        now = time.monotonic()
        with self._lock:
            ends, count = self._windows.pop(name, (0.0, 0))
            if now >= ends:
                ends, count = now + seconds, 0
            self._windows[name] = ends, count + by
            if len(self._windows) > MAX_NAMES:
                del self._windows[next(iter(self._windows))]
        return count + by, math.ceil(ends - now)
