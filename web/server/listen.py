"""The listening sockets, and the number of open files that they may lead to."""

from __future__ import annotations

import resource
import socket

BACKLOG = 4096
MAX_CONNECTIONS = 20_000
_OTHER_FILES = 200  # database, Redis, films, the standard streams
# Seconds. A phone that vanished is noticed after a minute and a half, one that stops reading after a minute.
_KEEPALIVE = {socket.TCP_KEEPIDLE: 60, socket.TCP_KEEPINTVL: 10, socket.TCP_KEEPCNT: 3}
_USER_TIMEOUT_MS = 60_000
# How much the kernel buffers for a slow reader: without this limit, 2.5 MiB each.
_MAX_UNSENT_BYTES = 128 * 1024


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; the connections that it accepts have its options.

    Raises:
        OSError: The address cannot be listened on.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family, backlog=BACKLOG)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in _KEEPALIVE.items():
        listener.setsockopt(socket.IPPROTO_TCP, option, value)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _USER_TIMEOUT_MS)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, _MAX_UNSENT_BYTES)
    return listener


def raise_file_limit() -> int:
    """Allow this process as many open files as it may have; return how many connections that is, at most."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return MAX_CONNECTIONS if hard == resource.RLIM_INFINITY else min(MAX_CONNECTIONS, hard - _OTHER_FILES)
