"""A drill's environment: its database, its processes, the leads that were accepted, the figures it measured."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Any

import psycopg
from psycopg.rows import dict_row
from sqlalchemy import Engine

from dev.servers.state_files import free_port
from leads.db import connect_engine
from leads.settings import Settings, read_settings
from proofs.harness import outbox
from proofs.harness.case import Broken
from proofs.harness.person import Person
from proofs.harness.process import WebProcess, Worker
from proofs.harness.product import COMPRESSED, settings
from proofs.harness.servers import Servers
from proofs.harness.site import Site
from sandbox.process import SandboxProcess

# Added to a time limit in the short set, which runs among the tests on busy machines.
BUSY_SECONDS = 20.0


class DrillEnvironment:
    """Everything a drill works with; its attributes collect what the oracle compares with the CRM's ledger."""

    def __init__(self, servers: Servers, folder: Path, *, seed: str, max_seconds: float, short: bool) -> None:
        """Create the drill's database.

        Args:
            servers: shared by all drills.
            folder: of the drill's logs.
            seed: of every random choice.
            max_seconds: from now on; then waiting fails.
            short: whether it runs with the short set's times.
        """
        self.servers, self.folder, self.short = servers, folder, short
        self.random = random.Random(seed)
        self.deadline = time.monotonic() + max_seconds
        self.made_database = self.database_url = servers.make_database()
        self.variables = self._variables()
        self.settings: Settings = read_settings(self.variables)
        self.engine: Engine = connect_engine(self.settings.database_url, pool=8, name="drill")
        self.workers: list[Worker] = []
        self.sites: list[Site] = []
        self.accepted: dict[str, dict[str, str]] = {}
        self.possible: set[str] = set()  # surnames whose post got no reply: one record, or none
        self.forwarded: list[datetime] = []  # when the drill itself made waiting rows due
        self.cleanup = ExitStack()  # ends what the drill started for the oracle too, such as a database server
        self.done: list[str] = []
        self.figures: dict[str, str] = {}
        self._people = 0
        self._storing = threading.Lock()

    def _variables(self) -> dict[str, str]:
        given = settings(self.database_url, self.servers.valkey.url, self.sandbox.url)
        given |= {"FRONTEND_DIR": "no-such-build"}
        return given | (COMPRESSED if self.short else {})

    def use_database(self, setting: str, url: str) -> None:
        """Use this migrated database from now on: the product's setting for it, and its address for libpq."""
        self.engine.dispose()
        self.variables["DATABASE_URL"], self.database_url = setting, url
        self.reread_settings()
        self.engine = connect_engine(self.settings.database_url, pool=8, name="drill")

    def reread_settings(self) -> None:
        """Read the settings again, after the drill has changed `variables`."""
        self.settings = read_settings(self.variables)

    @property
    def sandbox(self) -> SandboxProcess:
        """The CRM."""
        return self.servers.sandbox

    @property
    def call_limit(self) -> float:
        """Seconds within which a worker must end after SIGTERM: one call, and a margin for Python."""
        return self.settings.crm_call_seconds + 5

    def note(self, done: str) -> None:
        """Note what was done, for the report."""
        self.done.append(done)

    def figure(self, name: str, value: float, unit: str = "") -> None:
        """Note a measured figure, for the report."""
        text = f"{value:,.0f}" if float(value).is_integer() or abs(value) >= 1000 else f"{value:.3g}"
        self.figures[name] = f"{text} {unit}".strip()

    # Processes -------------------------------------------------------------------------------------------------

    def worker(self, *, faulty: bool = False, **environment: str) -> Worker:
        """Start a worker; environment variables given here take precedence."""
        name = f"w{len(self.workers) + 1}"
        worker = Worker(name, self.variables | environment, self.folder / f"{name}.log", faulty=faulty)
        self.workers.append(worker)
        return worker

    def ready_worker(self, *, faulty: bool = False, **environment: str) -> Worker:
        """Start a worker and wait until it listens."""
        worker = self.worker(faulty=faulty, **environment)
        self.wait(lambda: worker.is_ready or not worker.alive(), 60, f"{worker.name} to start")
        return worker

    def fleet(self, count: int, **environment: str) -> list[Worker]:
        """Start several workers at once and wait for all."""
        workers = [self.worker(faulty=False, **environment) for _ in range(count)]
        for worker in workers:
            self.wait(lambda worker=worker: worker.is_ready, 60, f"{worker.name} to start")  # type: ignore[misc]
        return workers

    def site(self, **environment: str) -> Site:
        """Start the web application and wait until it answers."""
        process = WebProcess(free_port(), self.variables | environment, self.folder / "web.log")
        site = Site(process)
        self.sites.append(site)
        if not site.wait_ready():
            raise Broken("the site did not start")
        return site

    def close(self) -> None:
        """End every process this drill started."""
        for site in self.sites:
            site.close()
        for process in (*self.workers, *(site.process for site in self.sites)):
            process.thaw()
            if process.alive():
                process.kill()
        self.engine.dispose()

    # Leads -----------------------------------------------------------------------------------------------------

    def people(self, count: int, word: str = "") -> list[Person]:
        """New people, not used before in this drill."""
        with self._storing:
            first, self._people = self._people, self._people + count
        return [Person(first + number, word) for number in range(count)]

    def person(self, surname: str) -> Person:
        """The person with this surname."""
        word, _, number = surname.partition("Sample")
        return Person(int(number), word)

    def store(self, people: int | Sequence[Person]) -> list[str]:
        """Store leads as the API does, in one durable commit; returns their event ids."""
        chosen = self.people(people) if isinstance(people, int) else list(people)
        if not chosen:
            return []
        with self.connect() as connection:
            stored = outbox.store(connection, chosen)
        for row, person in zip(stored, chosen, strict=True):
            self.accepted[row["id"]] = person.fields(row["reference"])
        return [row["id"] for row in stored]

    def post(self, site: Site, people: Sequence[Person], *, threads: int = 2) -> list[Any]:
        """Post leads over HTTP; those that the site accepts must end in the CRM."""
        answers = site.post_many(people, threads=threads)
        for person, answer in zip(people, answers, strict=True):
            if answer.accepted:
                self.accepted[answer.body["id"]] = person.fields(answer.body["reference"])
            else:
                self.possible.add(person.surname)
        return answers

    # Queries and waiting -----------------------------------------------------------------------------------------

    def connect(self) -> psycopg.Connection[dict[str, Any]]:
        """A connection of the drill's own, autocommit."""
        return psycopg.connect(
            self.database_url,
            autocommit=True,
            row_factory=dict_row,
            connect_timeout=5,
        )

    def rows(self, query: str, *parameters: object) -> list[dict[str, Any]]:
        """The rows of a query."""
        with self.connect() as connection:
            return connection.execute(query.encode(), parameters or None).fetchall()

    def change(self, statement: str, *parameters: object) -> int:
        """Run a statement; returns the number of rows it changed."""
        with self.connect() as connection:
            return connection.execute(statement.encode(), parameters or None).rowcount

    def look(self, what: str, where: str = "true", *parameters: object) -> list[dict[str, Any]]:
        """Columns of leads and their deliveries that meet a condition (SQL)."""
        return self.rows(outbox.select(what, where), *parameters)

    def count(self, where: str = "true", ids: Sequence[str] | None = None) -> int:
        """How many leads, of these or of all, meet a condition (SQL)."""
        if ids is None:
            return int(self.look("count(*) AS n", where)[0]["n"])
        return int(self.look("count(*) AS n", f"{where} AND id = ANY(%s::uuid[])", ids)[0]["n"])

    def arrange(self, changes: str, where: str, *parameters: object) -> int:
        """Change deliveries by hand; returns how many."""
        return self.change(outbox.update(changes, where), *parameters)

    def in_crm(self) -> int:
        """How many records the CRM holds."""
        return int(self.sandbox.summary()["records"])

    def records_of(self, ids: Sequence[str]) -> set[str]:
        """Which of these leads are in the CRM."""
        return {str(record["Website_Event_ID"]) for record in self.sandbox.records()} & set(ids)

    def wait_in_crm(self, ids: Sequence[str], seconds: float, what: str) -> float:
        """Wait until all of these leads are in the CRM; returns the seconds it took."""
        return self.wait(lambda: len(self.records_of(ids)) == len(ids), seconds, what)

    def wait_all(self, where: str, ids: Sequence[str], seconds: float, what: str) -> float:
        """Wait until all of these leads meet a condition (SQL); returns the seconds it took."""
        return self.wait(lambda: self.count(where, ids) == len(ids), seconds, what, every=0.02)

    def make_due(self, what: str = outbox.WAITING) -> None:
        """Time travel: make waiting rows due now, but never end a lease."""
        self.forward("next_retry_at = now()", f"{what} AND next_retry_at > now()")

    def forward(self, changes: str, where: str, *parameters: object) -> None:
        """Make rows due, and note when, so that a claim right after it is no surprise.

        The time is the server's, from within the statement: a claim may come before this process has the answer.
        """
        update = f"{outbox.update(changes, where)} RETURNING clock_timestamp() AS at"
        (moved,) = self.rows(f"WITH moved AS ({update}) SELECT max(at) AS at FROM moved", *parameters)  # noqa: S608
        if moved["at"]:
            self.forwarded.append(moved["at"])

    def pause(self, seconds: float) -> None:
        """Wait for so many seconds."""
        threading.Event().wait(seconds)

    def wait(self, condition: Callable[[], bool], seconds: float, what: str, *, every: float = 0.05) -> float:
        """Wait until a condition holds.

        Args:
            condition: polled until it returns True.
            seconds: how long to wait at most.
            what: what is waited for; part of the message of `Broken`.
            every: seconds between two polls.

        Returns:
            The seconds it took.
        """
        started, pause = time.monotonic(), threading.Event()
        while not condition():
            now = time.monotonic()
            if now - started > seconds or now > self.deadline:
                raise Broken(f"waited {now - started:.0f} s for {what}")
            pause.wait(every)
        return time.monotonic() - started

    def within(self, seconds: float, allowed: float, what: str) -> None:
        """Require that it took no longer than allowed; the short set has a wide margin for busy machines."""
        allowed += BUSY_SECONDS if self.short else 0.0
        if seconds > allowed:
            raise Broken(f"{what} after {seconds:.1f} s, {allowed:.1f} s are allowed")

    def wait_delivered(self, seconds: float) -> float:
        """Wait until every accepted lead is in the CRM and marked sent."""
        wanted = len(self.accepted)
        took = self.wait(lambda: self.in_crm() >= wanted, seconds, f"{wanted} records in the CRM", every=0.1)
        return took + self.wait(
            lambda: self.count("zoho_status <> 'sent'") == 0, seconds, "every row to be marked sent", every=0.1
        )
