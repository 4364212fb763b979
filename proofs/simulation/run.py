"""One run: the parts put together, the loop, and what the scenario does to them."""

from __future__ import annotations

import logging
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from leads.settings import read_settings
from proofs.simulation.checks import Checks
from proofs.simulation.crm import HOST, SimulatedCrm
from proofs.simulation.database import SimulatedDatabase
from proofs.simulation.faults import Faults
from proofs.simulation.oracle import REFUSED, Oracle
from proofs.simulation.people import People
from proofs.simulation.scenario import HOUR, TROUBLES_KNOWN, Trouble, Weather, plan, trickle
from proofs.simulation.scheduler import SECOND, Process, Scheduler
from proofs.simulation.stand_ins import moment, standing_in
from proofs.simulation.workers import Broker, WorkerPool
from sandbox.tokens import CLIENT_ID, CLIENT_SECRET, REFRESH_TOKEN

MAX_STEPS = 400_000
MAX_STRIDE_SECONDS = 3 * HOUR
ROUNDS_IN_FULL, STRIDE_GROWTH = 6, 2.0


@dataclass(frozen=True, slots=True)
class DrawnSettings:
    """How the product is set up in this run."""

    workers: int
    threads: int
    batch: int
    cap: int
    tick: float
    skews: tuple[float, ...]
    limits: dict[str, object]


@dataclass(slots=True)
class Result:
    """What a run found. `digest` is equal for equal runs."""

    seed: int
    violations: list[str]
    steps: int
    simulated_seconds: float
    digest: int
    faults: Counter[str]
    checks: Counter[str]
    figures: Counter[str]
    plan: list[str]
    schedule: list[str]


class Run:
    """One simulated life of the product."""

    database: SimulatedDatabase
    crm: SimulatedCrm
    broker: Broker
    pool: WorkerPool
    people: People
    settings_drawn: DrawnSettings

    def __init__(self, seed: int, url: str, *, only: Sequence[str] = (), traced: bool = False) -> None:
        """Prepare a run.

        Args:
            seed: Decides everything.
            url: A fresh database; see `make_database`.
            only: The names of the troubles to draw from; all, if empty.
            traced: Whether to keep the schedule.
        """
        self.troubles = [trouble for trouble in TROUBLES_KNOWN if not only or trouble.name in only]
        self.seed, self._url, self._traced = seed, url, traced
        self.scheduler = Scheduler(seed)
        self.schedule: list[str] = []
        self.planned: list[str] = []
        self.digest = 0
        self.figures: Counter[str] = Counter()
        self.faults = Faults(self)
        self.checks = Checks(self)
        self.weather = Weather()
        self.is_quiet = False
        self.is_ending = False
        self.is_over = False
        self._vain_rounds, self._progress = 0, 0
        self.settings_drawn = self._draw_settings()
        self.oracle = Oracle(self.scheduler, 60.0, self.settings_drawn.cap)

    def _draw_settings(self) -> DrawnSettings:
        chance = self.scheduler.random
        limits: dict[str, object] = {
            "email_unique": chance.random() < 0.3,
            "search_lag_s": chance.choice((0, 0, 5, 60)),
        }
        skews = tuple(chance.choice((0.0, 0.0, 3600.0, -3600.0)) for _ in range(3))
        return DrawnSettings(
            chance.randint(2, 4),
            chance.randint(1, 3),
            chance.choice((1, 3, 10)),
            chance.randint(2, 6),
            chance.choice((5.0, 15.0, 15.0)),
            skews,
            limits,
        )

    def play(self) -> Result:
        """Run to the end, or to the first violation."""
        with ExitStack() as stack:
            stack.enter_context(standing_in(self.scheduler, self.seed))
            stack.enter_context(_logged(self))
            self._build(stack)
            plan(self)
            self._loop()
            if not self.oracle.violations:
                self.checks.check_end()
        return Result(
            self.seed, self.oracle.violations, self.scheduler.steps, self.scheduler.now / SECOND, self.digest,
            self.faults.counts, self.oracle.checks, self.figures, self.planned, self.schedule,
        )  # fmt: skip

    def _build(self, stack: ExitStack) -> None:
        drawn = self.settings_drawn
        settings = read_settings({
            "DATABASE_URL": self._url, "ZOHO_API_URL": HOST, "ZOHO_ACCOUNTS_URL": HOST, "ZOHO_CLIENT_ID": CLIENT_ID,
            "ZOHO_CLIENT_SECRET": CLIENT_SECRET, "ZOHO_REFRESH_TOKEN": REFRESH_TOKEN,
            "CRM_BATCH_ROWS": str(drawn.batch), "CRM_CONCURRENCY": str(drawn.threads),
            "CRM_CALLS_IN_FLIGHT": str(drawn.cap), "CRM_TICK_SECONDS": str(drawn.tick),
        })  # fmt: skip
        self.database = SimulatedDatabase(
            self.scheduler, self._url, fate_of=self.faults.of_statement, on_change=self.oracle.on_change
        )
        stack.callback(self.database.close)
        self.crm = SimulatedCrm(
            self.scheduler, self.seed, self.faults.of_call, self.faults.on_send, self.faults.on_answer
        )
        stack.enter_context(self.crm.connected())
        self._calm_sandbox()
        self.broker = Broker(self.scheduler)
        self.pool = WorkerPool(self.scheduler, self.database, settings, self.broker, self.note, skews=drawn.skews)
        stack.callback(self.pool.close)
        self.people = People.arrive(self.scheduler, self.database, self.note, settings.database_url)
        stack.callback(self.people.close)
        stack.callback(lambda: self.scheduler.close(self._processes()))
        self.pool.set_wanted(drawn.workers)

    def _processes(self) -> list[Process]:
        workers = [worker.process for worker in (*self.pool.workers, *self.pool.ended)]
        return [*workers, self.people.site_process, self.people.desk_process]

    # The loop ---------------------------------------------------------------------------------------------------

    def _loop(self) -> None:
        while not self.oracle.violations and not self.is_over:
            self._skip_idle_time()
            if not self.scheduler.step():
                break
            self.oracle.check_sent(self.crm)
            if self.scheduler.steps > MAX_STEPS:
                self.oracle.violations.append(f"no end after {MAX_STEPS:,} steps")

    def _skip_idle_time(self) -> None:
        """When all wait for work, let the clock jump to what is due next: ticks without work are left out.

        While nothing is delivered, the ticks become rarer, up to three hours apart.
        """
        scheduler = self.scheduler
        tick = scheduler.idle_head()
        if tick is None:
            return
        if self.oracle.progress != self._progress or self.is_quiet:
            self._vain_rounds, self._progress = 0, self.oracle.progress
        self._vain_rounds += 1
        exponent = min(40, max(0, self._vain_rounds - ROUNDS_IN_FULL))
        stride = int(min(MAX_STRIDE_SECONDS, self.settings_drawn.tick * (STRIDE_GROWTH**exponent - 1)) * SECOND)
        busy, due, now = scheduler.next_time(busy=True), self.database.next_due(), scheduler.now
        if due is not None:
            due = max(due, tick if due <= now else due, now + stride)
        target = min((time for time in (busy, due) if time is not None), default=tick)
        if target > tick + SECOND:
            scheduler.skip_to(target, self.settings_drawn.tick)
            living = [
                worker.context.worker.id for worker in self.pool.living() if not self._is_frozen(worker.process)
            ]
            self.database.query("UPDATE crm_workers SET seen_at = now() WHERE id = ANY(%s) RETURNING 1", living)
            self.figures["jumps"] += 1

    def _is_frozen(self, process: Process) -> bool:
        return process.frozen_until > self.scheduler.now

    def note(self, line: str) -> None:
        """Write a line of the schedule."""
        self.digest = zlib.crc32(line.encode(), zlib.crc32(str(self.scheduler.now).encode(), self.digest))
        if self._traced:
            at = moment(self.scheduler.now)
            days = self.scheduler.now // (86_400 * SECOND)
            self.schedule.append(f"{self.scheduler.steps:7} day {days:2} {at:%H:%M:%S.%f}  {line}")

    def kills_all(self) -> bool:
        """Draw whether all workers die at once; not if that is unfair to a row."""
        return self.chance(0.5) and all(self.oracle.may_strike(worker.process) for worker in self.pool.living())

    def chance(self, probability: float) -> bool:
        """Draw once."""
        return self.scheduler.random.random() < probability

    # What the scenario does ---------------------------------------------------------------------------------------

    def begin(self, trouble: Trouble) -> None:
        """A trouble begins."""
        self.note(f"-- {trouble.name}")
        self.faults.counts[f"trouble: {trouble.name}"] += 1
        self._vain_rounds = 0
        self.weather.add(trouble)
        if trouble.faults is not None:
            self.crm.sandbox.change(trouble.faults(self.scheduler.random))
        if trouble.begin is not None:
            trouble.begin(self)

    def end(self, trouble: Trouble) -> None:
        """A trouble ends."""
        self.note(f"-- over: {trouble.name}")
        self._vain_rounds = 0
        self.weather.remove(trouble)
        if trouble.faults is not None:
            names = trouble.faults(self.scheduler.random)
            self.crm.sandbox.change(dict.fromkeys(names))
        if trouble.end is not None:
            trouble.end(self)

    def set_credits(self, remaining: int) -> None:
        """The CRM's credits of the day are so many."""
        self.crm.sandbox.change({"limits": {"credits_remaining": remaining}})

    def set_broker(self, *, up: bool) -> None:
        """Redis goes, with its bells, or comes back."""
        self.broker.is_up = up
        self.broker.bells.clear()

    def cut_all_sessions(self) -> None:
        """Every session with the database ends."""
        self.database.cut_sessions()

    def _calm_sandbox(self) -> None:
        refuse = {"reject_word": {"word": REFUSED, "field": "Last_Name"}} if not self.is_ending else {}
        self.crm.sandbox.change({**refuse, "limits": self.settings_drawn.limits}, replace=True)

    def begin_quiet(self) -> None:
        """A time without trouble begins."""
        self.note("== quiet")
        self.is_quiet = True
        self.weather.clear()
        self._calm_sandbox()
        self.set_broker(up=True)
        self.pool.set_wanted(self.settings_drawn.workers)
        self.checks.expect_delivery()

    def end_quiet(self) -> None:
        """The quiet time ends."""
        self.is_quiet = False

    def begin_end(self) -> None:
        """The calm end begins: no more faults, and killers no longer kill."""
        self.is_ending = True
        self.begin_quiet()
        self.people.resume()
        trickle(self, self.scheduler.now / SECOND)
        self.checks.begin_end()


class _Lines(logging.Handler):
    def __init__(self, run: Run) -> None:
        super().__init__(logging.INFO)
        self._run = run

    def emit(self, record: logging.LogRecord) -> None:
        fiber = self._run.scheduler.current
        self._run.note(f"{fiber.name if fiber else 'main'}:   log: {record.getMessage()}")


@contextmanager
def _logged(run: Run) -> Iterator[None]:
    """The product's log lines become lines of the schedule while the block runs; other loggers are silent."""
    handler, pool = _Lines(run), logging.getLogger("sqlalchemy.pool")
    loggers = [logging.getLogger(name) for name in ("leads", "worker")]
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
        logger.propagate = False
    pool.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(handler)
            logger.setLevel(logging.NOTSET)
            logger.propagate = True
        pool.setLevel(logging.NOTSET)
