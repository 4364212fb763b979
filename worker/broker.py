"""The workers' connection to Redis, the broker: its errors, a probe, and two rules more than kombu has."""

from __future__ import annotations

import logging
from queue import Empty
from typing import Any

from kombu.exceptions import OperationalError
from kombu.transport.redis import Channel, Transport
from redis import Redis, RedisError
from redis.exceptions import ResponseError

log = logging.getLogger(__name__)

PROBE_SECONDS = 1.0
# Errors of decoding a message that we did not send: no JSON, or JSON of another shape.
_MALFORMED_MESSAGE = (ValueError, TypeError, AttributeError, RecursionError)
# Errors that mean that Redis cannot take a message now.
BROKER_ERRORS: tuple[type[Exception], ...] = (OperationalError, RedisError, OSError)


class SteadyChannel(Channel):
    """Drops malformed messages; kombu would take one off its queue and let the exception end the worker."""

    def _brpop_read(self, **options: Any) -> Any:
        try:
            return super()._brpop_read(**options)  # type: ignore[misc] # left out of kombu's stub
        except _MALFORMED_MESSAGE as error:
            # The exception's text may quote the data, so it is not logged.
            log.error("dropped a malformed message from a queue: %s", type(error).__name__)  # noqa: TRY400
            raise Empty from error


class SteadyTransport(Transport):
    """Treats a refused command as a lost connection, which the worker survives and makes anew.

    Redis refuses commands when a failover makes it a read-only replica; kombu would end the worker.
    """

    Channel = SteadyChannel
    connection_errors = (*Transport.connection_errors, ResponseError)


def broker_error(redis_url: str) -> str | None:
    """Ask Redis whether it is there; return None, or the kind of the error."""
    wait = {"socket_timeout": PROBE_SECONDS, "socket_connect_timeout": PROBE_SECONDS}
    try:
        with Redis.from_url(redis_url, retry=None, **wait) as client:
            client.ping()
    except RedisError as error:
        return type(error).__name__
    return None
