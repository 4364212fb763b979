"""Those who use the product in the simulation: visitors, who repeat until they get a receipt, and the operator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from uuid import UUID

from sqlalchemy import Engine

from leads.db import DATABASE_ERRORS, StoreUnavailable, connect_engine
from leads.destinations import CRM
from leads.outbox.gate import Reason, open_gate, shut_gate
from leads.outbox.holds import Held
from leads.outbox.selection import redrive, release
from leads.outbox.store import KeyErased, record_click, record_lead
from leads.privacy import erasure
from proofs.harness.person import Person
from proofs.simulation.crm import KILLER
from proofs.simulation.database import SimulatedDatabase
from proofs.simulation.oracle import FATAL, REFUSED
from proofs.simulation.scheduler import Process, Scheduler

PERSONS = 24
# Of a hundred leads, how many are of each odd kind; at most this many killers in a run.
ODD = {KILLER: 3, REFUSED: 4, FATAL: 4}
MAX_KILLERS = 2
HELD_OF_100 = 3
CLICKS_OF_100 = 25
TRIES = 12


@dataclass(eq=False, slots=True)
class People:
    """Visitors and the operator, each action on a fiber of its own."""

    scheduler: Scheduler
    note: Callable[[str], None]
    site: Engine
    desk: Engine
    site_process: Process
    desk_process: Process
    accepted: set[UUID] = field(default_factory=set)
    killers: int = 0
    # What each lead is owed, and the bell; visitors of a seed ring none, and the tick finds their rows.
    owed: Mapping[str, float] = field(default_factory=lambda: {CRM: 0.0})
    ring: Callable[[], None] = lambda: None
    _numbers: count[int] = field(default_factory=lambda: count(1))

    @classmethod
    def arrive(
        cls, scheduler: Scheduler, database: SimulatedDatabase, note: Callable[[str], None], url: str
    ) -> People:
        """Connect the site and the operator's desk.

        Args:
            scheduler: the run's.
            database: makes their statements steps of the run.
            note: writes a line of the schedule.
            url: the database.
        """
        engines = [connect_engine(url, pool=4, name=name) for name in ("site", "desk")]
        processes = [Process(name) for name in ("site", "operator")]
        for engine, process in zip(engines, processes, strict=True):
            database.attach(engine, process)
        return cls(scheduler, note, engines[0], engines[1], processes[0], processes[1])

    def visit(self, *, plain: bool = False) -> None:
        """One visitor comes. `plain`: an innocent lead that is not held."""
        chance, number = self.scheduler.random, next(self._numbers)
        if not plain and chance.randrange(100) < CLICKS_OF_100:
            self.click(number)
            return
        marker = "" if plain else self._draw_marker()
        person = chance.randrange(PERSONS)
        held = not plain and not marker and chance.randrange(100) < HELD_OF_100
        self.enquire(number, person, marker, held=Held.HONEYPOT if held else None)

    def click(self, number: int) -> None:
        """A visitor taps WhatsApp."""
        self.scheduler.spawn(f"visitor {number}", self.site_process, lambda: self._click(number))

    def enquire(self, number: int, person: int, marker: str = "", *, held: Held | None = None) -> None:
        """A person sends the form; the same number is the same submission."""
        self.scheduler.spawn(
            f"visitor {number}", self.site_process, lambda: self._enquire(number, person, marker, held)
        )

    def _draw_marker(self) -> str:
        roll = self.scheduler.random.randrange(100)
        for marker, share in ODD.items():
            if roll < share:
                if marker == KILLER:
                    self.killers += 1
                return "" if marker == KILLER and self.killers > MAX_KILLERS else marker
            roll -= share
        return ""

    def _enquire(self, number: int, person: int, marker: str, held: Held | None) -> None:
        values = Person(person).row() | {"surname": f"Example {number} {marker}".strip()}

        def store() -> UUID:
            return record_lead(
                self.site,
                values,
                idempotency_key=f"key-{number}",
                request_digest=b"same",
                held=held,
                owed=self.owed,
            ).id

        event = self._repeat(store)
        if event is not None:
            self.note(f"accepted lead {event}, {Person(person).email} {marker}{' (held)' if held else ''}")

    def _click(self, number: int) -> None:
        values = {
            "unique_code": f"C{number:04}",
            "whatsapp_message": "Hi",
            "button_location": "header",
            "session_id": f"session-{number}",
        }
        event = self._repeat(lambda: record_click(self.site, values))
        if event is not None:
            self.note(f"accepted click {event}")

    def _repeat(self, store: Callable[[], UUID]) -> UUID | None:
        for _ in range(TRIES):
            try:
                event = store()
            except StoreUnavailable:
                self.scheduler.sleep(self.scheduler.random.uniform(1, 20))
            except KeyErased:
                return None
            else:
                self.accepted.add(event)
                self.ring()
                return event
        return None  # gave up without a receipt; a stored row is delivered all the same

    # The operator -----------------------------------------------------------------------------------------------

    def operate(self, *works: tuple[str, Callable[[], object]]) -> None:
        """The operator does this, one after the other, each again and again until the database has answered."""

        def body() -> None:
            for name, work in works:
                self._persist(name, work)

        self.scheduler.spawn(f"operator {next(self._numbers)}", self.desk_process, body)

    def _persist(self, name: str, work: Callable[[], object]) -> None:
        while True:
            try:
                result = work()
            except DATABASE_ERRORS:
                self.scheduler.sleep(2.0)
            else:
                self.note(f"operator: {name} ({result})" if isinstance(result, int) else f"operator: {name}")
                return

    def pause(self) -> None:
        """Stop all calls by hand."""
        self.operate(("pause", self._pause))

    def resume(self) -> None:
        """Open the gate by hand."""
        self.operate(("resume", self._resume))

    def redrive_all(self) -> None:
        """Send every dead row again, and release what is held."""
        self.operate(("redrive", lambda: redrive(self.desk, by="operator")))
        self.operate(("release", lambda: release(self.desk, by="operator")))

    def pause_for(self, seconds: float) -> None:
        """Stop all calls by hand, resume after some seconds; then send dead rows again, and release held ones."""
        self.operate(
            ("pause", self._pause),
            ("wait", lambda: self.scheduler.sleep(seconds)),
            ("resume", self._resume),
            ("redrive", lambda: redrive(self.desk, by="operator")),
            ("release", lambda: release(self.desk, by="operator")),
        )

    def _pause(self) -> None:
        shut_gate(self.desk, Reason.PAUSED, "simulated", by="operator")

    def _resume(self) -> None:
        open_gate(self.desk, by="operator")

    def erase(self, person: int) -> None:
        """Erase a person."""
        email = Person(person).email

        def erase() -> int:
            return len(erasure.erase_person(self.desk, erasure.Person(email), by="operator", key="").leads)

        self.operate((f"erase {email}", erase))

    def close(self) -> None:
        """Close the engines."""
        self.site.dispose()
        self.desk.dispose()
