"""Crash points: places where a drill kills the worker as by kill -9, chosen by CRASH_AT; production sets none."""

from __future__ import annotations

import os
import signal
import threading
from enum import StrEnum

# Long enough for a request to be sent, short compared with the delay of a drill's CRM.
REQUEST_SECONDS = 0.2


class CrashPoint(StrEnum):
    """Where the worker dies. The values are those of CRASH_AT."""

    BEFORE_CLAIM = "before-claim"
    AFTER_CLAIM = "after-claim"  # committed, nothing sent yet
    REQUEST_SENT = "request-sent"  # the CRM has the request, and may or may not have stored it
    BEFORE_MARK = "before-mark"  # the reply was read, nothing is marked yet
    AFTER_MARK = "after-mark"
    DURING_TICK = "during-tick"
    DURING_MINT = "during-mint"  # this process holds the permission to mint a token, and has not minted yet


_armed = ""


def arm(point: str) -> None:
    """Choose where this process dies; "" for nowhere."""
    global _armed  # noqa: PLW0603 - set once, when the process starts
    _armed = point


def crash(point: CrashPoint) -> None:
    """Die here when this is the armed point; REQUEST_SENT dies a moment later, during the call."""
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
