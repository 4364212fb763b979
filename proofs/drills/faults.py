"""`python -m proofs.drills.faults …`: Celery in a process with a wrong clock.

DRILL_CLOCK_OFFSET (seconds) shifts the process's time of day, as on a machine with a wrong clock; the monotonic
clock stays right.
"""

from __future__ import annotations

import datetime as dt
import os
import runpy
import time
from typing import Self


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


if __name__ == "__main__":
    shift_clock(float(os.environ["DRILL_CLOCK_OFFSET"]))
    runpy.run_module("celery", run_name="__main__", alter_sys=True)
