"""The workers' way to Redis: kombu's transport, which also counts a refused command as a lost connection."""

from __future__ import annotations

from kombu.transport.redis import Transport
from redis.exceptions import ResponseError


class SteadyTransport(Transport):
    """A Redis that turns into a read-only replica (a failover) refuses commands; kombu lets the worker die of it.

    Counted as a lost connection, the worker keeps ticking, delivers by itself and connects again.
    """

    connection_errors = (*Transport.connection_errors, ResponseError)
