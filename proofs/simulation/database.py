"""PostgreSQL on simulated time: its clock, a log of every row's changes, and statements that get lost.

The product's SQL is unchanged. A schema with its own now() and clock_timestamp() is in front of PostgreSQL's, also
when the migrations run, so that column defaults use it too.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple, Protocol
from uuid import UUID
from weakref import WeakSet

import psycopg
from psycopg import sql
from psycopg.pq import TransactionStatus
from sqlalchemy import Engine, event

from proofs.harness import outbox
from proofs.harness.product import migrate
from proofs.simulation.scheduler import Killed, Process, Scheduler
from proofs.simulation.stand_ins import EPOCH, microseconds, moment

TEMPLATE = "simulation_template"
TRIES_TO_DROP = 100
# Tables are created in the first schema of the path; a function is taken from the first that has it.
SEARCH_PATH = "public, sim, pg_catalog"
_CLOCK = f"""
CREATE SCHEMA sim;
CREATE FUNCTION sim.clock_timestamp() RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT coalesce(nullif(current_setting('sim.clock', true), '')::timestamptz, to_timestamp({EPOCH}))
$$;
CREATE FUNCTION sim.now() RETURNS timestamptz LANGUAGE sql STABLE AS $$ SELECT sim.clock_timestamp() $$;
"""
# SQLAlchemy's own questions to a new connection.
_SET_UP = re.compile(r"select pg_catalog.version|select current_schema|show ", re.IGNORECASE)


class Change(NamedTuple):
    """One change of a row, as the trigger saw it."""

    n: int
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
    surname: str | None


def make_template(server_url: str) -> None:
    """Migrate the database that every run's is copied from; nothing when it exists."""
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


def make_database(server_url: str, name: str) -> str:
    """Create a run's database in place of an earlier one of that name; return its address."""
    with psycopg.connect(server_url, autocommit=True) as connection:
        new, template = sql.Identifier(name), sql.Identifier(TEMPLATE)
        _drop(connection, new)
        connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY").format(new, template))
        _put_clock_in_front(connection, name)
    return _url_of(server_url, name)


def _drop(connection: psycopg.Connection[Any], name: sql.Identifier) -> None:
    for is_last in (*[False] * TRIES_TO_DROP, True):
        try:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(name))
        except psycopg.errors.InsufficientPrivilege:  # autovacuum is there, and soon gone
            if is_last:
                raise
            threading.Event().wait(0.1)
        else:
            return


def _url_of(server_url: str, database: str) -> str:
    return f"{server_url.rpartition('/')[0]}/{database}"


def _put_clock_in_front(connection: psycopg.Connection[Any], database: str) -> None:
    setting = sql.SQL("ALTER DATABASE {} SET search_path = " + SEARCH_PATH)
    connection.execute(setting.format(sql.Identifier(database)))


@cache
def label_of(statement: str) -> str:
    """A statement in a few words, for the schedule."""
    known = (
        ("FOR UPDATE OF call_slots", "take a slot"), ("UPDATE call_slots", "free the slot"),
        ("'claimed', next_retry_at", "claim"), ("'lease_lost'", "return lost rows"), ("), marked AS (", "mark"),
        ("lost_leases, CASE", "look for lost leases"), ("INSERT INTO workers", "note seen"),
        ("SET began = true", "begin the call"), ("DELETE FROM", "delete rows"),
    )  # fmt: skip
    found = next((name for mark, name in known if name and mark in statement), None)
    words = re.search(r"(UPDATE|INSERT INTO|FROM) ([a-z_]+)", statement)
    table = re.search(r"\b(leads|whatsapp_clicks)\b", statement)
    if found is not None:
        return f"{found} ({table[1]})" if table else found
    return f"{words[1].lower()} {words[2]}" if words else " ".join(statement.split())[:40]


@dataclass(frozen=True, slots=True)
class Fate:
    """What becomes of a statement.

    `is_run`: the server does it. `is_answered`: the client gets the answer, else an error and no session. `kills`:
    the client dies of it. `stall`: seconds that the client freezes first, in which the server gives the session up.
    `is_cancelled`: the server gives the statement up, as after too long a time, and keeps the session.
    """

    is_run: bool = True
    is_answered: bool = True
    kills: bool = False
    stall: float = 0.0
    is_cancelled: bool = False


FINE = Fate()


class FateOf(Protocol):
    """Decides what becomes of a statement."""

    def __call__(self, process: Process, label: str, *, is_inside: bool) -> Fate:
        """`is_inside`: the statement is not the first of its transaction."""


class SimulatedDatabase:
    """The engines of simulated processes, and the harness's own session, which sees every change."""

    def __init__(
        self,
        scheduler: Scheduler,
        url: str,
        *,
        fate_of: FateOf,
        on_change: Callable[[Change], None],
    ) -> None:
        self._scheduler = scheduler
        self._fate_of, self._on_change = fate_of, on_change
        self.session = psycopg.connect(url, autocommit=True)
        self._last_change = 0
        self._open: list[tuple[Process, psycopg.Connection[Any]]] = []
        self._is_cut: WeakSet[psycopg.Connection[Any]] = WeakSet()

    def close(self) -> None:
        """Close the harness's session, and those that killed processes left behind."""
        for _, connection in self._open:
            connection.close()
        self.session.close()

    def query(self, statement: str, *parameters: object) -> list[Any]:
        """Run a statement of the harness at the simulated time; it is no step of the run."""
        self.session.pgconn.exec_(self._stamp("harness"))
        return self.session.execute(statement, parameters).fetchall()

    def attach(self, engine: Engine, process: Process) -> None:
        """Make every statement and commit of a process's engine a step of the run."""
        dialect = engine.dialect
        execute, commit = dialect.do_execute, dialect.do_commit
        dirty: set[int] = set()

        def do_execute(cursor: Any, statement: str, parameters: Any, context: Any = None) -> None:
            def work() -> None:
                execute(cursor, statement, parameters, context)
                if cursor.rowcount > 0 and outbox.WRITES_ROWS.search(statement):
                    dirty.add(id(cursor.connection))

            if _SET_UP.match(statement):
                execute(cursor, statement, parameters, context)
                return
            self._step(process, cursor.connection, label_of(statement), work)
            self._read_if_committed(cursor.connection, dirty)

        def do_commit(pooled: Any) -> None:
            connection = pooled.dbapi_connection
            self._step(process, connection, "commit", lambda: commit(pooled))
            self._read_if_committed(connection, dirty)

        setattr(dialect, "do_execute", do_execute)  # noqa: B010 - mypy refuses to assign to a method
        setattr(dialect, "do_commit", do_commit)  # noqa: B010
        event.listen(engine, "connect", lambda connection, _: self._open.append((process, connection)))
        event.listen(engine, "do_connect", lambda *_: self._refuse_the_dead(process), insert=True)
        process.disconnect = lambda: self.cut_sessions(process)

    def cut_sessions(self, process: Process | None = None) -> None:
        """End the sessions of a process, or all of them; their clients learn it from their next statement."""
        for owner, connection in self._open:
            if process is None or owner is process:
                self._cut(connection)
        self._open = [(owner, connection) for owner, connection in self._open if not connection.closed]

    def _cut(self, connection: psycopg.Connection[Any]) -> None:
        """What is uncommitted is undone before anybody else looks."""
        with suppress(psycopg.Error):
            connection.rollback()
        self._is_cut.add(connection)

    def _refuse_the_dead(self, process: Process) -> None:
        if process.dead:
            raise Killed

    def _step(self, process: Process, connection: Any, label: str, work: Callable[[], None]) -> None:
        self._refuse_the_dead(process)
        is_inside = connection.info.transaction_status == TransactionStatus.INTRANS
        fate = self._fate_of(process, label, is_inside=is_inside)
        if fate.stall:
            self._cut(connection)
            self._scheduler.sleep(fate.stall)
        if connection in self._is_cut:
            connection.close()
            raise psycopg.OperationalError("the session was ended by the server")
        if fate.is_cancelled:
            connection.pgconn.exec_(b"SELECT 1 / 0")  # in a transaction, that is over too
            raise psycopg.errors.QueryCanceled("canceling statement due to statement timeout")
        if fate.is_run:
            connection.pgconn.exec_(self._stamp(f"{self._scheduler.running().name}|{label}"))
            work()
        if fate.kills:
            self._scheduler.kill(process)
            self.read_changes()
            raise Killed
        if not fate.is_answered:
            self._cut(connection)
            connection.close()
            self.read_changes()
            raise psycopg.OperationalError("the answer was lost")

    def _read_if_committed(self, connection: Any, dirty: set[int]) -> None:
        if id(connection) in dirty and connection.info.transaction_status != TransactionStatus.INTRANS:
            dirty.discard(id(connection))
            self.read_changes()

    def read_changes(self) -> None:
        """Pass on the changes since the last read."""
        for row in self.session.execute(outbox.READ_CHANGES, [self._last_change]).fetchall():
            change = Change(*row)
            self._last_change = change.n
            self._on_change(change)

    def _stamp(self, actor: str) -> bytes:
        return f"SET sim.clock = '{moment(self._scheduler.now).isoformat()}'; SET sim.actor = '{actor}'".encode()

    def next_due(self) -> int | None:
        """When a worker next has something to do for a row, an erasure or the gate; None: not before an event."""
        (row,) = self.session.execute(outbox.NEXT_DUE).fetchall()
        return None if row[0] is None else microseconds(row[0])
