"""A wall clock for an exchange over a socket: however slowly bytes come, it ends when its time is over.

The time-outs of `requests` and `smtplib` count from read to read, so an answer of one byte every few seconds would
never end.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class DeadlinePassedError(TimeoutError):
    """The deadline has passed."""


class Deadline:
    """An instant on the monotonic clock; several exchanges may share it."""

    def __init__(self, seconds: float) -> None:
        self._at = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, self._at - time.monotonic())

    @contextmanager
    def watch(self) -> Iterator[Watch]:
        """Watch the exchange that runs in this context."""
        watch = Watch(self.left())
        try:
            yield watch
        finally:
            watch.stop()


class Watch:
    """One exchange: a timer shuts its socket down, which ends any read or write on it.

    fired: the time is over. sent: for the exchange to set when something may have left this machine.

    The watch keeps a duplicate of the descriptor, because TLS and pools replace and close the original, whose
    number could belong to another connection when the timer fires.
    """

    def __init__(self, seconds: float) -> None:
        self.fired = False
        self.sent = False
        self._lock = threading.Lock()
        self._duplicate: socket.socket | None = None
        self._timer = threading.Timer(seconds, self._fire)
        self._timer.daemon = True
        self._timer.start()

    def connect(self, host: str, port: int, seconds: float) -> socket.socket:
        """Connect to the first address that answers, and watch it. All addresses together get `seconds`.

        The resolver cannot be interrupted. It ends by its own time limit, RES_OPTIONS in the Procfile.
        """
        deadline, failure = Deadline(seconds), OSError()
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        for place, (family, kind, protocol, _, address) in enumerate(addresses):
            if not deadline.left():
                break
            sock = socket.socket(family, kind, protocol)
            try:
                # An address that does not answer must leave time for the next one.
                sock.settimeout(deadline.left() / (len(addresses) - place))
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                sock.connect(address)
                self.attach(sock)
            except OSError as error:
                sock.close()
                failure = error
            else:
                return sock
        raise failure if deadline.left() else DeadlinePassedError

    def attach(self, sock: socket.socket) -> None:
        """Watch this socket instead of the previous one; DeadlinePassedError if it is too late."""
        duplicate = socket.socket(fileno=os.dup(sock.fileno()))
        with self._lock:
            self._drop()
            if not self.fired:
                self._duplicate = duplicate
                return
        duplicate.close()
        raise DeadlinePassedError

    def stop(self) -> None:
        """Stop the timer and forget the socket."""
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
