"""The calls to the CRM that are in flight in this process, of which one may ask the others to wait."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class ProcessCalls:
    """Counts callers. One whose row may kill workers can be alone: then only that row explains a death."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._callers = 0
        self._is_closed = False

    @property
    def is_closed(self) -> bool:
        """Whether a caller is alone, or waits until it is."""
        return self._is_closed

    @contextmanager
    def join(self) -> Iterator[bool]:
        """Be a caller while the block runs; yields False, and counts no one, while a caller is to be alone."""
        with self._changed:
            is_free = not self._is_closed
            self._callers += is_free
        try:
            yield is_free
        finally:
            with self._changed:
                self._callers -= is_free
                self._changed.notify_all()

    @contextmanager
    def alone(self, patience: float) -> Iterator[bool]:
        """Keep other callers out while the block runs; for one caller at a time.

        Yields False when those that are in flight did not end within `patience` seconds; then none is kept out.
        """
        with self._changed:
            self._is_closed = True
            is_alone = self._changed.wait_for(lambda: self._callers == 1, patience)
            self._is_closed = is_alone
        try:
            yield is_alone
        finally:
            with self._changed:
                self._is_closed = False
