"""Simulated time, waiting and chance for the product's modules, put in place of theirs for the length of a run.

Only the names in modules of `leads` and `worker` are replaced: PostgreSQL's driver, the pool and the tests keep the
real ones.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import faulthandler
import random
import secrets
import ssl
import sys
import threading
import time
import uuid
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.util.concurrency import await_, greenlet_spawn, in_greenlet

from leads.db import connect_engine
from leads.ids import References, new_id, new_reference
from proofs.simulation.scheduler import SECOND, Fiber, Scheduler

# Monday, 4 January 2027, 08:00 UTC. Every run begins then.
EPOCH = 1_799_049_600
ROOTS = ("leads.", "worker.", "api.limits.", "web.server.batches")


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

    def clear(self) -> None:
        """See threading.Event."""
        self._is_set = False

    def wait(self, timeout: float | None = None) -> bool:
        """See threading.Event."""
        self._scheduler.check_alive()
        if not self._is_set and (timeout is None or timeout > 0):
            self._waiters.wait(timeout, idle=self.idle)
        return self._is_set


class SimulatedSemaphore:
    """`threading.Semaphore` in simulated time."""

    def __init__(self, scheduler: Scheduler, value: int) -> None:
        self._value = value
        self._freed = _Waiters(scheduler)

    def acquire(self, blocking: bool = True, timeout: float | None = None) -> bool:  # noqa: FBT001, FBT002 - threading's
        """See threading.Semaphore."""
        if self._value == 0 and blocking and (timeout is None or timeout > 0):
            self._freed.wait(timeout)
        if self._value == 0:
            return False
        self._value -= 1
        return True

    def release(self) -> None:
        """See threading.Semaphore."""
        self._value += 1
        self._freed.wake_all()


class _Future:
    """`asyncio.Future`, of which a fiber waits for the outcome."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._outcome: tuple[object, Exception | None] | None = None
        self._is_done = _Waiters(scheduler)

    def done(self) -> bool:
        return self._outcome is not None

    def set_result(self, result: object) -> None:
        self._end(result, None)

    def set_exception(self, error: Exception) -> None:
        self._end(None, error)

    def _end(self, result: object, error: Exception | None) -> None:
        self._outcome = result, error
        self._is_done.wake_all()

    def wait(self) -> object:
        if self._outcome is None:
            self._is_done.wait(None)
        assert self._outcome is not None  # noqa: S101 - only its outcome wakes
        result, error = self._outcome
        if error is not None:
            raise error
        return result


class _Loop:
    """The event loop of the site, as batches use it: a task is a fiber of the site's process."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler

    def create_future(self) -> _Future:
        return _Future(self._scheduler)

    def create_task(self, task: Coroutine[Any, Any, None]) -> Fiber:
        def run() -> None:
            with suppress(StopIteration):
                task.send(None)  # what it awaits stops the fiber, and not the task

        running = self._scheduler.running()
        return self._scheduler.spawn(f"{running.process.name}'s batch", running.process, run)


async def _spawn(work: Callable[..., object], *arguments: object) -> object:
    return work(*arguments)


def _with(module: ModuleType, **replaced: object) -> SimpleNamespace:
    """A module with some of its names replaced."""
    return SimpleNamespace(**{**vars(module), **replaced})


class _DateTimeType(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, dt.datetime)


def simulated_datetime(scheduler: Scheduler) -> type[Any]:
    """The class `datetime`, whose `now` is the wall clock of the simulated process, right or wrong."""

    class SimulatedDatetime(dt.datetime, metaclass=_DateTimeType):
        @classmethod
        def now(cls, tz: dt.tzinfo | None = None) -> Any:
            return moment(wall_clock(scheduler)).astimezone(tz)

    return SimulatedDatetime


def _simulated_uuid7(nanoseconds: int, chance: Random) -> uuid.UUID:
    millis, rest = divmod(nanoseconds, 1_000_000)
    step = rest * 4096 // 1_000_000
    return uuid.UUID(int=millis << 80 | 0x7 << 76 | step << 64 | 0b10 << 62 | chance.getrandbits(62))


def wall_clock(scheduler: Scheduler) -> int:
    """What the running process takes for the time."""
    skew = scheduler.current.process.skew if scheduler.current else 0.0
    return scheduler.now + int(skew * SECOND)


def moment(microseconds: int) -> dt.datetime:
    """A simulated time as an aware datetime."""
    start = dt.datetime.fromtimestamp(EPOCH, dt.UTC)
    return start + dt.timedelta(microseconds=microseconds)


def microseconds(at: dt.datetime) -> int:
    """An aware datetime as a simulated time."""
    start = dt.datetime.fromtimestamp(EPOCH, dt.UTC)
    return (at - start) // dt.timedelta(microseconds=1)


@contextmanager
def standing_in(scheduler: Scheduler, seed: int, connect: Callable[..., Engine]) -> Iterator[None]:
    """Replace time, waiting, ids, chance and engines in every loaded module of the product while the block runs."""
    ids, chance = Random(f"{seed}:ids"), Random(f"{seed}:chance")
    trusted = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

    def time_ns() -> int:
        return EPOCH * 1_000_000_000 + wall_clock(scheduler) * 1000

    replaced: dict[str, tuple[object, object]] = {
        "time": (time, _with(
            time,
            monotonic=lambda: scheduler.now / SECOND,
            time=lambda: EPOCH + wall_clock(scheduler) / SECOND,
            time_ns=time_ns,
        )),
        "threading": (threading, _with(
            threading,
            Event=partial(SimulatedEvent, scheduler),
            Semaphore=partial(SimulatedSemaphore, scheduler),
        )),
        # Reading the system's certificates takes as long as twenty steps, and no simulated server has one.
        "ssl": (ssl, _with(ssl, create_default_context=lambda: trusted)),
        "datetime": (dt.datetime, simulated_datetime(scheduler)),
        # Each tick sets the alarm of a process that hangs, in real time.
        "faulthandler": (faulthandler, SimpleNamespace(dump_traceback_later=lambda *_, **__: None)),
        "random": (random, chance),
        "secrets": (
            secrets,
            SimpleNamespace(token_urlsafe=lambda size: ids.randbytes(size).hex()),
        ),
        "connect_engine": (connect_engine, connect),
        "new_id": (new_id, lambda: _simulated_uuid7(time_ns(), ids)),
        "new_reference": (new_reference, References().new),  # they never step back: those of 2027 would stay
        "asyncio": (asyncio, SimpleNamespace(get_running_loop=lambda: _Loop(scheduler))),
        "in_greenlet": (in_greenlet, lambda: True),
        "greenlet_spawn": (greenlet_spawn, _spawn),
        "await_": (await_, _Future.wait),
        "uuid4": (uuid.uuid4, lambda: uuid.UUID(bytes=ids.randbytes(16), version=4)),
    }  # fmt: skip
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
