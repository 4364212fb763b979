"""A running product: its workers and its site, the leads that it accepted, and what became of them."""

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any

import psycopg
from psycopg.rows import dict_row

from leads.db import connect_engine
from leads.settings import Settings, read_settings
from tests.process.site import Answer, Site
from tests.support.processes import WorkerProcess, wait_for
from tests.support.samples import record_lead
from tools.sandbox.process import SandboxProcess
from tools.servers.state_files import free_port
from tools.servers.valkey import EmbeddedValkey
from tools.visitors import Person

# What is owed to the CRM, and what waits for its time.
OWED, WAITING = "zoho_status IN ('pending', 'sending', 'retrying')", "zoho_status IN ('pending', 'retrying')"
# A busy machine may take so many times as long; then only what never comes fails a short run.
PATIENCE = 4.0


class Product:
    """Everything a process test works with.

    `is_long`: with the product's own times, which are judged too; else with a short lease, and judged by what
    happens alone. `accepted`: the fields that each accepted lead must have in the CRM, by its id. `possible`:
    surnames whose post got no reply: one record, or none.
    """

    def __init__(
        self,
        variables: Mapping[str, str],
        *,
        database_url: str,
        valkey: EmbeddedValkey,
        sandbox: SandboxProcess,
        folder: Path,
        is_long: bool,
    ) -> None:
        self.variables = dict(variables) | ({} if is_long else {"CRM_LEASE_SECONDS": "4"})
        self.valkey, self.sandbox, self.folder, self.is_long = valkey, sandbox, folder, is_long
        self.random = random.Random(1)
        self.accepted: dict[str, dict[str, str]] = {}
        self.possible: set[str] = set()
        self.workers: list[WorkerProcess] = []
        self._database_url = database_url  # for libpq
        self._numbers = count()
        self._stack = ExitStack()

    def close(self) -> None:
        """End every process."""
        self._stack.close()

    @property
    def settings(self) -> Settings:
        """The product's settings."""
        return read_settings(self.variables)

    @property
    def call_limit(self) -> float:
        """Seconds within which a worker must end after SIGTERM: one call, and a margin for Python."""
        return self.settings.crm_call_seconds + 5

    # Processes -------------------------------------------------------------------------------------------------

    def start_worker(self, *, celery: str = "celery") -> WorkerProcess:
        """Start a worker."""
        name = f"w{len(self.workers) + 1}"
        worker = WorkerProcess(self.variables, self.folder / f"{name}.log", name, celery=celery)
        self.workers.append(self._stack.enter_context(worker))
        return worker

    def start_workers(self, number: int = 1, *, celery: str = "celery") -> list[WorkerProcess]:
        """Start workers, and wait until they listen."""
        workers = [self.start_worker(celery=celery) for _ in range(number)]
        self.wait(lambda: all(worker.is_ready for worker in workers), 60, "the workers to start")
        return workers

    def start_site(self) -> Site:
        """Start the site, and wait until it answers."""
        site = self._stack.enter_context(Site(free_port(), self.variables, self.folder / "web.log"))
        site.wait_ready()
        return site

    # Leads -----------------------------------------------------------------------------------------------------

    def people(self, number: int) -> list[Person]:
        """New people, not used before in this test."""
        return [Person(next(self._numbers)) for _ in range(number)]

    def store(self, number: int) -> list[str]:
        """Store leads of new people as the API does; returns their event ids."""
        engine = connect_engine(self.settings.database_url, pool=1, name="test")
        stored = []
        for person in self.people(number):
            receipt = record_lead(engine, person.row())
            stored.append(str(receipt.id))
            self._accept(person, stored[-1], receipt.reference)
        engine.dispose()
        return stored

    def post(self, site: Site, number: int, *, threads: int = 2) -> list[Answer]:
        """Post leads of new people over HTTP; those that the site accepts must end in the CRM."""
        people = self.people(number)
        answers = site.post_many(people, threads=threads)
        for person, answer in zip(people, answers, strict=True):
            if answer.accepted:
                self._accept(person, answer.body["id"], answer.body["reference"])
            else:
                self.possible.add(person.row()["surname"])
        return answers

    def _accept(self, person: Person, event: str, reference: str) -> None:
        row = person.row()
        self.accepted[event] = {
            "First_Name": row["name"],
            "Last_Name": row["surname"],
            "Email": row["email"],
            "Phone": row["phone_e164"],
            "Website_Reference": reference,
        }

    # Queries and waiting -----------------------------------------------------------------------------------------

    def rows(self, query: str, *values: object) -> list[dict[str, Any]]:
        """The rows of a query."""
        with psycopg.connect(self._database_url, autocommit=True, row_factory=dict_row, connect_timeout=5) as found:
            return found.execute(query.encode(), values or None).fetchall()

    def count(self, condition: str) -> int:
        """How many deliveries to the CRM meet a condition (SQL)."""
        return int(self.rows(f"SELECT count(*) AS n FROM crm_deliveries WHERE {condition}")[0]["n"])

    def make_due(self, condition: str = WAITING) -> None:
        """Time travel: make waiting rows due now, but never end a lease."""
        later = f"{condition} AND next_retry_at > now()"
        self.rows(f"UPDATE crm_deliveries SET next_retry_at = now() WHERE {later} RETURNING id")

    def in_crm(self) -> int:
        """How many records the CRM holds."""
        return int(self.sandbox.summary()["records"])

    def wait_in_crm(self, ids: Sequence[str], seconds: float, what: str) -> float:
        """Wait until all of these leads are in the CRM; returns the seconds it took."""
        wanted = set(ids)
        return self.wait(
            lambda: wanted <= {record["Website_Event_ID"] for record in self.sandbox.records()}, seconds, what
        )

    def wait(self, condition: Callable[[], bool], seconds: float, what: str) -> float:
        """Wait until a condition holds; a short run waits longer. Returns the seconds it took."""
        return wait_for(condition, seconds * (1.0 if self.is_long else PATIENCE), what)

    def wait_delivered(self, seconds: float) -> None:
        """Wait until every accepted lead is in the CRM and marked sent."""
        wanted = len(self.accepted)
        self.wait(lambda: self.in_crm() >= wanted, seconds, f"{wanted} records in the CRM")
        self.wait(lambda: self.count("zoho_status <> 'sent'") == 0, seconds, "every row to be marked sent")


def pause(seconds: float) -> None:
    """Let time pass."""
    Event().wait(seconds)
