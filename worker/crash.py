"""Named places at which a drill lets the worker die as by kill -9, chosen by CRASH_AT; production sets none."""

from __future__ import annotations

import os
import signal
import threading
from enum import StrEnum

# Long enough for a request to have left, short against a drill's slowed-down CRM.
REQUEST_SECONDS = 0.2


class CrashPoint(StrEnum):
    """Where the worker dies. The names are what CRASH_AT takes."""

    BEFORE_CLAIM = "before-claim"
    AFTER_CLAIM = "after-claim"  # committed, nothing sent yet
    REQUEST_SENT = "request-sent"  # the CRM has the request; whether it stored it is the CRM's affair
    BEFORE_MARK = "before-mark"  # the reply was read, nothing is written down
    AFTER_MARK = "after-mark"
    DURING_TICK = "during-tick"
    DURING_MINT = "during-mint"  # this process alone may mint a token, and has not


_armed = ""


def arm(point: str) -> None:
    """Choose where this process dies; "" for nowhere."""
    global _armed  # noqa: PLW0603 - set once, when the process starts
    _armed = point


def crash(point: CrashPoint) -> None:
    """Die here when this is the armed point; REQUEST_SENT dies a moment later, in mid-call."""
    if point != _armed:
        return
    if point is CrashPoint.REQUEST_SENT:
        timer = threading.Timer(REQUEST_SECONDS, _die)
        timer.daemon = True
        timer.start()
    else:
        _die()


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
