"""The database: engines, time limits of each role, work that survives a lost connection. No statements here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import psycopg
from psycopg.pq import TransactionStatus
from sqlalchemy import create_engine, event
from sqlalchemy.exc import InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection, Engine


# A session that hangs must not hold rows for ever: waits for locks and idle transactions are bounded. Days and
# times are UTC, whatever the server's own time zone is.
SESSION_OPTIONS = (
    "-c lock_timeout=5s -c statement_timeout={seconds:g}s -c idle_in_transaction_session_timeout=10s"
    " -c timezone=UTC"
)
STATEMENT_SECONDS = 15.0
# A server that is well ends a statement itself when its time is up; its word of that may take so much longer.
OVERDUE_SECONDS = 5.0


class ImpatientConnection(psycopg.Connection[Any]):
    """A connection that is closed when the server owes it an answer for longer than `answer_seconds`.

    A server that is frozen, not down, still has its kernel acknowledge every byte: no time-out of TCP notices.
    """

    answer_seconds: float | None = None

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """As psycopg's; `OperationalError` on a connection that is closed then."""
        try:
            return super().wait(gen, interval, self.answer_seconds if timeout is None else timeout)
        except psycopg.OperationalError:
            if self.pgconn.transaction_status == TransactionStatus.ACTIVE:
                self.pgconn.finish()
            raise


def connect_engine(  # noqa: PLR0913 - each names one thing of the connections
    database_url: str,
    *,
    pool: int,
    name: str,
    connect_seconds: int = 3,
    statement_seconds: float | None = None,
    answer_seconds: float | None = None,
) -> Engine:
    """An engine whose sessions are autocommit: one statement, one round trip, one durable commit.

    `pool` is the number of connections kept; twice as many may be open in a burst. `name` shows in
    pg_stat_activity. Callers that need several statements in one transaction begin one explicitly.
    `statement_seconds` is what the server allows one statement (None: STATEMENT_SECONDS), `answer_seconds` how long
    its answer is waited for (None: a little longer, so that only a frozen or lost server is given up).
    """
    statement_seconds = STATEMENT_SECONDS if statement_seconds is None else statement_seconds
    patience = statement_seconds + OVERDUE_SECONDS if answer_seconds is None else answer_seconds
    engine = create_engine(
        database_url,
        isolation_level="AUTOCOMMIT",
        pool_size=pool,
        max_overflow=pool,
        pool_timeout=5,
        pool_recycle=1800,
        # Statements' values are patients' data; they have no place in an error's text.
        hide_parameters=True,
        connect_args={
            "connect_timeout": connect_seconds,
            "application_name": name,
            "options": SESSION_OPTIONS.format(seconds=statement_seconds),
            # A server that vanished without a goodbye is noticed in seconds, not in the kernel's two hours.
            "keepalives_idle": 10,
            "keepalives_interval": 5,
            "keepalives_count": 2,
            "tcp_user_timeout": 10_000,
        },
    )

    def connect(
        _dialect: object, _record: object, words: list[Any], options: dict[str, Any]
    ) -> ImpatientConnection:
        connection = ImpatientConnection.connect(*words, **options)
        connection.answer_seconds = patience
        return connection

    event.listen(engine, "do_connect", connect)
    return engine


T = TypeVar("T")

# How a server that cannot take a row shows itself; InternalError is a standby that is read-only after a failover.
_SERVER_ERRORS = (OperationalError, InterfaceError, InternalError)
DATABASE_ERRORS = (*_SERVER_ERRORS, PoolTimeoutError)


class StoreUnavailable(Exception):
    """PostgreSQL did not take the work; nothing was promised to anyone."""


def run_with_retry(engine: Engine, work: Callable[[Connection], T]) -> T:
    """Run `work` on an autocommit connection; `StoreUnavailable` when the database does not take it.

    A connection that the pool kept over a restart of the server fails once. So `work` gets a second,
    fresh one, and must therefore be harmless when its first statement was already committed.
    """
    try:
        return _run(engine, work)
    except _SERVER_ERRORS as error:
        if not error.connection_invalidated:
            raise StoreUnavailable(error_name(error)) from error
    except PoolTimeoutError as error:
        raise StoreUnavailable("no connection free") from error
    try:
        return _run(engine, work)
    except _SERVER_ERRORS as error:
        raise StoreUnavailable(error_name(error)) from error


def error_name(error: Exception) -> str:
    """The kind of a database error, the driver's where there is one; never its text, which may quote values."""
    return type(getattr(error, "orig", error)).__name__


def _run(engine: Engine, work: Callable[[Connection], T]) -> T:
    with engine.connect() as connection:
        return work(connection)
