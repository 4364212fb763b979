"""Connections that report to the running watch: when a socket opens, and when the first byte leaves."""

from __future__ import annotations

import socket
import threading
import time
from typing import TYPE_CHECKING, Any

from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError

from worker.zoho.deadline import current_watch

if TYPE_CHECKING:
    from urllib3 import PoolManager

    Address = tuple[Any, ...]


def resolve(host: str, port: int, seconds: float) -> list[Address]:
    """Looks a name up, in at most so many seconds; TimeoutError, or the resolver's own OSError.

    The resolver knows no time-out of its own, so it runs beside us and is left behind when it is slow.
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
    """Connects to the first address that answers, names and all addresses together in so many seconds."""
    until = time.monotonic() + seconds
    addresses = resolve(host, port, seconds)
    failure: OSError = TimeoutError()
    for count, (family, kind, protocol, _, address) in enumerate(addresses):
        left = until - time.monotonic()
        if left <= 0:
            break
        sock = socket.socket(family, kind, protocol)
        try:
            # An address that swallows packets must leave time for the next one.
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
    """What both kinds of connection add to urllib3's."""

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
        """Sends, and notes first that from here on the request may have arrived."""
        if self.sock is None:
            self.connect()
        watch = current_watch()
        if watch is not None and not watch.sent:
            # A pooled connection opened under an earlier watch comes by here too.
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


class WatchedAdapter(HTTPAdapter):
    """Makes requests use the watched connections, through a proxy as well."""

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        """See HTTPAdapter."""
        super().init_poolmanager(*args, **kwargs)
        _use_watched_pools(self.poolmanager)

    def proxy_manager_for(self, *args: Any, **kwargs: Any) -> PoolManager:
        """See HTTPAdapter."""
        manager: PoolManager = super().proxy_manager_for(*args, **kwargs)
        _use_watched_pools(manager)
        return manager


def _use_watched_pools(manager: PoolManager) -> None:
    manager.pool_classes_by_scheme = {"http": _Pool, "https": _TLSPool}
