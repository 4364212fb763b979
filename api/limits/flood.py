"""The flood breaker: how many enquiries an hour are let through to the CRM, from all visitors together."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from enum import IntEnum

from leads.db import StoreUnavailable

log = logging.getLogger(__name__)

# The database's count is read this often at most; what this process lets through in between is added.
READ_SECONDS = 5.0
LEARN_SECONDS = 600.0
# With the best of histories, enquiries are let through up to this multiple of the limit.
TRUSTED_MULTIPLE = 3


class Flood(IntEnum):
    """What the breaker lets through: everything, only what has a good history, nothing."""

    NONE = 0
    RISING = 1
    FULL = 2


class FloodBreaker:
    """Counts what was let through within the last hour against a multiple of the usual busy hour.

    `last_hour` and `usual` ask the database; they run in a thread of their own, never in a request.
    """

    def __init__(
        self, last_hour: Callable[[], int], usual: Callable[[], int], *, least: int, multiple: int
    ) -> None:
        self._last_hour, self._usual = last_hour, usual
        self._least, self._multiple = least, multiple
        self._limit = least
        self._read = 0
        self._since = 0
        self._read_at = self._learnt_at = float("-inf")
        self._thread: threading.Thread | None = None
        self._reading = threading.Lock()
        self.state = Flood.NONE

    @property
    def limit(self) -> int:
        """How many enquiries an hour are usual enough."""
        return self._limit

    def check(self) -> Flood:
        """Return the current state; start to read the database's count when the last one is old."""
        if time.monotonic() - self._read_at > READ_SECONDS and self._reading.acquire(blocking=False):
            self._thread = threading.Thread(target=self._learn, name="flood", daemon=True)
            self._thread.start()
        count = self._read + self._since
        state = Flood((count >= self._limit) + (count >= self._limit * TRUSTED_MULTIPLE))
        if state is not self.state:
            self._tell(state, count)
        return state

    def note_let_through(self) -> None:
        """Count an enquiry that is on its way to the CRM."""
        self._since += 1

    def close(self, seconds: float = 2.0) -> None:
        """Read no more; wait for a read in progress."""
        self._read_at = float("inf")
        if self._thread is not None:
            self._thread.join(seconds)

    def _tell(self, state: Flood, count: int) -> None:
        before, self.state = self.state, state
        if state is Flood.NONE:
            log.warning("flood: over, %d enquiries within the last hour; all are let through again", count)
        elif state > before:
            which = "those without a good history" if state is Flood.RISING else "all further ones"
            log.error("flood: %d enquiries within the last hour, limit %d; %s are held", count, self._limit, which)

    def _learn(self) -> None:
        try:
            since = self._since
            self._read = self._last_hour()
            self._since -= since
            if time.monotonic() - self._learnt_at > LEARN_SECONDS:
                self._limit = max(self._least, self._multiple * self._usual())
                self._learnt_at = time.monotonic()
        except StoreUnavailable as error:
            log.info("flood: PostgreSQL did not count (%s); the last figures stand", error)
        finally:
            self._read_at = max(self._read_at, time.monotonic())
            self._reading.release()
