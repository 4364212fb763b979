"""The wall clock of a call: it ends on time whatever the other side drips. sockets.py opens sockets."""

from __future__ import annotations

import os
import socket
import threading
import time
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class DeadlinePassedError(TimeoutError):
    """The wall clock ran out."""


class Deadline:
    """A moment on the monotonic clock, shared by every exchange of one client call."""

    def __init__(self, seconds: float) -> None:
        self._at = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, self._at - time.monotonic())


class Watch:
    """One exchange under a deadline: a timer shuts the socket down, which ends any read or write on it.

    A duplicate of the descriptor is kept, because TLS and the pool replace and close the original one, and a
    number closed here could already be another connection's when the timer strikes.
    """

    def __init__(self, deadline: Deadline) -> None:
        self.deadline = deadline
        self.sent = False
        self.fired = False
        self._lock = threading.Lock()
        self._duplicate: socket.socket | None = None
        self._timer = threading.Timer(deadline.left(), self._fire)
        self._timer.daemon = True

    def attach(self, sock: socket.socket) -> None:
        """Puts a socket under the clock, in place of the one before; DeadlinePassedError if too late."""
        duplicate = socket.socket(fileno=os.dup(sock.fileno()))
        with self._lock:
            self._drop()
            self._duplicate = duplicate
            if not self.fired:
                return
            self._drop()
        raise DeadlinePassedError

    def start(self) -> None:
        """Starts the clock."""
        self._timer.start()

    def stop(self) -> None:
        """Stops the clock and forgets the socket."""
        self._timer.cancel()
        with self._lock:
            self._drop()

    def _fire(self) -> None:
        with self._lock:
            self.fired = True
            if self._duplicate is not None:
                with suppress(OSError):  # the other side may have closed it already
                    self._duplicate.shutdown(socket.SHUT_RDWR)
                self._drop()

    def _drop(self) -> None:
        if self._duplicate is not None:
            self._duplicate.close()
            self._duplicate = None


_current: ContextVar[Watch | None] = ContextVar("zoho_watch", default=None)


def current_watch() -> Watch | None:
    """The exchange that this thread is in."""
    return _current.get()


@contextmanager
def watched(deadline: Deadline) -> Iterator[Watch]:
    """Runs an exchange under the deadline; connections opened or reused in it find the watch themselves."""
    watch = Watch(deadline)
    token = _current.set(watch)
    watch.start()
    try:
        yield watch
    finally:
        _current.reset(token)
        watch.stop()
