"""Virtual time, and fibers: greenlets of one thread, which take turns in an order that the seed decides.

A fiber gives way when it sleeps or waits; the scheduler then advances the clock to whatever is next. Nothing here
knows the product.
"""

import heapq
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from random import Random

from greenlet import getcurrent, greenlet

# Simulated time is in whole microseconds, as PostgreSQL's is.
SECOND = 1_000_000


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
    fibers: "list[Fiber]" = field(default_factory=list)
    disconnect: Callable[[], None] = lambda: None


class Fiber(greenlet):
    """A thread of a process, as the product sees it. What it raises, but for Killed, the scheduler raises."""

    def __init__(self, name: str, process: Process, body: Callable[[], None], parent: greenlet) -> None:
        super().__init__(self._live, parent)
        self.name, self.process = name, process
        self.is_idle = False  # waits for work, so time may be skipped
        self.ticket = 0  # of its newest place in the queue; older ones are void
        self.woken = False
        self._body = body
        process.fibers.append(self)

    def _live(self) -> None:
        with suppress(Killed):
            if not self.process.dead:
                self._body()

    @property
    def rests(self) -> bool:
        """Whether it waits for work, and nobody has woken it."""
        return self.is_idle and not self.woken

    def give_way(self) -> None:
        """Stop until the scheduler lets this fiber run again."""
        self.parent.switch()
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
        self._main = getcurrent()
        self._fibers: list[Fiber] = []

    # On the main greenlet -------------------------------------------------------------------------------------

    def at(self, when: int, action: Callable[[], None]) -> None:
        """Run `action` on the main greenlet at a time."""
        heapq.heappush(self._queue, (max(when, self.now), next(self._numbers), 0, action))

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        """Run `action` on the main greenlet in some seconds."""
        self.at(self.now + int(seconds * SECOND), action)

    def spawn(self, name: str, process: Process, body: Callable[[], None], *, delay: float = 0.0) -> Fiber:
        """Start a fiber."""
        fiber = Fiber(name, process, body, self._main)
        self._fibers.append(fiber)
        self._enqueue(fiber, self.now + int(delay * SECOND))
        return fiber

    def run_task(self, steps: Generator[float, None, None]) -> None:
        """Run a generator on the main greenlet; it yields the seconds until its next step."""
        with suppress(StopIteration):
            self.after(next(steps), lambda: self.run_task(steps))

    def next_busy_time(self) -> int | None:
        """When the next thing happens that is not the end of an idle wait."""
        times = [
            when
            for when, _, ticket, item in self._queue
            if not isinstance(item, Fiber) or (ticket == item.ticket and not item.dead and not item.rests)
        ]
        return min(times, default=None)

    def idle_head(self) -> tuple[int, Fiber] | None:
        """When the next thing happens, if that is a fiber whose idle wait is over by itself; else None."""
        while self._queue:
            when, _, ticket, item = self._queue[0]
            if not isinstance(item, Fiber):
                return None
            if not item.dead and ticket == item.ticket:
                return (when, item) if item.rests and not item.process.dead else None
            heapq.heappop(self._queue)
        return None

    def postpone(self, fiber: Fiber, seconds: float) -> None:
        """Let a fiber wait longer."""
        self._enqueue(fiber, self._queue[0][0] + int(seconds * SECOND))

    def step(self) -> bool:
        """Do the next thing; False when there is none."""
        while self._queue:
            when, _, ticket, item = heapq.heappop(self._queue)
            if isinstance(item, Fiber):
                if item.dead or ticket != item.ticket:
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
            if fiber.rests and not fiber.dead:
                self._enqueue(fiber, self.now + int(self.random.random() * spread * SECOND))

    def kill(self, process: Process) -> None:
        """End a process at once: its sessions are cut, and its fibers only unwind."""
        process.dead = True
        process.disconnect()
        for fiber in process.fibers:
            if not fiber.dead and fiber is not self.current:
                self._enqueue(fiber, self.now)

    def close(self, processes: list[Process]) -> None:
        """Kill what still runs, and let it unwind."""
        for process in processes:
            if not process.dead:
                self.kill(process)
        for fiber in self._fibers:
            if not fiber.dead:
                self._resume(fiber)

    def _resume(self, fiber: Fiber) -> None:
        self.current = fiber
        fiber.switch()
        self.current = None

    def _enqueue(self, fiber: Fiber, when: int) -> None:
        fiber.ticket += 1
        heapq.heappush(self._queue, (when, next(self._numbers), fiber.ticket, fiber))

    # On a fiber -------------------------------------------------------------------------------------------------

    def running(self) -> Fiber:
        """The fiber that runs."""
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
        fiber.give_way()

    def park(self, seconds: float | None, *, idle: bool = False) -> bool:
        """Wait until `wake`, or for some seconds; True when woken. `idle`: time may be skipped meanwhile."""
        self.check_alive()
        fiber = self.running()
        fiber.woken, fiber.is_idle = False, idle
        if seconds is not None:
            self._enqueue(fiber, self.now + int(max(0.0, seconds) * SECOND))
        else:
            fiber.ticket += 1
        fiber.give_way()
        fiber.is_idle = False
        return fiber.woken

    def wake(self, fiber: Fiber) -> None:
        """Let a parked fiber run again now."""
        fiber.woken = True
        self._enqueue(fiber, self.now)
