"""A wall clock for an exchange over a socket: however slowly bytes come, it ends when its time is over.

The time-outs of `requests` and `smtplib` count from read to read, so an answer of one byte every few seconds would
never end. These sockets allow each read, write and handshake what is left of the exchange.
"""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any


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
    def exchange(self) -> Iterator[Exchange]:
        """Limit what the sockets of this module do in this context."""
        exchange = Exchange(self)
        token = _exchange.set(exchange)
        try:
            yield exchange
        finally:
            _exchange.reset(token)


class Exchange:
    """One exchange. sent: for the exchange to set when something may have left this machine."""

    def __init__(self, deadline: Deadline) -> None:
        self.deadline = deadline
        self.sent = False


_exchange: ContextVar[Exchange] = ContextVar("exchange")


def current_exchange() -> Exchange:
    """The exchange of this context; LookupError outside of one."""
    return _exchange.get()


class _Timed:
    """A socket whose operations end with the exchange: Python limits each as a whole, whatever drips meanwhile."""

    def recv_into(self, *args: Any, **kwargs: Any) -> Any:
        self._limit()
        return super().recv_into(*args, **kwargs)  # type: ignore[misc]

    def send(self, *args: Any, **kwargs: Any) -> Any:
        self._limit()
        return super().send(*args, **kwargs)  # type: ignore[misc]

    def sendall(self, *args: Any, **kwargs: Any) -> None:
        self._limit()
        super().sendall(*args, **kwargs)  # type: ignore[misc]

    def do_handshake(self, *args: Any, **kwargs: Any) -> None:
        self._limit()
        super().do_handshake(*args, **kwargs)  # type: ignore[misc]

    def _limit(self) -> None:
        left = _exchange.get().deadline.left()
        if not left:
            raise DeadlinePassedError
        self.settimeout(left)  # type: ignore[attr-defined]


class _TimedSocket(_Timed, socket.socket):
    """TCP."""


class _TimedTLS(_Timed, ssl.SSLSocket):
    """TLS over TCP."""


def timed(context: ssl.SSLContext) -> ssl.SSLContext:
    """The context, whose sockets end with the exchange."""
    context.sslsocket_class = _TimedTLS
    return context


def connect(host: str, port: int, seconds: float) -> socket.socket:
    """Connect to the first address that answers. All together get `seconds`, or what the exchange has left.

    The resolver cannot be interrupted. It ends by its own time limit, RES_OPTIONS in the Procfile.
    """
    deadline, failure = Deadline(min(seconds, current_exchange().deadline.left())), OSError()
    addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    for place, (family, kind, protocol, _, address) in enumerate(addresses):
        if not deadline.left():
            break
        sock = _TimedSocket(family, kind, protocol)
        try:
            # An address that does not answer must leave time for the next one.
            sock.settimeout(deadline.left() / (len(addresses) - place))
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.connect(address)
        except OSError as error:
            sock.close()
            failure = error
        else:
            return sock
    raise failure if deadline.left() else DeadlinePassedError
