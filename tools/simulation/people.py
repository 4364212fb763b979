"""Those who use the product in the simulation: visitors, who repeat until they get a receipt, and the operator."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from datetime import timedelta
from functools import partial
from itertools import count
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from sqlalchemy import Engine

from api.limits.rules import LIMITS
from api.limits.start_token import StartTokens
from leads.db import DATABASE_ERRORS, StoreUnavailable
from leads.destinations import CRM
from leads.lifecycle import Reason
from leads.outbox.holds import Held
from leads.outbox.operate import Change
from leads.outbox.pause import pause, resume
from leads.outbox.selection import Selection
from leads.outbox.store import KeyErased, change_details, record_click, record_leads, submission
from leads.privacy import erasure
from leads.settings import Settings
from tools.simulation.crm import KILLER
from tools.simulation.database import SimulatedDatabase
from tools.simulation.oracle import FATAL, REFUSED
from tools.simulation.scheduler import Process, Scheduler
from tools.simulation.stand_ins import moment
from tools.visitors import Person

PERSONS = 24
# Of a hundred leads, how many are of each odd kind; at most this many killers in a run.
ODD = {KILLER: 3, REFUSED: 4, FATAL: 4}
MAX_KILLERS = 2
HELD_OF_100 = 3
CLICKS_OF_100 = 25
TRIES = 12
TAPS_OF_100 = 30
TAP_SECONDS = (2.0, 6.0, 40.0, 3600.0)
TYPING_SECONDS = 8.0
PROMISED = {"call_from": moment(0) + timedelta(hours=2), "call_until": moment(0) + timedelta(hours=5)}
NEXT_DAY = {column: at + timedelta(days=1) for column, at in PROMISED.items()}
CHOSEN: dict[str, Any] = {**NEXT_DAY, "call_chosen": True}
T = TypeVar("T")
# What a visitor answers on the thank-you page, seconds after what was before.
Taps = Sequence[tuple[float, Mapping[str, Any]]]
ANSWERS: tuple[Mapping[str, Any], ...] = (
    {"interest": "Dental implants"}, {"interest": "Crowns"}, {"interest": None}, {"already_has": "X-ray"},
    {"already_has": "X-ray, photos"}, CHOSEN,
)  # fmt: skip


class Program(NamedTuple):
    """A program with sessions of its own: one of a site, or the operator's commands."""

    engine: Engine
    process: Process


@dataclass(eq=False, slots=True)
class People:
    """Visitors of two sites and the operator at a desk, each action on a fiber of its own."""

    scheduler: Scheduler
    database: SimulatedDatabase
    note: Callable[[str], None]
    settings: InitVar[Settings]
    skew: float  # seconds that the first site's wall clock is wrong
    tokens: StartTokens = field(init=False)  # of both sites
    desk: Program = field(init=False)
    accepted: set[UUID] = field(default_factory=set)
    # What each lead's visitor has answered last; not of one who gave up, as nobody knows whether that was stored.
    answered: dict[UUID, dict[str, Any]] = field(default_factory=dict)
    held_by_clocks: set[UUID] = field(default_factory=set)  # by their start token, though they took their time
    opened: list[Program] = field(default_factory=list)  # replaced ones finish what they have begun
    killers: int = 0
    is_plain: bool = False  # nobody adds anything on the thank-you page
    owed: Mapping[str, float] = field(init=False)  # what each lead is owed, and after how many seconds
    # Enqueues its task; visitors of a seed enqueue none, and the beat finds their rows.
    enqueue: Callable[[UUID], None] = lambda _: None
    _numbers: "count[int]" = field(default_factory=lambda: count(1))

    def __post_init__(self, settings: Settings) -> None:
        self.tokens = StartTokens(settings.derive_key("start token"), LIMITS.start_seconds)
        self.owed = settings.lead_destinations
        self.desk = self._open("operator")
        self.replace_sites()

    def _open(self, name: str, skew: float = 0.0) -> Program:
        process = Process(name, skew)
        return Program(self.database.open_engine(process, pool=4), process)

    @property
    def sites(self) -> list[Program]:
        """The two that take whoever comes."""
        return self.opened[-2:]

    @property
    def processes(self) -> list[Process]:
        """The operator's, and those of all sites."""
        return [site.process for site in (self.desk, *self.opened)]

    def replace_sites(self) -> None:
        """Open two sites, which take whoever comes from now on."""
        self.opened += [self._open("site", self.skew), self._open("second site")]

    def visit(self, *, plain: bool = False) -> None:
        """One visitor comes. `plain`: an innocent lead that is not held."""
        chance, number = self.scheduler.random, next(self._numbers)
        if not plain and chance.randrange(100) < CLICKS_OF_100:
            self.click(number)
            return
        marker = "" if plain else self._draw_marker()
        person = chance.randrange(PERSONS)
        held = not plain and not marker and chance.randrange(100) < HELD_OF_100
        self.enquire(number, person, marker, held=Held.HONEYPOT if held else None, taps=self._draw_taps())

    def click(self, number: int) -> None:
        """A visitor taps WhatsApp."""
        site = self.sites[0]
        self.scheduler.spawn(f"visitor {number}", site.process, lambda: self._click(site.engine, number))

    def enquire(  # noqa: PLR0913 - keywords, what a visit may have
        self,
        number: int,
        person: int,
        marker: str = "",
        *,
        held: Held | None = None,
        site: int = 0,
        taps: Taps = (),
        typing: float = TYPING_SECONDS,
    ) -> None:
        """A person opens a page of the other site, sends its form, and taps on the thank-you page.

        The same number is the same submission. typing: seconds from now until the form is sent.
        """
        here, other = self.sites[site], self.sites[1 - site]
        tokens: list[str] = []

        def open_page() -> None:
            tokens.append(self.tokens.issue(age=TYPING_SECONDS - typing))

        def send() -> None:
            by_clocks = self.tokens.read(tokens[0]).problem
            event = self._enquire(here.engine, number, person, marker, held or by_clocks)
            if event is not None:
                if by_clocks is not None:
                    self.held_by_clocks.add(event)
                self._tap(here.engine, event, taps)

        self.scheduler.spawn(f"visitor {number}", other.process, open_page)
        self.scheduler.spawn(f"visitor {number}", here.process, send, delay=typing)

    def _draw_taps(self) -> Taps:
        chance = self.scheduler.random
        if self.is_plain or chance.randrange(100) >= TAPS_OF_100:
            return ()
        return [(chance.choice(TAP_SECONDS), chance.choice(ANSWERS)) for _ in range(chance.randint(1, 3))]

    def _draw_marker(self) -> str:
        roll = self.scheduler.random.randrange(100)
        for marker, share in ODD.items():
            if roll < share:
                if marker == KILLER:
                    self.killers += 1
                return "" if marker == KILLER and self.killers > MAX_KILLERS else marker
            roll -= share
        return ""

    def _enquire(self, site: Engine, number: int, person: int, marker: str, held: Held | None) -> UUID | None:
        values = Person(person).row() | {"surname": f"Example {number} {marker}".strip(), **PROMISED}

        def store() -> UUID:
            key = f"key-{number}"
            lead = submission(values, idempotency_key=key, request_digest=b"same", held=held, owed=self.owed)
            (outcome,) = record_leads(site, [lead])
            if isinstance(outcome, Exception):
                raise outcome
            return outcome.id

        event = self._repeat(store)
        if event is not None:
            self.note(f"accepted lead {event}, {Person(person).email} {marker}{' (held)' if held else ''}")
            self.answered.setdefault(event, dict(PROMISED))
        return event

    def _tap(self, site: Engine, event: UUID, taps: Taps) -> None:
        """One tap after the other, each until it is stored."""
        for wait, values in taps:
            self.scheduler.sleep(wait)
            stored = self._try(lambda values=values: change_details(site, event, values))  # type: ignore[misc]
            if not stored:  # gave up, or was erased
                self.answered.pop(event, None)
                return
            self.note(f"{event} has more details: {', '.join(values)}")
            self.answered.get(event, {}).update(values)
            self.enqueue(event)

    def _click(self, site: Engine, number: int) -> None:
        values = {
            "unique_code": f"C{number:04}",
            "whatsapp_message": "Hi",
            "button_location": "header",
            "session_id": f"session-{number}",
        }
        event = self._repeat(lambda: record_click(site, values))
        if event is not None:
            self.note(f"accepted click {event}")

    def _repeat(self, store: Callable[[], UUID]) -> UUID | None:
        event = self._try(store)
        if event is not None:
            self.accepted.add(event)
            self.enqueue(event)
        return event  # None: gave up without a receipt; a stored row is delivered all the same

    def _try(self, store: Callable[[], T]) -> T | None:
        for _ in range(TRIES):
            try:
                return store()
            except StoreUnavailable:
                self.scheduler.sleep(self.scheduler.random.uniform(1, 20))
            except KeyErased:
                return None
        return None

    # The operator -----------------------------------------------------------------------------------------------

    def operate(self, *works: tuple[str, Callable[[], object]]) -> None:
        """The operator does this, one after the other, each again and again until the database has answered."""

        def body() -> None:
            for name, work in works:
                self._persist(name, work)

        self.scheduler.spawn(f"operator {next(self._numbers)}", self.desk.process, body)

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
        """End the pause by hand."""
        self.operate(("resume", self._resume))

    def redrive_all(self) -> None:
        """Send every dead row again, and release what is held."""
        for work in self._redrives():
            self.operate(work)

    def pause_for(self, seconds: float) -> None:
        """Stop all calls by hand, resume after some seconds; then send dead rows again, and release held ones."""
        wait = partial(self.scheduler.sleep, seconds)
        self.operate(("pause", self._pause), ("wait", wait), ("resume", self._resume), *self._redrives())

    def _redrives(self) -> list[tuple[str, Callable[[], object]]]:
        return [(change, partial(self._change, change)) for change in (Change.REDRIVEN, Change.RELEASED)]

    def _change(self, change: Change) -> int:
        return sum(change.make(self.desk.engine, Selection(states=("dead", "held")), by="operator"))

    def _pause(self) -> None:
        pause(self.desk.engine, CRM, Reason.PAUSED, "simulated", by="operator")

    def _resume(self) -> None:
        resume(self.desk.engine, CRM, by="operator")

    def erase(self, person: int) -> None:
        """Erase a person."""
        email = Person(person).email

        def erase() -> int:
            return len(erasure.erase_person(self.desk.engine, erasure.Person(email), by="operator", key="").leads)

        self.operate((f"erase {email}", erase))

    def close(self) -> None:
        """Close the engines."""
        for site in (self.desk, *self.opened):
            site.engine.dispose()
