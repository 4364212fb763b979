"""Simulated worker processes: the product's context, tick and tasks, on as many fibers as it has threads."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import count
from typing import Any

from kombu.exceptions import OperationalError

from leads.db import DATABASE_ERRORS, error_name
from leads.outbox.rows import Lane
from leads.queue import publisher_options
from leads.settings import Settings
from proofs.simulation.database import Fate, SimulatedDatabase
from proofs.simulation.scheduler import Fiber, Killed, Process, Scheduler
from proofs.simulation.stand_ins import SimulatedEvent
from worker.context import WorkerContext, make_context
from worker.delivery.deliver import deliver_on_turn
from worker.tick import Ticker

log = logging.getLogger("leads.simulation")


@dataclass(eq=False, slots=True)
class Broker:
    """Redis, as the product uses it: bells without data, which may be lost. Frozen, it keeps them.

    `fate_of`: what becomes of a command of the running fiber.
    """

    scheduler: Scheduler
    fate_of: Callable[[str], Fate]
    is_up: bool = True
    is_frozen: bool = False
    bells: Counter[Lane] = field(default_factory=Counter)
    waiting: list[Fiber] = field(default_factory=list)

    @property
    def answers(self) -> bool:
        """Whether it takes and gives bells."""
        return self.is_up and not self.is_frozen

    def thaw(self) -> None:
        """Give out the bells, if it was frozen."""
        while self.is_frozen and self.waiting:
            self.scheduler.wake(self.waiting.pop(0))
        self.is_frozen = False

    def ring(self, lane: Lane) -> None:
        """Add a bell, and wake a fiber; raises OperationalError when no answer comes."""
        self._do("ring", partial(self._add, lane))

    def count(self, lane: Lane) -> int:
        """How many bells a lane has; raises OperationalError when no answer comes."""
        self._do("count the bells", lambda: None)
        return self.bells[lane]

    def _add(self, lane: Lane) -> None:
        self.bells[lane] += 1
        if self.waiting:
            self.scheduler.wake(self.waiting.pop(0))

    def _do(self, command: str, work: Callable[[], None]) -> None:
        fate = self.fate_of(command)
        if fate.is_run and self.is_up:
            work()  # a frozen one has it in its socket
        self._end_the_killed(fate)
        if self.is_frozen:
            self.scheduler.sleep(publisher_options()["socket_timeout"])
        if not (fate.is_answered and self.answers):
            raise OperationalError("Redis is unavailable")

    def _end_the_killed(self, fate: Fate) -> None:
        if fate.kills:
            self.scheduler.kill(self.scheduler.running().process)
            raise Killed

    def take(self) -> Lane | None:
        """The next bell for the calling fiber; waits for one. None: woken for another reason."""
        if self.is_frozen or not self.bells.total():
            fiber = self.scheduler.running()
            self.waiting.append(fiber)
            try:
                self.scheduler.park(None, idle=True)
            finally:
                if fiber in self.waiting:
                    self.waiting.remove(fiber)
        lane = next((lane for lane in Lane if self.bells[lane] and not self.is_frozen), None)
        if lane is None:
            return None
        self.bells[lane] -= 1
        fate = self.fate_of("take a bell")
        if not fate.is_run:
            self.bells[lane] += 1
        self._end_the_killed(fate)
        return lane if fate.is_run and fate.is_answered else None


class SimulatedTicker(Ticker):
    """The product's ticker, on a simulated Redis."""

    def __init__(self, broker: Broker, context: WorkerContext) -> None:
        app: Any = None
        super().__init__(app, context)
        self._broker = broker

    def run(self) -> None:
        """Tick until the worker is to stop."""
        self._run()

    def note_sweep(self, now: datetime) -> None:
        """Take a sweep as made now."""
        if self._swept_at is not None:
            self._swept_at = now

    def _check(self) -> None:
        """Do nothing: the check of the CRM's fields is a call without a row, which the oracle does not know."""

    def _ring(self, wanted: Mapping[Lane, int]) -> bool:
        for lane, bells in wanted.items():
            for _ in range(bells - self._broker.count(lane)):
                self._broker.ring(lane)
        return False


@dataclass(eq=False, slots=True)
class SimulatedWorker:
    """One worker process from its start to its end."""

    process: Process
    context: WorkerContext
    broker: Broker
    ticker: SimulatedTicker

    def deliver_bells(self) -> None:
        """Take bells and deliver, as `worker.tasks.deliver_batch` does."""
        while not self.context.stopping.is_set():
            lane = self.broker.take()
            if lane is None or self.context.stopping.is_set():
                continue
            try:
                summary = deliver_on_turn(self.context.delivery, self.context.crm, lane)
            except DATABASE_ERRORS as error:  # Celery logs it, and takes the next bell
                log.warning("task failed: %s", error_name(error))
                continue
            if not summary.claimed:
                self.context.wake_details()
            if summary.full:
                with suppress(OperationalError):
                    self.broker.ring(lane)

    def tick(self) -> None:
        """Tick until the worker stops."""
        self.ticker.run()

    def stop(self) -> None:
        """Ask the process to end in an orderly way, as SIGTERM does; called on the main greenlet."""
        self.context.stopping.set()
        for messages in self.context.messages:
            messages.wake()
        for fiber in self.process.fibers:
            if fiber in self.broker.waiting:
                self.broker.waiting.remove(fiber)
                self.broker.scheduler.wake(fiber)

    @property
    def has_ended(self) -> bool:
        """Whether it died or stopped."""
        return self.process.dead or all(fiber.dead for fiber in self.process.fibers)


@dataclass(eq=False, slots=True)
class WorkerPool:
    """The worker processes of one run; a supervisor starts another when one ends, as long as it is told to."""

    scheduler: Scheduler
    database: SimulatedDatabase
    settings: Settings
    broker: Broker
    note: Callable[[str], None]
    wanted: int = 0
    workers: list[SimulatedWorker] = field(default_factory=list)
    ended: list[SimulatedWorker] = field(default_factory=list)
    skews: tuple[float, ...] = (0.0,)
    _numbers: count[int] = field(default_factory=lambda: count(1))

    def start(self) -> None:
        """Start one worker process."""
        number = next(self._numbers)
        process = Process(f"w{number}", skew=self.skews[number % len(self.skews)])
        context = make_context(self.settings)
        stopping: SimulatedEvent = context.stopping  # type: ignore[assignment] # see stand_ins
        stopping.idle = True
        self.database.attach(context.engine, process)
        worker = SimulatedWorker(process, context, self.broker, SimulatedTicker(self.broker, context))
        self.workers.append(worker)
        self.note(f"start of {process.name}")
        self.scheduler.spawn(f"{process.name}.tick", process, worker.tick, delay=self.scheduler.random.random())
        for thread in range(self.settings.crm_concurrency):
            self.scheduler.spawn(f"{process.name}.{thread + 1}", process, worker.deliver_bells)
        for messages in context.messages:
            self.scheduler.spawn(f"{process.name}.{messages.destination.name}", process, messages.run)

    def living(self) -> list[SimulatedWorker]:
        """The workers that are neither dead nor stopped."""
        return [worker for worker in self.workers if not worker.has_ended]

    def kill(self, worker: SimulatedWorker, *, restart: float) -> None:
        """End a process as kill -9 does; the supervisor starts another after `restart` seconds."""
        self.note(f"kill -9 of {worker.process.name}")
        if not worker.process.dead:
            self.scheduler.kill(worker.process)
        self.scheduler.after(restart, self.fill)

    def fill(self) -> None:
        """Start as many workers as are wanted and do not run."""
        gone = [worker for worker in self.workers if worker.has_ended]
        for worker in gone:
            self.workers.remove(worker)
            self.ended.append(worker)
            worker.context.close()
        for _ in range(self.wanted - len(self.workers)):
            self.start()

    def set_wanted(self, wanted: int, *, kill: bool = False) -> None:
        """Change how many processes there are: start some, or stop some, in an orderly way or by kill -9."""
        self.wanted = wanted
        living = self.living()
        for worker in living[: max(0, len(living) - wanted)]:  # the oldest
            if kill:
                self.kill(worker, restart=1.0)
            else:
                self.note(f"SIGTERM to {worker.process.name}")
                worker.stop()
        self.fill()

    def of(self, process: Process) -> SimulatedWorker | None:
        """The worker of a process, if it is one."""
        return next((worker for worker in self.workers if worker.process is process), None)

    def close(self) -> None:
        """Close every worker's objects."""
        for worker in (*self.workers, *self.ended):
            worker.context.close()
