"""The database: engines, their time limits, locks, and work that survives a lost connection."""

import logging
import select as sockets
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import orjson
import psycopg
from psycopg.pq import TransactionStatus
from sqlalchemy import Connection, Double, Engine, Interval, cast, create_engine, event, func, select, text
from sqlalchemy.exc import DisconnectionError, InterfaceError, InternalError, OperationalError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

log = logging.getLogger(__name__)

# The newest migration that this code knows. Every session tells it, so that a migration which removes something can
# refuse while older code is connected (`migrations/live_tables.py`).
REVISION = "0100"

STATEMENT_SECONDS = 15.0  # the longest that the server allows one statement to run
# A session that hangs must not lock rows for ever, so waits for locks and idle transactions are bounded. Dates and
# times are UTC, whatever the server's time zone.
# The server's own keepalives end, within 20 s, the session of a host that vanished: its locks go with it.
SESSION_OPTIONS = (
    f"-c lock_timeout=5s -c statement_timeout={STATEMENT_SECONDS:g}s -c idle_in_transaction_session_timeout=10s"
    " -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=2 -c tcp_user_timeout=10000"
    " -c timezone=UTC"
)
# A healthy server cancels an overdue statement itself; allow this long for that error to arrive.
OVERDUE_SECONDS = 5.0
POOL_SECONDS = 5.0  # for a free connection
CONNECT_SECONDS = 2  # to each address of the host


class TimedConnection(psycopg.Connection[Any]):
    """A connection that closes when the server takes longer than `answer_seconds` to answer.

    No TCP time-out notices a server that is frozen rather than down: its kernel still acknowledges every byte.
    """

    answer_seconds: float | None = None
    waits_on_loop = False

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """Wait as psycopg does; when an answer is overdue, close the connection and raise `OperationalError`."""
        try:
            return self.wait_for(gen, interval, self.answer_seconds if timeout is None else timeout)
        except psycopg.OperationalError:
            if self.pgconn.transaction_status == TransactionStatus.ACTIVE:
                self.pgconn.finish()
            raise

    def wait_for(self, gen: Any, interval: float, timeout: float | None) -> Any:
        """Wait as psycopg does; other ways of waiting override it."""
        return super().wait(gen, interval, timeout)


def connect_engine(
    database_url: str,
    *,
    pool: int,
    name: str,
    answer_seconds: float = STATEMENT_SECONDS + OVERDUE_SECONDS,
    connection: type[TimedConnection] = TimedConnection,
) -> Engine:
    """Create an engine whose sessions are autocommit: one statement, one durable commit.

    pool: the number of connections, at most; who needs one more waits. name: shows in pg_stat_activity, followed by
    the newest migration that this code knows.
    answer_seconds: how long to wait for the server. connection: how connections wait.
    """
    # SQLAlchemy holds a lock while its first connection opens; on one thread the second would wait for it for good.
    assert pool == 1 or not connection.waits_on_loop, "what waits on the event loop needs a pool of one"  # noqa: S101
    engine = create_engine(
        database_url,
        isolation_level="AUTOCOMMIT",
        pool_size=pool,
        # A connection beyond the pool would be opened and closed for one statement, at three times its cost.
        max_overflow=0,
        # The connection used last has the statements prepared.
        pool_use_lifo=True,
        pool_timeout=min(answer_seconds, POOL_SECONDS),
        # A session that is in no transaction has nothing to roll back when it returns to the pool.
        skip_autocommit_rollback=True,
        json_deserializer=orjson.loads,
        # The values of statements are patients' data and must not appear in error messages.
        hide_parameters=True,
        connect_args={
            "connect_timeout": CONNECT_SECONDS,
            "application_name": f"{name} {REVISION}",
            "options": SESSION_OPTIONS,
            # After a failover the old primary, or a standby that is not promoted yet, is no server to write to.
            "target_session_attrs": "read-write",
            # Notice in seconds, not after the kernel's two hours, a server that vanished without closing.
            "keepalives_idle": 10,
            "keepalives_interval": 5,
            "keepalives_count": 2,
            "tcp_user_timeout": 10_000,
        },
    )

    def connect(_dialect: object, _record: object, args: list[Any], kwargs: dict[str, Any]) -> TimedConnection:
        opened = connection.connect(*args, **kwargs)
        opened.answer_seconds = answer_seconds
        return opened

    event.listen(engine, "do_connect", connect)
    event.listen(engine, "checkout", _check)
    return engine


def _check(connection: TimedConnection, _record: object, _proxy: object) -> None:
    """Have a session replaced before it is used that was ended meanwhile, as by a restart of the server.

    An idle session hears nothing but its end. A ping would tell the same, for a journey to the server at each use.
    """
    heard = sockets.poll()
    heard.register(connection.fileno(), sockets.POLLIN)
    if heard.poll(0):
        raise DisconnectionError


def run(engine: Engine, statement: Any, parameters: Any = None) -> Sequence[Any]:
    """Run one statement, which is a commit of its own; return the rows that it gives, if it gives any."""
    with engine.connect() as connection:
        result = connection.execute(statement, parameters)
        return result.all() if result.returns_rows else ()


def run_on_driver(connection: Connection, statement: str, parameters: Mapping[str, Any]) -> Sequence[Any]:
    """Run a statement of the driver's on an autocommit connection, harmless to repeat; return its rows.

    For what every enquiry needs: SQLAlchemy's own way to the rows takes a third of a batch's processor time. Errors
    are SQLAlchemy's, from a second try: it finds a lost connection closed.
    """
    cursor: Any = connection.connection.cursor()
    try:
        connection.dialect.do_execute(cursor, statement, parameters)
        rows: Sequence[Any] = cursor.fetchall()
    except psycopg.Error:
        return connection.exec_driver_sql(statement, parameters).all()
    return rows


@contextmanager
def begin(engine: Engine) -> Iterator[Connection]:
    """Open a connection whose statements are one transaction, which is committed at the end."""
    with engine.connect().execution_options(isolation_level="READ COMMITTED") as connection, connection.begin():
        yield connection


def seconds(count: Any) -> Any:
    """Return so many seconds as an interval."""
    return cast(count, Double).op("*", return_type=Interval())(text("interval '1 s'"))


def seconds_of(interval: Any) -> Any:
    """Return how many seconds an interval has."""
    return cast(func.extract("epoch", interval), Double)


T = TypeVar("T")

# Raised when the server cannot store a row; InternalError comes from one that became read-only.
_SERVER_ERRORS = (OperationalError, InterfaceError, InternalError)
DATABASE_ERRORS = (*_SERVER_ERRORS, PoolTimeoutError)


class StoreUnavailable(Exception):
    """PostgreSQL did not accept the work; the caller must not report it as stored."""


def run_with_retry(engine: Engine, work: Callable[[Connection], T]) -> T:
    """Run `work` on an autocommit connection; raise `StoreUnavailable` when the database does not accept it.

    When the connection is lost meanwhile, `work` gets a second try on a fresh one. It must therefore be harmless to
    repeat after its first statement was committed.
    """
    for is_last in (False, True):
        try:
            with engine.connect() as connection:
                return work(connection)
        except _SERVER_ERRORS as error:
            if is_last or not error.connection_invalidated:
                raise StoreUnavailable(error_name(error)) from error
        except ProgrammingError as error:
            # A table, a column or a right is missing: the database is behind the code, or set up for another role.
            log.error("PostgreSQL refuses a statement (%s)", error_name(error))  # noqa: TRY400 - its text has values
            raise StoreUnavailable(error_name(error)) from error
        except PoolTimeoutError as error:
            raise StoreUnavailable("no free connection") from error
    raise AssertionError("the last try returns or raises")


def error_name(error: Exception) -> str:
    """Return the class name of a database error, the driver's where there is one; its text may quote values."""
    cause = getattr(error, "orig", error)
    # libpq's own words about a server that takes no writes.
    return "ReadOnlySqlTransaction" if "session is read-only" in str(cause) else type(cause).__name__


@contextmanager
def exclusively(engine: Engine, name: str) -> Iterator[bool]:
    """Do work, such as a daily mail, in one process among all: hold the lock of this name while the block runs.

    Yields False when another process holds it. The lock is of the session: it ends with a process that dies.
    """
    key = zlib.crc32(name.encode())
    with engine.connect() as connection:
        is_ours = connection.execute(select(func.pg_try_advisory_lock(key))).scalar_one()
        try:
            yield is_ours
        finally:
            if is_ours:
                with suppress(*DATABASE_ERRORS):  # the lock ended with the session
                    connection.execute(select(func.pg_advisory_unlock(key)))


def find_lag(engine: Engine) -> str:
    """Return what to do when the database lacks a migration of this code, "" when it has them all.

    A newer one has them all: the release before goes on working on it.
    """
    try:
        found = run(engine, text("SELECT max(version_num) FROM alembic_version"))[0][0]
    except ProgrammingError:
        found = None  # there is no such table
    if found is not None and found >= REVISION:
        return ""
    return f"the database is at {found or 'no migration'}, this code needs {REVISION}: run `alembic upgrade head`"
