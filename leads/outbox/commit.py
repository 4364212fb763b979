"""One durable commit for the accept path, with one quiet second try on a fresh connection."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from sqlalchemy.exc import InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection, Engine

T = TypeVar("T")

# How a database that cannot take a row shows itself; InternalError is a standby that is read-only after a failover.
AWAY = (OperationalError, InterfaceError, InternalError)


class StoreUnavailable(Exception):
    """PostgreSQL did not take the work; nothing was promised to anyone."""


def commit(engine: Engine, work: Callable[[Connection], T]) -> T:
    """Run `work` on an autocommit connection; `StoreUnavailable` when the database is away.

    A connection that the pool kept over a restart of the server fails once. So `work` gets a second,
    fresh one, and must therefore be harmless when its first statement was already committed.
    """
    try:
        return _once(engine, work)
    except AWAY as error:
        if not error.connection_invalidated:
            raise StoreUnavailable(type(error.orig).__name__) from error
    except PoolTimeoutError as error:
        raise StoreUnavailable("no connection free") from error
    try:
        return _once(engine, work)
    except AWAY as error:
        raise StoreUnavailable(type(error.orig).__name__) from error


def _once(engine: Engine, work: Callable[[Connection], T]) -> T:
    with engine.connect() as connection:
        return work(connection)
