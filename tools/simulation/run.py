"""One run: the parts put together, and the loop."""

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from smtplib import SMTP
from unittest.mock import patch

from leads.settings import read_settings
from tools.sandbox import credentials
from tools.simulation.checks import Checks
from tools.simulation.crm import HOST, SimulatedCrm
from tools.simulation.cutter import Exchange
from tools.simulation.database import SimulatedDatabase
from tools.simulation.fates import Fates
from tools.simulation.faults import Faults
from tools.simulation.mail import SimulatedMail
from tools.simulation.people import People
from tools.simulation.scenario import Scenario
from tools.simulation.scheduler import SECOND
from tools.simulation.server import Database, fresh_database
from tools.simulation.stand_ins import standing_in
from tools.simulation.workers import Broker, WorkerPool
from tools.simulation.world import HOUR, DrawnSettings, World
from worker.http import HttpClient

MAX_STEPS = 400_000
LAST_LINES = 60  # of the schedule of a run that does not hold
MAX_STRIDE_SECONDS = 3 * HOUR
ROUNDS_IN_FULL, STRIDE_GROWTH = 6, 2.0


@dataclass(slots=True)
class Result:
    """What a run found. `digest` is equal for equal runs. again: the arguments that repeat it.

    exchanges: those of a journey. schedule: what happened, if it was traced.
    """

    what: str
    again: str
    violations: list[str]
    steps: int
    simulated_days: float
    digest: int
    checks: Counter[str]
    plan: list[str]
    schedule: list[str]
    exchanges: list[Exchange] = field(default_factory=list)

    @property
    def line(self) -> str:
        """The run in a line."""
        mark = "FAILED" if self.violations else "holds "
        return f"{mark} {self.what:12} {self.simulated_days:5.1f} days {self.steps:7,} steps  {self.digest:08x}"

    def failure(self) -> str:
        """What does not hold: the violations, the plan, the end of the schedule, and how to see all of it."""
        violations = (f"  ! {violation}" for violation in self.violations)
        plan = (f"    {planned}" for planned in self.plan)
        again = f'  whole schedule: make simulate ARGS="{self.again}"'
        return "\n".join([*violations, *plan, *self.schedule[-LAST_LINES:], again])


class Run:
    """One simulated life of the product."""

    def __init__(self, world: World, database: Database, fates: Fates) -> None:
        """Prepare a run in a fresh database."""
        self._world, self._database, self._fates = world, database, fates
        self.checks = Checks(world)
        self._progress = 0

    def play(self, plan: Callable[[], None], what: str, again: str) -> Result:
        """Run to the end, or to the first violation. See `Result` for the words.

        plan: puts all that happens from outside into the scheduler's queue.
        """
        world = self._world
        with ExitStack() as stack:
            stack.enter_context(standing_in(world.scheduler, world.seed, self._database.open_engine))
            stack.enter_context(_logged(world))
            self._build(stack)
            plan()
            self._loop()
            if not world.oracle.violations:
                self.checks.check_end()
        return Result(
            what, again, world.oracle.violations, world.scheduler.steps, world.scheduler.now / SECOND / 86_400,
            world.digest, world.oracle.checks, world.planned, world.schedule,
        )  # fmt: skip

    def _build(self, stack: ExitStack) -> None:
        world, fates = self._world, self._fates
        scheduler, drawn = world.scheduler, world.settings_drawn
        settings = read_settings({
            **credentials.settings(HOST), "DATABASE_URL": self._database.url,
            "CRM_CONCURRENCY": str(drawn.threads), "ZOHO_FIELDS": "all", **drawn.more,
        })  # fmt: skip
        world.database = SimulatedDatabase(
            scheduler, self._database, fate_of=fates.of_statement, on_change=world.oracle.on_change
        )
        world.crm = SimulatedCrm(scheduler, world.seed, fates.of_call, fates.on_send, fates.on_answer)
        stack.callback(world.crm.sandbox.ledger.close)
        exchange = world.crm.exchange
        stack.enter_context(patch.object(HttpClient, "exchange", lambda _, *call: exchange(*call)))
        world.mail = SimulatedMail(scheduler, fates.of_mail)
        stack.enter_context(patch.object(SMTP, "_get_socket", world.mail.open_socket))
        world.calm_sandbox()
        world.broker = Broker(scheduler, fates.of_command)
        world.pool = WorkerPool(
            scheduler, world.database, settings, world.broker, world.note, drawn.tick, skews=drawn.skews
        )
        stack.callback(world.pool.close)
        world.people = People(scheduler, world.database, world.note, settings, drawn.skews[0])
        stack.callback(world.people.close)
        stack.callback(lambda: scheduler.close([*world.pool.processes, *world.people.processes]))
        world.pool.set_wanted(drawn.workers)

    # The loop ---------------------------------------------------------------------------------------------------

    def _loop(self) -> None:
        world = self._world
        while not world.oracle.violations and not world.is_over:
            self._skip_idle_time()
            if not world.scheduler.step():
                break
            world.oracle.check_sent(world.crm)
            if world.scheduler.steps > MAX_STEPS:
                world.oracle.violations.append(f"no end after {MAX_STEPS:,} steps")

    def _skip_idle_time(self) -> None:
        """Leave out ticks that would find nothing, before something is due.

        When all wait for work, the clock jumps to what is due next. While nothing is delivered, the ticks become
        rarer, up to three hours apart.
        """
        world, scheduler, drawn = self._world, self._world.scheduler, self._world.settings_drawn
        while (head := scheduler.idle_head()) is not None:
            tick, fiber = head
            if tick <= world.awake_until:
                return
            due, busy = world.database.next_due(), scheduler.next_busy_time()
            is_vain = due is None or due > tick
            if due is not None:
                due = max(due, tick, scheduler.now + self._stride())
            target = min((time for time in (busy, due) if time is not None), default=tick)
            if target <= tick + SECOND and is_vain and drawn.leaves_out:
                scheduler.postpone(fiber, drawn.tick)
                continue
            world.vain_rounds += 1
            if target > tick + SECOND:
                scheduler.skip_to(target, drawn.tick)
            return

    def _stride(self) -> int:
        """How long ticks that find rows, and deliver none, are apart."""
        world = self._world
        if world.oracle.progress != self._progress or world.is_quiet:
            world.vain_rounds, self._progress = 0, world.oracle.progress
        exponent = min(40, max(0, world.vain_rounds + 1 - ROUNDS_IN_FULL))
        seconds = world.settings_drawn.tick * (STRIDE_GROWTH**exponent - 1)
        return int(min(MAX_STRIDE_SECONDS, seconds) * SECOND)


class _Lines(logging.Handler):
    def __init__(self, world: World) -> None:
        super().__init__(logging.INFO)
        self._world = world

    def emit(self, record: logging.LogRecord) -> None:
        fiber = self._world.scheduler.current
        self._world.note(f"{fiber.name if fiber else 'main'}:   log: {record.getMessage()}")


@contextmanager
def _logged(world: World) -> Iterator[None]:
    """The product's log lines become lines of the schedule while the block runs; other loggers are silent."""
    handler, pool = _Lines(world), logging.getLogger("sqlalchemy.pool")
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


def play_seed(server_url: str, only: Sequence[str], seed: int, *, traced: bool = False) -> Result:
    """Run one seed in a fresh database; a failed run is repeated to get its schedule.

    only: the troubles to draw from, in a life without messages, answers and sales staff; all, if empty.
    """
    world = World(seed, partial(DrawnSettings.draw, is_plain=bool(only)), traced=traced)
    drawn = " --only" + "".join(f" '{name}'" for name in only) if only else ""
    run = Run(world, fresh_database(server_url), Faults(world))
    plan = Scenario(world, run.checks, only).plan
    result = run.play(plan, f"seed {seed}", f"--replay {seed}{drawn}")
    if result.violations and not traced:
        return play_seed(server_url, only, seed, traced=True)
    return result


def play_until(server_url: str, only: Sequence[str], until: float, seed: int) -> Result | None:
    """Run one seed, if it is not too late by the real clock."""
    return play_seed(server_url, only, seed) if time.time() < until else None
