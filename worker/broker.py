"""The workers' way to Redis: kombu's transport, which survives what others write into the same server."""

from __future__ import annotations

import logging
from queue import Empty
from typing import Any

from kombu.exceptions import OperationalError
from kombu.transport.redis import Channel, Transport
from redis.exceptions import ResponseError

log = logging.getLogger(__name__)

# How a message that nobody here has sent shows itself: no JSON, or JSON of another shape.
_NO_BELL = (ValueError, TypeError, AttributeError, RecursionError)


class SteadyChannel(Channel):
    """A queue may hold what is no message at all; kombu takes it off and lets the worker die of it."""

    def _brpop_read(self, **options: Any) -> Any:
        try:
            return super()._brpop_read(**options)  # type: ignore[misc] # left out of kombu's stub
        except _NO_BELL as error:
            # Its text is not ours to log.
            log.error("dropped from a queue what is no message: %s", type(error).__name__)  # noqa: TRY400
            raise Empty from error


class SteadyTransport(Transport):
    """Counts a refused command as a lost connection.

    A Redis that turns into a read-only replica (a failover) refuses commands, and so does one that holds something
    else under a queue's name. The worker does not die of it: it keeps ticking, delivers by itself, connects again.
    """

    Channel = SteadyChannel
    connection_errors = (*Transport.connection_errors, ResponseError)


# How Redis shows that it takes no bell now.
BROKER_ERRORS: tuple[type[Exception], ...] = (OperationalError, *SteadyTransport.connection_errors)
