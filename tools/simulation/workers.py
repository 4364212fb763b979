"""Simulated worker processes: the product's context, deliveries and jobs, on as many fibers as it has threads."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from types import SimpleNamespace
from typing import Any, NamedTuple, cast
from uuid import UUID

from kombu.exceptions import OperationalError

from leads.db import DATABASE_ERRORS, error_name
from leads.destinations import MESSAGES_QUEUE, publisher_options
from leads.outbox.holds import settle_held
from leads.privacy.retention import retain
from leads.settings import Settings
from tools.simulation.database import Fate, SimulatedDatabase
from tools.simulation.scheduler import SECOND, Fiber, Killed, Process, Scheduler
from tools.simulation.stand_ins import SimulatedEvent
from worker.context import WorkerContext, make_context
from worker.destinations.staff_notice import tell_stopped
from worker.enqueue import deliver_row, enqueue_due
from worker.fallback import deliver_late
from worker.jobs.erasure import process_erasures

log = logging.getLogger("leads.simulation")

# As in celeryconfig.py, but for the first, which is drawn: how often, and after how long a task is dropped.
JOBS = {"enqueue_due": 0.0, "erase": 10.0, "release_held": 20.0, "tell_staff": 60.0, "retain": 3600.0}
EXPIRES_SECONDS = 20.0


class Task(NamedTuple):
    """A task in a queue. `expires`: the simulated time at which it is dropped."""

    queue: str
    name: str
    arguments: tuple[Any, ...]
    expires: int | None


@dataclass(eq=False, slots=True)
class Broker:
    """Redis, as the product uses it: tasks, which may be lost. Frozen, it keeps them.

    `fate_of`: what becomes of a command of the running fiber.
    """

    scheduler: Scheduler
    fate_of: Callable[[str], Fate]
    is_up: bool = True
    is_frozen: bool = False
    tasks: list[Task] = field(default_factory=list)
    waiting: list[Fiber] = field(default_factory=list)

    @property
    def answers(self) -> bool:
        """Whether it takes and gives tasks."""
        return self.is_up and not self.is_frozen

    def freeze(self) -> None:
        """Answer nothing, and keep the tasks."""
        self.is_frozen = True

    def thaw(self) -> None:
        """Give out the tasks, if it was frozen."""
        while self.is_frozen and self.waiting:
            self.scheduler.wake(self.waiting.pop(0))
        self.is_frozen = False

    def publish(self, queue: str, name: str, arguments: tuple[Any, ...] = (), expires: float | None = None) -> None:
        """Add a task, and wake a fiber; raises OperationalError when no answer comes."""
        until = None if expires is None else self.scheduler.now + int(expires * SECOND)
        self._do(f"publish {name}", partial(self._add, Task(queue, name, arguments, until)))

    def count(self, queue: str) -> int:
        """How many tasks a queue has; raises OperationalError when no answer comes."""
        self._do("count the tasks", lambda: None)
        return sum(task.queue == queue for task in self.tasks)

    def _add(self, task: Task) -> None:
        self.tasks.append(task)
        if self.waiting:
            self.scheduler.wake(self.waiting.pop(0))

    def _do(self, command: str, work: Callable[[], None]) -> None:
        fate = self.fate_of(command)
        if fate.is_run and self.is_up:
            work()  # a frozen one has it in its socket
        self._end_if_killed(fate)
        if self.is_frozen:
            self.scheduler.sleep(publisher_options()["socket_timeout"])
        if not (fate.is_answered and self.answers):
            raise OperationalError("Redis is unavailable")

    def _end_if_killed(self, fate: Fate) -> None:
        if fate.kills:
            self.scheduler.kill(self.scheduler.running().process)
            raise Killed

    def take(self) -> Task | None:
        """The next task for the calling fiber; waits for one. None: woken for another reason, or it has expired."""
        if self.is_frozen or not self.tasks:
            fiber = self.scheduler.running()
            self.waiting.append(fiber)
            try:
                self.scheduler.park(None, idle=True)
            finally:
                if fiber in self.waiting:
                    self.waiting.remove(fiber)
        if self.is_frozen or not self.tasks:
            return None
        task = self.tasks.pop(0)
        fate = self.fate_of("take a task")
        if not fate.is_run:
            self.tasks.insert(0, task)
        self._end_if_killed(fate)
        has_expired = task.expires is not None and task.expires <= self.scheduler.now
        return task if fate.is_run and fate.is_answered and not has_expired else None


@dataclass(frozen=True, slots=True)
class SimulatedApp:
    """What the product uses of Celery's application."""

    broker: Broker

    @contextmanager
    def connection_for_write(self, **_: object) -> Iterator[Any]:
        """A connection that can count the tasks of a queue."""

        def declare(queue: str) -> Any:
            return SimpleNamespace(message_count=self.broker.count(queue))

        yield SimpleNamespace(default_channel=SimpleNamespace(queue_declare=declare))

    def send_task(self, name: str, args: tuple[Any, ...], *, queue: str, **_: object) -> None:
        """Publish a task."""
        self.broker.publish(queue, name, args)


@dataclass(eq=False, slots=True)
class SimulatedWorker:
    """One worker process from its start to its end."""

    process: Process
    context: WorkerContext
    broker: Broker
    tick: float
    taken: int = 0
    _done_at: dict[str, int] = field(default_factory=dict)

    def take_tasks(self) -> None:
        """Take tasks and do them, as a thread of Celery's pool does."""
        while not self._stopping.is_set():
            task = self.broker.take()
            if task is None or self._stopping.is_set():
                continue
            self.taken += 1
            self._do(task)

    def _do(self, task: Task) -> None:
        try:
            self._run(task.name, *task.arguments)
        except (*DATABASE_ERRORS, OperationalError) as error:  # Celery logs it, and takes the next task
            log.warning("task failed: %s", error_name(error))

    def _run(self, name: str, destination: str = "", row_id: str = "") -> None:
        """See worker.tasks."""
        context, app = self.context, cast("Any", SimulatedApp(self.broker))
        match name:
            case "deliver":
                deliver_row(app, context.deliveries, destination, UUID(row_id))
            case "enqueue_due":
                enqueue_due(app, context.engine, [*context.deliveries.destinations])
            case "erase":
                process_erasures(context.engine, context.access, may_continue=self._may_continue)
            case "release_held":
                settle_held(context.engine)
            case "tell_staff":
                tell_stopped(context.engine, context.settings)
            case "retain":
                retain(context.engine, 24, may_continue=self._may_continue)

    def _may_continue(self) -> bool:
        return not self._stopping.is_set()

    @property
    def _stopping(self) -> Any:
        return self.context.deliveries.stopping

    def beat(self) -> None:
        """Enqueue the jobs that are due, as Celery's beat does, until the worker stops."""
        while not self._stopping.is_set():
            now = self.broker.scheduler.now
            for name, interval in JOBS.items():
                if now >= self._done_at.get(name, 0):
                    self._done_at[name] = now + int(interval * SECOND)
                    with suppress(OperationalError):
                        self.broker.publish(MESSAGES_QUEUE, name, expires=max(interval, EXPIRES_SECONDS))
            self._stopping.wait(self.tick)

    def deliver_late(self, name: str) -> None:
        """Deliver what no task has delivered, until the worker stops."""
        deliver_late(self.context.deliveries, name, lambda: self.taken)

    def stop(self) -> None:
        """Ask the process to end in an orderly way, as SIGTERM does; called on the main greenlet."""
        self._stopping.set()
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
    tick: float  # of each beat
    wanted: int = 0
    workers: list[SimulatedWorker] = field(default_factory=list)
    ended: list[SimulatedWorker] = field(default_factory=list)
    skews: tuple[float, ...] = (0.0,)
    _numbers: "count[int]" = field(default_factory=lambda: count(1))

    def start(self) -> None:
        """Start one worker process."""
        number = next(self._numbers)
        process = Process(f"w{number}", skew=self.skews[number % len(self.skews)])
        context = make_context(self.settings)
        stopping: SimulatedEvent = context.deliveries.stopping  # type: ignore[assignment] # see stand_ins
        stopping.idle = True
        self.database.attach(context.engine, process)
        worker = SimulatedWorker(process, context, self.broker, self.tick)
        self.workers.append(worker)
        self.note(f"start of {process.name}")
        self.scheduler.spawn(f"{process.name}.beat", process, worker.beat, delay=self.scheduler.random.random())
        for thread in range(self.settings.crm_concurrency):
            self.scheduler.spawn(f"{process.name}.{thread + 1}", process, worker.take_tasks)
        for name in context.deliveries.destinations:
            self.scheduler.spawn(f"{process.name}.late {name}", process, partial(worker.deliver_late, name))

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
        living = [worker for worker in self.workers if not worker.has_ended]
        for worker in living[: max(0, len(living) - wanted)]:  # the oldest
            self.note(f"{'kill -9 of' if kill else 'SIGTERM to'} {worker.process.name}")
            if kill:
                self.scheduler.kill(worker.process)
                self.scheduler.after(1.0, self.fill)
            else:
                worker.stop()
        self.fill()

    @property
    def processes(self) -> list[Process]:
        """Of all workers that ever were."""
        return [worker.process for worker in (*self.workers, *self.ended)]

    def close(self) -> None:
        """Close every worker's objects."""
        for worker in (*self.workers, *self.ended):
            worker.context.close()
