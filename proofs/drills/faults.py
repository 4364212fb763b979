"""`python -m proofs.drills.faults …`: Celery in a process with a wrong clock, or one that dies at a certain place.

DRILL_CLOCK_OFFSET (seconds) shifts the process's time of day, as on a machine with a wrong clock; the monotonic
clock stays right. DRILL_KILLER (a word) kills the process when it maps a row whose surname contains the word.
DRILL_CRASH_AT (a CrashPoint) kills it there. Each death is a kill -9.
"""

from __future__ import annotations

import datetime as dt
import os
import runpy
import signal
import threading
import time
from collections.abc import Callable
from enum import StrEnum
from functools import reduce, wraps
from importlib import import_module
from typing import Any, Self

# Long enough for a request to be sent, short compared with the delay of a drill's CRM.
REQUEST_SECONDS = 0.2


class CrashPoint(StrEnum):
    """Where the worker dies."""

    AFTER_CLAIM = "after-claim"  # committed, nothing sent yet
    REQUEST_SENT = "request-sent"  # the CRM has the request, and may or may not have stored it


def shift_clock(offset: float) -> None:
    """Make time.time and datetime.now wrong by `offset` seconds, for every module imported after this."""
    right, right_ns, right_datetime = time.time, time.time_ns, dt.datetime

    class WrongDatetime(right_datetime):  # type: ignore[misc, valid-type]
        @classmethod
        def now(cls, tz: dt.tzinfo | None = None) -> Self:
            wrong: Self = cls.fromtimestamp(right() + offset, tz)
            return wrong

        @classmethod
        def utcnow(cls) -> Self:
            wrong: Self = cls.fromtimestamp(right() + offset, dt.UTC).replace(tzinfo=None)
            return wrong

    time.time = lambda: right() + offset
    time.time_ns = lambda: right_ns() + int(offset * 1e9)
    dt.datetime = WrongDatetime  # type: ignore[misc]


def arm_killer(word: str) -> None:
    """Die when a row whose surname contains `word` is about to be sent."""

    def map_or_die(mapped: Callable[..., Any], row: Any, config: Any) -> Any:
        if word in str(row["surname"]):
            _die()
        return mapped(row, config)

    _wrap("worker.crm.mapping:lead_record", map_or_die)


def arm_crash(point: CrashPoint) -> None:
    """Die at this point: after a claim that found rows, or a moment after a call began."""

    def die_after(function: Callable[..., Any], *args: Any, **named: Any) -> Any:
        result = function(*args, **named)
        if result != []:
            _die()
        return result

    def die_within(function: Callable[..., Any], *args: Any, **named: Any) -> Any:
        threading.Timer(REQUEST_SECONDS, _die).start()
        return function(*args, **named)

    if point is CrashPoint.AFTER_CLAIM:
        _wrap("worker.delivery.deliver:claim", die_after)
    else:
        _wrap("worker.zoho.client:ZohoClient.upsert", die_within)


def _wrap(place: str, around: Callable[..., Any]) -> None:
    """Put `around` in the place of a function, "module:name" or "module:Class.name"; it gets the function first."""
    module, _, path = place.partition(":")
    *owners, name = path.split(".")
    owner = reduce(getattr, owners, import_module(module))
    function = getattr(owner, name)

    @wraps(function)
    def wrapped(*args: Any, **named: Any) -> Any:
        return around(function, *args, **named)

    setattr(owner, name, wrapped)


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    if "DRILL_CLOCK_OFFSET" in os.environ:
        shift_clock(float(os.environ["DRILL_CLOCK_OFFSET"]))
    if "DRILL_KILLER" in os.environ:
        arm_killer(os.environ["DRILL_KILLER"])
    if "DRILL_CRASH_AT" in os.environ:
        arm_crash(CrashPoint(os.environ["DRILL_CRASH_AT"]))
    runpy.run_module("celery", run_name="__main__", alter_sys=True)
