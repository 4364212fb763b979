"""Virtual time, and fibers: threads of which only one runs at a time, in an order that the seed decides.

A fiber gives the baton back when it sleeps or waits; the scheduler then advances the clock to whatever is next.
Nothing here knows the product.
"""

from __future__ import annotations

import heapq
import threading
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from random import Random

# Simulated time is in whole microseconds, as PostgreSQL's is.
SECOND = 1_000_000
FIBER_STACK = 256 * 1024
# The end of a fiber that is stuck in real code is waited for no longer.
JOIN_SECONDS = 30.0


class Killed(BaseException):
    """The process of this fiber died: nothing of it runs any more."""


@dataclass(eq=False, slots=True)
class Process:
    """A simulated process: its fibers die, freeze and misread the wall clock together.

    `skew`: seconds that its wall clock is wrong. `disconnect`: ends its sessions with the database.
    """

    name: str
    skew: float = 0.0
    dead: bool = False
    frozen_until: int = 0
    last_frozen: int = -(10**18)
    fibers: list[Fiber] = field(default_factory=list)
    disconnect: Callable[[], None] = lambda: None


class Fiber:
    """A thread that runs only while it holds the baton."""

    def __init__(self, scheduler: Scheduler, name: str, process: Process, body: Callable[[], None]) -> None:
        self.name, self.process = name, process
        self.is_idle = False  # waits for work, so time may be skipped
        self.ended = False
        self.error: BaseException | None = None
        self.ticket = 0  # of its newest place in the queue; older ones are void
        self.woken = False
        self._scheduler = scheduler
        self._body = body
        self._go = threading.Lock()
        self._go.acquire()
        self.thread = threading.Thread(target=self._run, name=name, daemon=True)
        process.fibers.append(self)

    def _run(self) -> None:
        self._go.acquire()
        try:
            if not self.process.dead:
                self._body()
        except Killed:
            pass
        except BaseException as error:  # noqa: BLE001 - a fault of the simulation, raised on the main thread
            self.error = error
        self.ended = True
        self._scheduler.take_back()

    def give(self) -> None:
        """Let it run; the caller waits for the baton."""
        self._go.release()

    def wait_for_baton(self) -> None:
        """Stop until the scheduler lets this fiber run again."""
        self._scheduler.take_back()
        self._go.acquire()
        if self.process.dead:
            raise Killed


class Scheduler:
    """The clock and the queue of what happens next. Equal seeds give equal runs."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.now = 0
        self.steps = 0
        self.current: Fiber | None = None
        self._queue: list[tuple[int, int, int, Fiber | Callable[[], None]]] = []
        self._numbers = count()
        self._baton = threading.Lock()
        self._baton.acquire()
        self._fibers: list[Fiber] = []

    # On the main thread ---------------------------------------------------------------------------------------

    def at(self, when: int, action: Callable[[], None]) -> None:
        """Run `action` on the main thread at a time."""
        heapq.heappush(self._queue, (max(when, self.now), next(self._numbers), 0, action))

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        """Run `action` on the main thread in some seconds."""
        self.at(self.now + int(seconds * SECOND), action)

    def spawn(self, name: str, process: Process, body: Callable[[], None], *, delay: float = 0.0) -> Fiber:
        """Start a fiber."""
        fiber = Fiber(self, name, process, body)
        before = threading.stack_size(FIBER_STACK * 4)
        fiber.thread.start()
        threading.stack_size(before)
        self._fibers.append(fiber)
        self._enqueue(fiber, self.now + int(delay * SECOND))
        return fiber

    def run_task(self, steps: Generator[float, None, None]) -> None:
        """Run a generator on the main thread; it yields the seconds until its next step."""
        with suppress(StopIteration):
            self.after(next(steps), lambda: self.run_task(steps))

    def next_time(self, *, busy: bool = False) -> int | None:
        """When the next thing happens; with `busy`, the next that is not a fiber waiting for work."""
        times = [
            when
            for when, _, ticket, item in self._queue
            if not isinstance(item, Fiber)
            or (ticket == item.ticket and not item.ended and not (busy and item.is_idle))
        ]
        return min(times, default=None)

    def idle_head(self) -> int | None:
        """When the next thing happens, if that is an idle fiber waking; else None."""
        while self._queue:
            when, _, ticket, item = self._queue[0]
            if not isinstance(item, Fiber):
                return None
            if not item.ended and ticket == item.ticket:
                return when if item.is_idle and not item.process.dead else None
            heapq.heappop(self._queue)
        return None

    def step(self) -> bool:
        """Do the next thing; False when there is none."""
        while self._queue:
            when, _, ticket, item = heapq.heappop(self._queue)
            if isinstance(item, Fiber):
                if item.ended or ticket != item.ticket:
                    continue
                thaw = item.process.frozen_until
                if thaw > max(when, self.now) and not item.process.dead:
                    self._enqueue(item, thaw)
                    continue
            self.now = max(self.now, when)
            self.steps += 1
            if isinstance(item, Fiber):
                self._resume(item)
            else:
                item()
            return True
        return False

    def skip_to(self, when: int, spread: float) -> None:
        """Advance the clock past idle fibers; they wake up to `spread` seconds after `when`."""
        self.now = max(self.now, when)
        idle = {item for _, _, ticket, item in self._queue if isinstance(item, Fiber) and ticket == item.ticket}
        for fiber in sorted(idle, key=lambda fiber: fiber.name):
            if fiber.is_idle and not fiber.ended:
                self._enqueue(fiber, self.now + int(self.random.random() * spread * SECOND))

    def kill(self, process: Process) -> None:
        """End a process at once: its sessions are cut, and its fibers only unwind."""
        process.dead = True
        process.disconnect()
        for fiber in process.fibers:
            if not fiber.ended and fiber is not self.current:
                self._enqueue(fiber, self.now)

    def close(self, processes: list[Process]) -> None:
        """Kill what still runs, and wait for the threads."""
        for process in processes:
            if not process.dead:
                self.kill(process)
        for fiber in self._fibers:
            if not fiber.ended:
                self._resume(fiber)
            fiber.thread.join(JOIN_SECONDS)

    def _resume(self, fiber: Fiber) -> None:
        self.current = fiber
        fiber.give()
        self._baton.acquire()
        self.current = None
        if fiber.error is not None:
            raise fiber.error

    def _enqueue(self, fiber: Fiber, when: int) -> None:
        fiber.ticket += 1
        heapq.heappush(self._queue, (when, next(self._numbers), fiber.ticket, fiber))

    # On a fiber -------------------------------------------------------------------------------------------------

    def take_back(self) -> None:
        """Return the baton to the main thread."""
        self._baton.release()

    def running(self) -> Fiber:
        """The fiber that holds the baton."""
        assert self.current is not None  # noqa: S101 - only fibers call this
        return self.current

    def check_alive(self) -> None:
        """Raise Killed on a fiber whose process died."""
        if self.running().process.dead:
            raise Killed

    def sleep(self, seconds: float) -> None:
        """Let time pass for this fiber; others may run meanwhile."""
        self.check_alive()
        fiber, when = self.running(), self.now + int(seconds * SECOND)
        if fiber.process.frozen_until <= when and (not self._queue or self._queue[0][0] > when):
            self.now = when  # no other fiber is earlier
            return
        self._enqueue(fiber, when)
        fiber.wait_for_baton()

    def park(self, seconds: float | None, *, idle: bool = False) -> bool:
        """Wait until `wake`, or for some seconds; True when woken. `idle`: time may be skipped meanwhile."""
        self.check_alive()
        fiber = self.running()
        fiber.woken, fiber.is_idle = False, idle
        if seconds is not None:
            self._enqueue(fiber, self.now + int(max(0.0, seconds) * SECOND))
        else:
            fiber.ticket += 1
        fiber.wait_for_baton()
        fiber.is_idle = False
        return fiber.woken

    def wake(self, fiber: Fiber) -> None:
        """Let a parked fiber run again now."""
        fiber.woken = True
        self._enqueue(fiber, self.now)
