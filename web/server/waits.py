"""How long a connection may keep the server waiting, and how many may: clocks shared by all connections."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from operator import methodcaller
from time import monotonic
from typing import Protocol

REQUEST_SECONDS = 14.0  # from the first byte (or the connection's start) to the last byte of the body
IDLE_SECONDS = 75.0  # between two requests; proxies reuse connections for 60 s
STALLED_SECONDS = 30.0  # for a visitor to take the next 64 KiB of an answer
_AT_ONCE = 50  # connections that are ended before others get their turn again
MAX_UNREAD_BYTES = 64 * 1024 * 1024  # of all unfinished requests together


class Waiting(Protocol):
    """A connection, as these clocks end it."""

    def time_out(self) -> None:
        """End an unfinished request."""

    def let_go(self) -> None:
        """Close, once what was written is read."""

    def abort(self) -> None:
        """Close at once."""


class Clock:
    """Connections that wait for the same thing, the longest wait first, since all may wait equally long."""

    def __init__(self, seconds: float, expire: Callable[[Waiting], None]) -> None:
        self._seconds = seconds
        self._expire = expire
        self._since: dict[Waiting, float] = {}

    def __len__(self) -> int:
        return len(self._since)

    def start(self, connection: Waiting) -> None:
        """Begin the connection's wait, anew if it waits already."""
        self._since.pop(connection, None)
        self._since[connection] = monotonic()

    def stop(self, connection: Waiting) -> None:
        """End the connection's wait, if there is one."""
        self._since.pop(connection, None)

    def expire_late(self) -> bool:
        """Expire connections that have waited for too long, a few at a time; return whether there may be more."""
        begun_before = monotonic() - self._seconds
        late = [connection for connection, since in islice(self._since.items(), _AT_ONCE) if since <= begun_before]
        for connection in late:
            self.stop(connection)
            self._expire(connection)
        return len(late) == _AT_ONCE

    def oldest(self) -> Waiting | None:
        """Return the connection that has waited longest."""
        return next(iter(self._since), None)


class Waits:
    """The three clocks, and what is dropped when there is too much of anything.

    A connection that sends nothing, or half a request, is dropped in favour of a new one, the oldest first: an
    honest visitor's request is complete within a round trip, so the connection that has waited longest is the least
    likely to be a real visitor.
    """

    def __init__(self, max_connections: int) -> None:
        self.unfinished = Clock(REQUEST_SECONDS, methodcaller("time_out"))
        self.idle = Clock(IDLE_SECONDS, methodcaller("let_go"))
        self.stalled = Clock(STALLED_SECONDS, methodcaller("abort"))
        self.unread_bytes = 0
        self._max_connections = max_connections

    def make_room(self, connections: int) -> None:
        """Drop the connection that has waited longest, if there are too many."""
        if connections > self._max_connections:
            crowd = self.unfinished if len(self.unfinished) >= len(self.idle) else self.idle
            self._drop_oldest(crowd)

    def count_bytes(self, received: int) -> None:
        """Count bytes of an unfinished request; negative when it is finished or gone."""
        self.unread_bytes += received
        if self.unread_bytes > MAX_UNREAD_BYTES:
            self._drop_oldest(self.unfinished)

    def expire_late(self) -> bool:
        """Expire some of what has waited for too long; return whether there may be more."""
        return sum(clock.expire_late() for clock in (self.unfinished, self.idle, self.stalled)) > 0

    def _drop_oldest(self, clock: Clock) -> None:
        connection = clock.oldest()
        if connection is not None:
            clock.stop(connection)
            connection.abort()
