"""The wall-clock deadline of a call, enforced on its sockets: the call ends on time however slowly data arrives."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any

import certifi
from urllib3 import PoolManager
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError

Address = tuple[Any, ...]


class DeadlinePassedError(TimeoutError):
    """The deadline has passed."""


class Deadline:
    """An instant on the monotonic clock, shared by every exchange of one client call."""

    def __init__(self, seconds: float) -> None:
        self._at = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, self._at - time.monotonic())


class Watch:
    """One exchange under a deadline: a timer shuts the socket down, which ends any read or write on it.

    The watch keeps a duplicate of the descriptor, because TLS and the pool replace and close the original, whose
    number could belong to another connection when the timer fires.
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
        """Watch this socket instead of the previous one; DeadlinePassedError if it is too late."""
        duplicate = socket.socket(fileno=os.dup(sock.fileno()))
        with self._lock:
            self._drop()
            self._duplicate = duplicate
            if not self.fired:
                return
            self._drop()
        raise DeadlinePassedError

    def start(self) -> None:
        """Start the timer."""
        self._timer.start()

    def stop(self) -> None:
        """Stop the timer and drop the socket."""
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
    """The watch of this thread's current exchange."""
    return _current.get()


@contextmanager
def watched(deadline: Deadline) -> Iterator[Watch]:
    """Run an exchange under the deadline; connections opened or reused in it find the watch by themselves."""
    watch = Watch(deadline)
    token = _current.set(watch)
    watch.start()
    try:
        yield watch
    finally:
        _current.reset(token)
        watch.stop()


def resolve(host: str, port: int, seconds: float) -> list[Address]:
    """Look a name up within `seconds`; raises TimeoutError, or the resolver's own OSError.

    The resolver has no timeout of its own, so it runs on a thread, which is abandoned when it is too slow.
    """
    answer: list[Address] = []
    failure: list[OSError] = []

    def look_up() -> None:
        try:
            answer.extend(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except OSError as error:
            failure.append(error)

    thread = threading.Thread(target=look_up, name="resolve", daemon=True)
    thread.start()
    thread.join(seconds)
    if failure:
        raise failure[0]
    if not answer:
        raise TimeoutError
    return answer


def open_socket(host: str, port: int, seconds: float) -> socket.socket:
    """Connect to the first address that answers; name resolution and all addresses together get `seconds`."""
    until = time.monotonic() + seconds
    addresses = resolve(host, port, seconds)
    failure: OSError = TimeoutError()
    for count, (family, kind, protocol, _, address) in enumerate(addresses):
        left = until - time.monotonic()
        if left <= 0:
            break
        sock = socket.socket(family, kind, protocol)
        try:
            # An address that does not answer must leave time for the next one.
            sock.settimeout(left / (len(addresses) - count))
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.connect(address)
        except OSError as error:
            sock.close()
            failure = error
        else:
            return sock
    raise failure


class _Watched(HTTPConnection):
    """What both kinds of connection add to urllib3's: connect within the timeout, attach to the current watch."""

    def _new_conn(self) -> socket.socket:
        seconds = self.timeout if isinstance(self.timeout, int | float) else 3.0
        try:
            sock = open_socket(self._dns_host, self.port or self.default_port, float(seconds))
        except socket.gaierror as error:
            raise NameResolutionError(self.host, self, error) from error
        except TimeoutError as error:
            raise ConnectTimeoutError(self, f"no connection within {seconds} s") from error
        except OSError as error:
            raise NewConnectionError(self, f"no connection: errno {error.errno}") from error
        watch = current_watch()
        if watch is not None:
            watch.attach(sock)
        return sock

    def send(self, data: Any) -> None:
        """Send, after noting on the watch that the request may arrive from here on."""
        if self.sock is None:
            self.connect()
        watch = current_watch()
        if watch is not None and not watch.sent:
            # Also for a pooled connection that was opened under an earlier watch.
            watch.attach(self.sock)
            watch.sent = True
        super().send(data)


class WatchedConnection(_Watched):
    """Plain HTTP: loopback and tests."""


class WatchedTLSConnection(_Watched, HTTPSConnection):
    """HTTPS."""


class _Pool(HTTPConnectionPool):
    ConnectionCls = WatchedConnection


class _TLSPool(HTTPSConnectionPool):
    ConnectionCls = WatchedTLSConnection


def watched_pools(*, size: int, ca_bundle: str | None) -> PoolManager:
    """Return pools of watched connections with verified TLS; the environment's proxies are not used.

    Args:
        size: How many connections to a host are kept.
        ca_bundle: A file of certificates to trust instead of the public authorities.
    """
    manager = PoolManager(maxsize=size, ca_certs=ca_bundle or certifi.where())
    manager.pool_classes_by_scheme = {"http": _Pool, "https": _TLSPool}
    return manager
