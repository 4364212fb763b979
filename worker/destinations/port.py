"""What the delivery needs of a destination. Claims, leases, waits, pauses and the log are the delivery's own."""

import time
from dataclasses import dataclass
from typing import Protocol

from leads.lifecycle import Outcome
from leads.outbox.claim import Claimed


@dataclass(frozen=True, slots=True)
class Call:
    """A call for a claimed row. No further call begins after `deadline`, or the lease could end in it."""

    id: str  # further calls get it with a suffix
    deadline: float  # of the monotonic clock

    def may_begin(self) -> bool:
        """Whether there is time for another call."""
        return time.monotonic() < self.deadline


class Destination(Protocol):
    """An adapter; safe to share between threads."""

    @property
    def name(self) -> str:
        """Stored with each row, so that it stays as it is."""

    @property
    def calls(self) -> int | None:
        """How many calls at once in one process; None: as many as it has threads."""

    def send(self, row: Claimed, call: Call) -> Outcome:
        """Send a row; return the outcome. An exception is a fault of our own."""
