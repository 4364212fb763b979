"""`python -m proofs.drills.faults …`: Celery in a process with a wrong clock, or one that a certain row kills.

DRILL_CLOCK_OFFSET (seconds) shifts the process's time of day, as on a machine with a wrong clock; the monotonic
clock stays right. DRILL_KILLER (a word) kills the process when it maps a row whose surname contains the word.
"""

from __future__ import annotations

import datetime as dt
import os
import runpy
import signal
import time
from collections.abc import Callable
from typing import Any, Self


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
    """Die by kill -9 when a row whose surname contains `word` is about to be sent."""
    from worker.crm import mapping  # noqa: PLC0415 - only after the clock was set

    mapped: Callable[..., dict[str, object]] = vars(mapping)["lead_record"]

    def map_or_die(row: Any, config: Any) -> dict[str, object]:
        if word in str(row["surname"]):
            os.kill(os.getpid(), signal.SIGKILL)
        return mapped(row, config)

    vars(mapping)["lead_record"] = map_or_die


if __name__ == "__main__":
    if "DRILL_CLOCK_OFFSET" in os.environ:
        shift_clock(float(os.environ["DRILL_CLOCK_OFFSET"]))
    if "DRILL_KILLER" in os.environ:
        arm_killer(os.environ["DRILL_KILLER"])
    runpy.run_module("celery", run_name="__main__", alter_sys=True)
