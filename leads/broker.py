"""The connection to Redis, the broker: its errors, a probe, and two rules more than kombu has."""

from typing import Any

from kombu.exceptions import OperationalError
from kombu.transport import TRANSPORT_ALIASES
from kombu.transport.redis import Channel, Transport
from redis import Redis, RedisError
from redis.exceptions import ResponseError

from leads.destinations import KEY_PREFIX

# Errors that mean that Redis cannot take a message now.
BROKER_ERRORS: tuple[type[Exception], ...] = (OperationalError, RedisError, OSError)


class KeepingChannel(Channel):
    """Keeps its clients: kombu makes one for each command, which takes half as long as the command."""

    def _create_client(self, asynchronous: bool = False) -> Any:  # noqa: FBT001, FBT002 - the base class's
        pool = self.async_pool if asynchronous else self.pool
        clients: dict[object, Any] = self.__dict__.setdefault("clients", {})
        return clients.get(pool) or clients.setdefault(pool, super()._create_client(asynchronous))  # type: ignore[misc]


class SteadyTransport(Transport):
    """Treats a refused command as a lost connection, which the worker survives and makes anew.

    Redis refuses commands while its disk is full, or a failover makes it a read-only replica; kombu would end the
    worker.
    """

    Channel = KeepingChannel
    connection_errors = (*Transport.connection_errors, ResponseError)


def use_steady_transport() -> None:
    """Register it under Redis's names, not in the broker URL: Flower reads the kind of broker from that URL."""
    TRANSPORT_ALIASES.update(dict.fromkeys(("redis", "rediss"), f"{__name__}:{SteadyTransport.__name__}"))


def broker_error(redis_url: str, *, seconds: float = 1.0) -> str | None:
    """Ask Redis whether it takes a task; return None, or why not: its own word (MISCONF), else the error's kind."""
    wait = {"socket_timeout": seconds, "socket_connect_timeout": seconds}
    try:
        with Redis.from_url(redis_url, retry=None, **wait) as client:
            client.set(f"{KEY_PREFIX}probe", "", ex=60)  # PING is answered also where nothing can be written
    except RedisError as error:
        kind = type(error).__name__
        own = {"OutOfMemoryError": "OOM", "ReadOnlyError": "READONLY"}
        return str(error).partition(" ")[0] if kind == "ResponseError" else own.get(kind, kind)
    return None
