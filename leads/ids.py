"""Ids of rows: UUIDv7, in the order of their creation; references of leads, six digits of that time.

Rows that are written together then touch the same pages of an index, however many rows there are; random ids touch
a page each. An id shows when its row was created.
"""

import threading
import time
from uuid import UUID

from uuid_utils.compat import uuid7

_REFERENCES = 1_000_000  # a quarter of an hour of milliseconds

new_id = uuid7


def short_id(row_id: object) -> str:
    """Return an id's beginning as people are shown it: its millisecond, "019a8c3e-7f21"."""
    return str(row_id)[:13]


def created_at(row_id: UUID) -> float:
    """Return when an id of ours was made, in seconds since 1970."""
    return (row_id.int >> 80) / 1000


class References:
    """Six digits for people: the last of the time in milliseconds, or the next ones if these have been given."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0

    def new(self) -> str:
        """Return a reference that this process has not given for a quarter of an hour."""
        with self._lock:
            self._last = max(self._last + 1, time.time_ns() // 1_000_000)
            return f"{self._last % _REFERENCES:06}"


new_reference = References().new
