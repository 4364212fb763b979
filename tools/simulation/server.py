"""The server of simulated runs: PostgreSQL on simulated time, one database a process, emptied before each run.

The product's SQL is unchanged. A schema with its own now() and clock_timestamp() is in front of PostgreSQL's, also
when the migrations run, so that column defaults use it too.
"""

import json
import os
from collections.abc import Callable
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple, cast
from urllib.parse import urlsplit
from uuid import UUID

import psycopg
from psycopg import sql
from psycopg.adapt import AdaptersMap
from psycopg.errors import Diagnostic, error_from_result
from psycopg.pq import ConnStatus, ExecStatus, PGconn, TransactionStatus
from sqlalchemy import Engine, QueuePool

from leads.db import TimedConnection, connect_engine
from leads.tables import metadata
from tools.servers.postgres import migrate
from tools.simulation import outbox
from tools.simulation.stand_ins import EPOCH, moment

TEMPLATE = "simulation_template"
# Tables are created in the first schema of the path; a function is taken from the first that has it.
SEARCH_PATH = "public, sim, pg_catalog"
_CLOCK = f"""
CREATE SCHEMA sim;
CREATE FUNCTION sim.clock_timestamp() RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT to_timestamp({EPOCH} + coalesce(nullif(current_setting('sim.clock', true), '')::float8 / 1e6, 0))
$$;
CREATE FUNCTION sim.now() RETURNS timestamptz LANGUAGE sql STABLE AS $$ SELECT sim.clock_timestamp() $$;
"""
_SET_CLOCK = b"SELECT set_config('sim.clock', $1, false)"
# Plans are made once, as tables are small from the beginning of a run to its end; no run survives a crash.
# Limits of real time would end what a busy machine does slowly, and a session that a run left in a transaction.
_SETTINGS = """
SET timezone = UTC; SET plan_cache_mode = force_generic_plan; SET jit = off; SET synchronous_commit = off;
SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0;
"""
_NO_CONNECTION = PGconn.connect_start(b"host=/nowhere")
_NO_CONNECTION.finish()
MAX_STATEMENTS = 10_000  # that are prepared: all of the product's
NOTHING = ("SELECT", None)  # a statement without an effect, and its parameters
# Makes a statement of a connection a step of the run: the statement, what does it, and the driver's arguments.
Step = Callable[[str, Callable[[], object], tuple[Any, Any]], None]


class Change(NamedTuple):
    """One change of a row, as the trigger saw it, and who made it when."""

    actor: str
    at: datetime
    kind: str
    op: str
    id: UUID
    old_status: str | None
    new_status: str | None
    old_due: datetime | None
    new_due: datetime | None
    lost: int | None
    tries: int | None
    error: str | None
    record: str | None
    is_paused: bool
    surname: str | None


class SharedSession:
    """A session with the server that stands for many: no time passes in a transaction, so no two overlap.

    It outlives its clients, and so do its prepared statements and their plans.
    """

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        connection.autocommit = True
        connection.execute(_SETTINGS)
        connection.prepare_threshold, connection.prepared_max = 0, MAX_STATEMENTS
        if hasattr(os, "sched_setaffinity"):  # not on macOS
            os.sched_setaffinity(connection.info.backend_pid, os.sched_getaffinity(0))
        connection.add_notice_handler(self._note)
        self.connection, self.pgconn = connection, connection.pgconn
        self._handler = self.pgconn.notice_handler
        self.pgconn.prepare(b"clock", _SET_CLOCK)
        self.changes: list[Change] = []  # of the transaction that is open, or was the last
        self._now, self._actor = -1, ""
        self._user: object = None

    def connect(self, adapters: AdaptersMap) -> "SimulatedConnection":
        """Open a connection of a client."""
        opened = SimulatedConnection(self, adapters)
        self.pgconn.notice_handler = self._handler
        return opened

    @property
    def is_in_transaction(self) -> bool:
        """Whether one is open."""
        return self.pgconn.transaction_status != TransactionStatus.IDLE

    def roll_back(self, user: object = None) -> None:
        """End this user's transaction, if there is one."""
        if user in {None, self._user}:
            self.end(b"ROLLBACK")

    def end(self, command: bytes) -> None:
        """Commit or roll back what is open."""
        if not self.is_in_transaction:
            return
        ended = self.pgconn.exec_(command)
        if self.pgconn.status != ConnStatus.OK:
            raise RuntimeError("a run's session with the server was lost, which no run simulates")
        if ended.status != ExecStatus.COMMAND_OK:
            raise error_from_result(ended)

    def stamp(self, now: int, actor: str, user: object = None) -> None:
        """Say when the next statement is made, by whom, and on which connection."""
        self._actor, self._user = actor, user
        if not self.is_in_transaction:
            self.changes.clear()
            if now != self._now:
                self.pgconn.exec_prepared(b"clock", [str(now).encode()])
        elif now != self._now:
            raise RuntimeError("time has passed in a transaction, so others may have run in it")
        self._now = now

    def _note(self, notice: Diagnostic) -> None:
        if notice.sqlstate == outbox.CHANGE_STATE:
            told = json.loads(notice.message_primary or "")
            for due in ("old_due", "new_due"):
                told[due] = told[due] and datetime.fromisoformat(told[due])
            told["id"] = UUID(told["id"])
            self.changes.append(Change(actor=self._actor, at=moment(self._now), **told))


class SimulatedConnection(TimedConnection):
    """A client's connection. Its end is simulated: the session stays."""

    step: Step

    def __init__(self, session: SharedSession, adapters: AdaptersMap) -> None:
        super().__init__(session.pgconn)
        self.session = session
        self.is_cut = False
        # What one client has prepared is prepared for all.
        self._adapters, self._prepared = AdaptersMap(adapters), session.connection._prepared  # noqa: SLF001
        self._autocommit = True  # as leads.db opens it

    def __del__(self, *_: object) -> None:
        """A client may die without closing it."""

    def cut(self) -> None:
        """End the session for the client, who learns it from its next statement. What is uncommitted is undone."""
        if not self.is_cut:
            self.session.roll_back(self)
            self.is_cut = True

    def close(self) -> None:
        """See psycopg.Connection."""
        self.cut()
        self.pgconn = _NO_CONNECTION

    def commit(self) -> None:
        """See psycopg.Connection."""
        self.session.end(b"COMMIT")

    def rollback(self) -> None:
        """See psycopg.Connection."""
        if not self.is_cut:
            self.session.roll_back(self)


class SimulatedEngine(Engine):
    """An engine of a simulated process. What one learnt of the server, and has compiled, is every engine's."""

    on_connect: Callable[[SimulatedConnection], None]

    def __init__(self, session: SharedSession, first: Engine, pool: int) -> None:
        dialect: Any = first.dialect

        def connect() -> Any:
            opened = session.connect(dialect._psycopg_adapters_map)  # noqa: SLF001 - how SQLAlchemy reads types
            self.on_connect(opened)
            return opened

        # A pool waits for a connection in real time, while nobody else runs who could return one.
        limited = QueuePool(connect, pool_size=pool, max_overflow=0, timeout=0, pre_ping=True, dialect=dialect)
        super().__init__(limited, dialect, first.url)
        self._compiled_cache = first._compiled_cache  # noqa: SLF001 - see above


class Database:
    """A run's database: one session for the harness and all clients."""

    def __init__(self, url: str) -> None:
        self.session = SharedSession(psycopg.connect(url))
        self.url = url
        self.is_migrated = False  # beyond the version that runs
        self._first = connect_engine(url, pool=1, name="simulation")
        self._first.connect().close()
        self._first.dispose()
        for name, do in (("do_execute", _do_execute), ("do_commit", _do_commit), ("do_ping", _do_ping)):
            setattr(self._first.dialect, name, do)

    def open_engine(self, *_: object, pool: int, **__: object) -> SimulatedEngine:
        """An engine, in place of that of `leads.db.connect_engine`; its connections are attached by a run."""
        return SimulatedEngine(self.session, self._first, pool)

    def migrate(self) -> None:
        """Add a column to each table, as the next version may, while sessions have plans for them."""
        if not self.is_migrated:
            self.is_migrated = True
            for table in metadata.tables:
                # Past the driver, which would prepare everything anew.
                self.session.pgconn.exec_(f"ALTER TABLE {table} ADD COLUMN of_the_next_version text".encode())

    def empty(self) -> None:
        """Make it as it was created."""
        self.session.roll_back()
        self.session.stamp(0, "harness")
        self.session.connection.execute("SELECT sim.empty()")


def _do_execute(cursor: psycopg.Cursor[Any], statement: str, parameters: Any, _context: Any = None) -> None:
    connection = cast("SimulatedConnection", cursor.connection)
    connection.step(statement, lambda: cursor.execute(statement, parameters), (statement, parameters))


def _do_commit(pooled: Any) -> None:
    connection = pooled.dbapi_connection
    connection.step("commit", connection.commit, NOTHING)


def _do_ping(connection: psycopg.Connection[Any]) -> bool:
    if connection.closed:
        raise psycopg.OperationalError("the connection is closed")
    return True


def make_template(server_url: str) -> None:
    """Migrate the database that every process's is copied from; nothing when it exists."""
    with psycopg.connect(server_url, autocommit=True) as connection:
        if connection.execute("SELECT FROM pg_database WHERE datname = %s", [TEMPLATE]).rowcount:
            return
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(TEMPLATE)))
    url = _url_of(server_url, TEMPLATE)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(_CLOCK)
        _put_clock_in_front(connection, TEMPLATE)
    migrate(url)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(outbox.CHANGES)
        connection.execute(outbox.EMPTY)


def fresh_database(server_url: str) -> Database:
    """This process's database for its next run."""
    database = _database(server_url)
    if database.is_migrated:
        database.session.connection.close()
        _database.cache_clear()
        database = _database(server_url)
    database.empty()
    return database


@cache
def _database(server_url: str) -> Database:
    name = f"simulation_{os.getpid()}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        new, template = sql.Identifier(name), sql.Identifier(TEMPLATE)
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(new))
        connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY").format(new, template))
        _put_clock_in_front(connection, name)
    return Database(_url_of(server_url, name))


def _url_of(server_url: str, database: str) -> str:
    return urlsplit(server_url)._replace(path=f"/{database}").geturl()


def _put_clock_in_front(connection: psycopg.Connection[Any], database: str) -> None:
    setting = sql.SQL("ALTER DATABASE {} SET search_path = " + SEARCH_PATH)
    connection.execute(setting.format(sql.Identifier(database)))
