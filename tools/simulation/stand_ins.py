"""Simulated time, waiting and chance for the product's modules, put in place of theirs for the length of a run.

Only the names in modules of `leads` and `worker` are replaced: PostgreSQL's driver, the pool and the tests keep the
real ones.
"""

import datetime as dt
import random
import secrets
import ssl
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any

from sqlalchemy import Engine

from leads.db import connect_engine
from leads.ids import References, new_id, new_reference
from tools.simulation.scheduler import SECOND, Fiber, Scheduler

# Monday, 4 January 2027, 08:00 UTC. Every run begins then.
EPOCH = 1_799_049_600
ROOTS = ("leads.", "worker.", "api.limits.")


class SimulatedEvent:
    """`threading.Event` in simulated time. A wait for it is idle: `idle` is set on a worker's `stopping` alone."""

    def __init__(self, scheduler: Scheduler) -> None:
        self.idle = False
        self._scheduler = scheduler
        self._is_set = False
        self._parked: list[Fiber] = []

    def is_set(self) -> bool:
        """See threading.Event."""
        return self._is_set

    def set(self) -> None:
        """See threading.Event."""
        self._is_set = True
        for fiber in list(self._parked):
            self._scheduler.wake(fiber)

    def wait(self, timeout: float | None = None) -> bool:
        """See threading.Event."""
        self._scheduler.check_alive()
        if not self._is_set and (timeout is None or timeout > 0):
            fiber = self._scheduler.running()
            self._parked.append(fiber)
            try:
                self._scheduler.park(timeout, idle=self.idle)
            finally:
                self._parked.remove(fiber)
        return self._is_set


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
        "threading": (threading, _with(threading, Event=partial(SimulatedEvent, scheduler))),
        # Reading the system's certificates takes as long as twenty steps, and no simulated server has one.
        "ssl": (ssl, _with(ssl, create_default_context=lambda: trusted)),
        "datetime": (dt.datetime, simulated_datetime(scheduler)),
        "random": (random, chance),
        "secrets": (secrets, SimpleNamespace(token_urlsafe=lambda size: ids.randbytes(size).hex())),
        "connect_engine": (connect_engine, connect),
        "new_id": (new_id, lambda: _simulated_uuid7(time_ns(), ids)),
        "new_reference": (new_reference, References().new),  # they never step back: those of 2027 would stay
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
