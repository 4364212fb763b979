"""Simulated time, waiting and chance for the product's modules, put in place of theirs for the length of a run.

Only the names in modules of `leads` and `worker` are replaced: PostgreSQL's driver, the pool and the tests keep the
real ones.
"""

from __future__ import annotations

import datetime as dt
import random
import secrets
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from random import Random
from types import SimpleNamespace
from typing import Any, Self

from proofs.simulation.scheduler import SECOND, Fiber, Scheduler

# Monday, 4 January 2027, 08:00 UTC. Every run begins then.
EPOCH = 1_799_049_600
ROOTS = ("leads.", "worker.")


class _Waiters:
    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._parked: list[Fiber] = []

    def wait(self, seconds: float | None, *, idle: bool = False) -> bool:
        fiber = self._scheduler.running()
        self._parked.append(fiber)
        try:
            return self._scheduler.park(seconds, idle=idle)
        finally:
            self._parked.remove(fiber)

    def wake_all(self) -> None:
        for fiber in list(self._parked):
            self._scheduler.wake(fiber)


class SimulatedEvent:
    """`threading.Event` in simulated time. A wait for it is idle: `idle` is set on a worker's `stopping` alone."""

    def __init__(self, scheduler: Scheduler) -> None:
        self.idle = False
        self._scheduler = scheduler
        self._is_set = False
        self._waiters = _Waiters(scheduler)

    def is_set(self) -> bool:
        """See threading.Event."""
        return self._is_set

    def set(self) -> None:
        """See threading.Event."""
        self._is_set = True
        self._waiters.wake_all()

    def wait(self, timeout: float | None = None) -> bool:
        """See threading.Event."""
        self._scheduler.check_alive()
        if not self._is_set and (timeout is None or timeout > 0):
            self._waiters.wait(timeout, idle=self.idle)
        return self._is_set


class SimulatedCondition:
    """`threading.Condition` in simulated time; the baton is its lock."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._waiters = _Waiters(scheduler)

    def __enter__(self) -> None:
        """Hold the baton, as every running fiber does."""

    def __exit__(self, *_: object) -> None:
        """Nothing to release."""

    def notify_all(self) -> None:
        """See threading.Condition."""
        self._waiters.wake_all()

    def wait_for(self, predicate: Callable[[], bool], timeout: float) -> bool:
        """See threading.Condition."""
        until = self._scheduler.now + int(timeout * SECOND)
        while not predicate() and self._scheduler.now < until:
            self._waiters.wait((until - self._scheduler.now) / SECOND)
        return predicate()


class SimulatedLock:
    """`threading.Lock` in simulated time, for fibers of one process."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._is_held = False
        self._waiters = _Waiters(scheduler)

    def acquire(self) -> bool:
        """See threading.Lock."""
        while self._is_held:
            self._waiters.wait(None)
        self._is_held = True
        return True

    def release(self) -> None:
        """See threading.Lock."""
        self._is_held = False
        self._waiters.wake_all()

    def __enter__(self) -> bool:
        """Hold it."""
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        """Release it."""
        self.release()


class SimulatedExecutor:
    """`ThreadPoolExecutor`, with a fiber of the same process for each call."""

    def __init__(self, scheduler: Scheduler, name: str) -> None:
        self._scheduler, self._name = scheduler, name
        self._waiters = _Waiters(scheduler)
        self._under_way = 0

    def submit(self, call: Callable[..., Any], *args: Any) -> Future[Any]:
        """See Executor.submit."""
        future: Future[Any] = Future()

        def run() -> None:
            try:
                future.set_result(call(*args))
            except Exception as error:  # noqa: BLE001 - the future raises it
                future.set_exception(error)
            finally:
                self._under_way -= 1
                self._waiters.wake_all()

        fiber = self._scheduler.running()
        self._under_way += 1
        self._scheduler.spawn(f"{fiber.name}.{self._name}", fiber.process, run)
        return future

    def __enter__(self) -> Self:
        """See Executor."""
        return self

    def __exit__(self, *_: object) -> None:
        """Wait for all calls."""
        while self._under_way:
            self._waiters.wait(None)


class _Threading:
    """The module `threading`, with simulated waits."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler

    def Event(self) -> SimulatedEvent:  # noqa: N802 - the module's name
        return SimulatedEvent(self._scheduler)

    def Condition(self) -> SimulatedCondition:  # noqa: N802 - the module's name
        return SimulatedCondition(self._scheduler)

    def Lock(self) -> SimulatedLock:  # noqa: N802 - the module's name
        return SimulatedLock(self._scheduler)

    def __getattr__(self, name: str) -> Any:
        return getattr(threading, name)


class _Time:
    """The module `time`, with the simulated monotonic clock."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler

    def monotonic(self) -> float:
        return self._scheduler.now / SECOND

    def time_ns(self) -> int:
        return EPOCH * 1_000_000_000 + self._scheduler.now * 1000

    def __getattr__(self, name: str) -> Any:
        return getattr(time, name)


class _DateTimeType(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, dt.datetime)


def simulated_datetime(scheduler: Scheduler) -> type[Any]:
    """The class `datetime`, whose `now` is the wall clock of the simulated process, right or wrong."""

    class SimulatedDatetime(dt.datetime, metaclass=_DateTimeType):
        @classmethod
        def now(cls, tz: dt.tzinfo | None = None) -> Any:
            skew = scheduler.current.process.skew if scheduler.current else 0.0
            return moment(scheduler.now + int(skew * SECOND)).astimezone(tz)

    return SimulatedDatetime


def moment(microseconds: int) -> dt.datetime:
    """A simulated time as an aware datetime."""
    start = dt.datetime.fromtimestamp(EPOCH, dt.UTC)
    return start + dt.timedelta(microseconds=microseconds)


def microseconds(at: dt.datetime) -> int:
    """An aware datetime as a simulated time."""
    start = dt.datetime.fromtimestamp(EPOCH, dt.UTC)
    return (at - start) // dt.timedelta(microseconds=1)


@contextmanager
def standing_in(scheduler: Scheduler, seed: int) -> Iterator[None]:
    """Replace time, waiting, ids and chance in every loaded module of the product while the block runs."""
    ids, chance = Random(f"{seed}:ids"), Random(f"{seed}:chance")
    replaced: dict[str, tuple[object, object]] = {
        "time": (time, _Time(scheduler)),
        "threading": (threading, _Threading(scheduler)),
        "datetime": (dt.datetime, simulated_datetime(scheduler)),
        "random": (random, chance),
        "secrets": (secrets, SimpleNamespace(randbits=ids.getrandbits)),
        "ThreadPoolExecutor": (
            ThreadPoolExecutor,
            lambda _threads, name: SimulatedExecutor(scheduler, name),
        ),
        "uuid4": (uuid.uuid4, lambda: uuid.UUID(bytes=ids.randbytes(16), version=4)),
    }
    changed: list[tuple[object, str, object]] = []
    for name in sorted(sys.modules):
        if not name.startswith(ROOTS):
            continue
        for attribute, (real, simulated) in replaced.items():
            if getattr(sys.modules[name], attribute, None) is real:
                setattr(sys.modules[name], attribute, simulated)
                changed.append((sys.modules[name], attribute, real))
    try:
        yield
    finally:
        for module, attribute, real in changed:
            setattr(module, attribute, real)
