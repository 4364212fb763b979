"""The database of a run: every statement is a step, which may get lost; every change of a row is passed on."""

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Protocol

import psycopg
from sqlalchemy import Engine

from tools.simulation import outbox
from tools.simulation.scheduler import Killed, Process, Scheduler
from tools.simulation.server import NOTHING, Change, Database, SharedSession, SimulatedConnection, SimulatedEngine
from tools.simulation.stand_ins import microseconds


@cache
def label_of(statement: str) -> str:
    """A statement in a few words, for the schedule."""
    known = (
        ("AS lease", "claim"), ("FOR UPDATE", "settle"),
        ("DELETE FROM", "delete rows"),
    )  # fmt: skip
    found = next((name for mark, name in known if name and mark in statement), None)
    words = re.search(r"(UPDATE|INSERT INTO|FROM) ([a-z_]+)", statement)
    table = re.search(r"\b(leads|whatsapp_clicks)\b", statement)
    if found is not None:
        return f"{found} ({table[1]})" if table else found
    return f"{words[1].lower()} {words[2]}" if words else " ".join(statement.split())[:40]


@cache
def changes_agenda(statement: str) -> bool:
    """Whether a statement may change what there is to do."""
    return outbox.CHANGES_AGENDA.search(statement) is not None


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


FINE, LOST = Fate(), Fate(is_run=False, is_answered=False)
# As long as a client waits for a statement (leads/db.py).
ANSWER_SECONDS = 20.0


@dataclass(eq=False, slots=True)
class _Sent:
    """A statement that waits in the socket of a server that stands still, which will do it in any case.

    `arguments`: of the driver, by which the server does it for a client that has gone.
    """

    process: Process
    session: SharedSession
    actor: str
    arguments: tuple[Any, Any]
    is_given_up: bool = False


class FateOf(Protocol):
    """Decides what becomes of a statement."""

    def __call__(self, process: Process, label: str, /, *, is_inside: bool) -> Fate:
        """`is_inside`: the statement is not the first of its transaction."""


class SimulatedDatabase:
    """The engines of simulated processes, and the harness's own questions."""

    def __init__(
        self,
        scheduler: Scheduler,
        database: Database,
        *,
        fate_of: FateOf,
        on_change: Callable[[Change], None],
    ) -> None:
        self._scheduler, self._database = scheduler, database
        self._fate_of, self._on_change = fate_of, on_change
        self._open: list[tuple[Process, SimulatedConnection]] = []
        self._due: int | None = None
        self._is_due_known = False  # since the last change
        self._stands_still = False
        self._sent: list[_Sent] = []

    def query(self, statement: str, *parameters: object) -> list[Any]:
        """Run a statement of the harness at the simulated time; it is no step of the run."""
        self._database.session.stamp(self._scheduler.now, "harness")
        return self._database.session.connection.execute(statement, parameters).fetchall()

    def migrate(self) -> None:
        """Make what the next version's migration might: old and new processes work on the same tables."""
        self._database.session.stamp(self._scheduler.now, "migration")
        self._database.migrate()

    def open_engine(self, process: Process, *, pool: int) -> Engine:
        """An engine of a process, with so many connections at most."""
        engine = self._database.open_engine(pool=pool)
        self.attach(engine, process)
        return engine

    def attach(self, engine: Engine, process: Process) -> None:
        """Make every statement and commit of a process's engine a step of the run."""
        assert isinstance(engine, SimulatedEngine)  # noqa: S101 - see stand_ins

        def connect(connection: SimulatedConnection) -> None:
            self._refuse_the_dead(process)
            connection.step = partial(self._step, process, connection)
            self._open.append((process, connection))

        engine.on_connect = connect
        process.disconnect = lambda: self.cut_sessions(process)

    def cut_sessions(self, process: Process | None = None) -> None:
        """End the sessions of a process, or all of them; their clients learn it from their next statement."""
        for owner, connection in self._open:
            if process is None or owner is process:
                connection.cut()
        self._open = [(owner, connection) for owner, connection in self._open if not connection.is_cut]

    def _refuse_the_dead(self, process: Process) -> None:
        if process.dead:
            raise Killed

    def stand_still(self) -> None:
        """The server freezes: it takes statements, and answers none."""
        self._stands_still = True

    def go_on(self) -> None:
        """The server thaws, and does what was sent to it meanwhile."""
        self._stands_still = False
        sent, self._sent = self._sent, []
        for each in sent:
            if each.is_given_up or each.process.dead:
                self._is_due_known = False
                each.session.stamp(self._scheduler.now, each.actor)
                with suppress(psycopg.Error):
                    each.session.connection.execute(*each.arguments)
                    self._pass_on(each.session.changes)

    def _is_answered(self, sent: _Sent) -> bool:
        """Wait for a server that stands still, as long as a client does; then the statement is lost to it."""
        self._sent.append(sent)
        self._scheduler.sleep(ANSWER_SECONDS)
        sent.is_given_up = sent in self._sent
        return not sent.is_given_up

    def _step(
        self,
        process: Process,
        connection: SimulatedConnection,
        statement: str,
        work: Callable[[], object],
        arguments: tuple[Any, Any],
    ) -> None:
        self._refuse_the_dead(process)
        label = label_of(statement)
        session, actor = connection.session, f"{self._scheduler.running().name}|{label}"
        is_inside = session.is_in_transaction
        fate = self._fate_of(process, label, is_inside=is_inside)
        if fate.stall:
            connection.cut()
            self._scheduler.sleep(fate.stall)
        if connection.is_cut:
            connection.close()
            raise psycopg.OperationalError("the session was ended by the server")
        if fate.is_cancelled:
            connection.pgconn.exec_(b"SELECT 1 / 0")  # in a transaction, that is over too
            raise psycopg.errors.QueryCanceled("canceling statement due to statement timeout")
        if fate.is_run and self._stands_still and not is_inside:
            # Of a transaction only its beginning is sent.
            sent = _Sent(process, session, actor, arguments if connection.autocommit else NOTHING)
            fate = fate if self._is_answered(sent) else LOST
        if fate.is_run:
            session.stamp(self._scheduler.now, actor, connection)
            work()
            if changes_agenda(statement):
                self._is_due_known = False
            if not session.is_in_transaction:
                self._pass_on(session.changes)
        if fate.kills:
            self._scheduler.kill(process)
            raise Killed
        if not fate.is_answered:
            connection.close()
            raise psycopg.OperationalError("the answer was lost")

    def _pass_on(self, changes: Iterable[Change]) -> None:
        for change in changes:
            self._on_change(change)

    def next_due(self) -> int | None:
        """When a worker next has something to do, as things are now; None: not before something happens."""
        if not self._is_due_known:
            ((due,),) = self.query(outbox.NEXT_DUE)
            self._due, self._is_due_known = due and microseconds(due), True
        return self._due
