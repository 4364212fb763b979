"""`python -m tests.process.wrong_clock SECONDS …`: Celery in a process whose time of day is so many seconds wrong.

As on a machine with a wrong clock; the monotonic clock stays right.
"""

import datetime as dt
import runpy
import sys
import time
from typing import Self


def shift_clock(offset: float) -> None:
    """Make time.time and datetime.now wrong by `offset` seconds, for every module imported after this."""
    right, right_ns = time.time, time.time_ns

    class WrongDatetime(dt.datetime):
        @classmethod
        def now(cls, tz: dt.tzinfo | None = None) -> Self:
            return cls.fromtimestamp(right() + offset, tz)

        @classmethod
        def utcnow(cls) -> Self:
            return cls.fromtimestamp(right() + offset, dt.UTC).replace(tzinfo=None)

    time.time = lambda: right() + offset
    time.time_ns = lambda: right_ns() + int(offset * 1e9)
    dt.datetime = WrongDatetime


if __name__ == "__main__":
    shift_clock(float(sys.argv.pop(1)))
    runpy.run_module("celery", run_name="__main__", alter_sys=True)
