"""The server of simulated runs: PostgreSQL on simulated time, one database a process, emptied before each run.

The product's SQL is unchanged. A schema with its own now() and clock_timestamp() is in front of PostgreSQL's, also
when the migrations run, so that column defaults use it too.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from datetime import datetime
from functools import cache, partial
from typing import Any, NamedTuple, cast
from urllib.parse import urlsplit
from uuid import UUID

import psycopg
from psycopg import sql
from psycopg._queries import PostgresQuery
from psycopg.abc import PQGen
from psycopg.adapt import AdaptersMap
from psycopg.errors import Diagnostic
from psycopg.pq import ExecStatus, Format, PGconn, TransactionStatus
from psycopg.pq.abc import PGresult

from dev.servers.postgres import migrate
from leads.db import TimedConnection
from leads.tables import metadata
from proofs.simulation import outbox
from proofs.simulation.stand_ins import EPOCH, moment

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
_QUICK = "SET plan_cache_mode = force_generic_plan; SET jit = off; SET synchronous_commit = off"
# Limits of real time would end what a busy machine does slowly, and a session that a run left in a transaction.
REAL_LIMITS = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
_NO_CONNECTION = PGconn.connect_start(b"host=/nowhere")
_NO_CONNECTION.finish()


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
    error: str | None
    record: str | None
    surname: str | None


class SharedSession:
    """A session with the server that stands for many: no time passes in a transaction, so no two overlap.

    It outlives its clients, and so do its prepared statements and their plans.
    """

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        connection.autocommit = True
        connection.execute(_QUICK)
        for limit in REAL_LIMITS:
            connection.execute(f"SET {limit} = 0".encode())
        if hasattr(os, "sched_setaffinity"):  # not on macOS
            os.sched_setaffinity(connection.info.backend_pid, os.sched_getaffinity(0))
        connection.add_notice_handler(self._note)
        self.pgconn = connection.pgconn
        self._handler = self.pgconn.notice_handler
        self.cursor_factory = cast("type[psycopg.Cursor[Any]]", partial(_Cursor, self))
        self._names: dict[tuple[bytes, tuple[int, ...]], bytes] = {}  # of the statements that are prepared
        self.pgconn.prepare(b"clock", _SET_CLOCK)
        self.changes: list[Change] = []  # of the transaction that is open, or was the last
        self._now, self._actor = 0, ""
        self._user: object = None
        connection.cursor_factory = self.cursor_factory
        self.connection = connection

    def connect(self, adapters: AdaptersMap) -> SimulatedConnection:
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
        if self.is_in_transaction and user in {None, self._user}:
            ended = self.pgconn.exec_(b"ROLLBACK")
            if ended.status != ExecStatus.COMMAND_OK:
                raise RuntimeError("a run's session with the server was lost, which no run simulates")

    def stamp(self, now: int, actor: str, user: object = None) -> None:
        """Say when the next statement is made, by whom, and on which connection."""
        self._actor, self._user = actor, user
        if not self.is_in_transaction:
            self.changes.clear()
        elif now != self._now:
            raise RuntimeError("time has passed in a transaction, so others may have run in it")
        self._now = now

    def run(self, query: PostgresQuery, result_format: Format) -> PGresult:
        """Do a statement, planned once. The time goes with it: a round trip of its own costs as much as most."""
        key = query.query, query.types
        if key not in self._names:
            name = str(len(self._names)).encode()
            prepared = self.pgconn.prepare(name, *key)
            if prepared.status != ExecStatus.COMMAND_OK:
                return prepared
            self._names[key] = name
        self.pgconn.enter_pipeline_mode()
        self.pgconn.send_query_prepared(b"clock", [str(self._now).encode()])
        self.pgconn.send_query_prepared(self._names[key], query.params, query.formats, result_format=result_format)
        self.pgconn.pipeline_sync()
        _, _, result, _, _ = [self.pgconn.get_result() for _ in range(5)]
        self.pgconn.exit_pipeline_mode()
        assert result is not None  # noqa: S101 - each has one
        return result

    def _note(self, notice: Diagnostic) -> None:
        if notice.sqlstate == outbox.CHANGE_STATE:
            told = json.loads(notice.message_primary or "")
            for due in ("old_due", "new_due"):
                told[due] = told[due] and datetime.fromisoformat(told[due])
            told["id"] = UUID(told["id"])
            self.changes.append(Change(actor=self._actor, at=moment(self._now), **told))


class _Cursor(psycopg.Cursor[Any]):
    """The driver's cursor, whose statements the session does."""

    def __init__(self, session: SharedSession, connection: psycopg.Connection[Any], **more: Any) -> None:
        super().__init__(connection, **more)
        self._session = session

    def _maybe_prepare_gen(self, pgq: PostgresQuery, **_: object) -> PQGen[None]:
        results = [self._session.run(pgq, self.format)]
        self._check_results(results)
        self._set_results(results)
        yield from ()


class SimulatedConnection(TimedConnection):
    """A client's connection. Its end is simulated: the session stays."""

    def __init__(self, session: SharedSession, adapters: AdaptersMap) -> None:
        super().__init__(session.pgconn)
        self.session = session
        self.is_cut = False
        self._adapters, self.cursor_factory = AdaptersMap(adapters), session.cursor_factory

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

    def rollback(self) -> None:
        """See psycopg.Connection."""
        if not self.is_cut:
            self.session.roll_back(self)


class Database:
    """A run's database. The harness has a session with it, and so have all clients with the same options."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.harness = SharedSession(psycopg.connect(url))
        self.is_migrated = False  # beyond the version that runs
        self._sessions: dict[str, SharedSession] = {}

    def connect(self, arguments: Mapping[str, Any]) -> SimulatedConnection:
        """Open a connection as the driver would with these arguments."""
        options = str(arguments["options"])
        if options not in self._sessions:
            self._sessions[options] = SharedSession(psycopg.connect(**arguments))
        return self._sessions[options].connect(arguments["context"].adapters)

    def migrate(self) -> None:
        """Add a column to each table, as the next version may, while sessions have plans for them."""
        if not self.is_migrated:
            self.is_migrated = True
            for table in metadata.tables:
                words = sql.SQL("ALTER TABLE {} ADD COLUMN of_the_next_version text")
                self.harness.connection.execute(words.format(sql.Identifier(table)))

    def close(self) -> None:
        """End all sessions."""
        for session in (self.harness, *self._sessions.values()):
            session.connection.close()

    def empty(self) -> None:
        """Make it as it was created."""
        for session in (self.harness, *self._sessions.values()):
            session.roll_back()
        self.harness.stamp(0, "harness")
        self.harness.connection.execute("SELECT sim.empty()")


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
        database.close()
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
