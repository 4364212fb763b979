"""Synchronous code on the event loop's own thread: in a greenlet, which can wait for a future like a coroutine.

A thread of its own would cost a request two wake-ups, and a turn for the interpreter's lock at each.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

from greenlet import GreenletExit, getcurrent, greenlet

Result = TypeVar("Result")

MAX_IDLE = 64


class _Runner(greenlet):
    """Runs one call after another: a new greenlet for each would cost twice the system's calls for memory."""

    failure: BaseException | None = None
    result: Any = None

    def run(self, call: Callable[..., Any], args: tuple[Any, ...]) -> None:
        while True:
            try:
                self.result = call(*args)
            except GreenletExit:
                raise
            except BaseException as error:  # noqa: BLE001 - the caller gets it
                self.failure = error
            call, args = cast("greenlet", self.parent).switch(None)

    def take(self) -> Any:
        """Return the call's result or raise its exception; keep neither."""
        result, failure = self.result, self.failure
        self.result = self.failure = None
        if failure is not None:
            raise failure
        return result


class _Idle(threading.local):
    """Those that may run another call, by thread: a greenlet stays on its own."""

    def __init__(self) -> None:
        self.runners: list[_Runner] = []


_idle = _Idle()


async def run_on_loop(call: Callable[..., Result], *args: Any) -> Result:
    """Return the call's result; while it waits in `wait_for`, other requests run. It must wait for nothing else."""
    runners = _idle.runners
    runner = runners.pop() if runners else _Runner(None, getcurrent())
    runner.gr_context = getcurrent().gr_context  # contextvars, such as Flask's, are those of this task
    waits_for = runner.switch(call, args)
    while waits_for is not None:
        try:
            value = await waits_for
        except BaseException:  # noqa: BLE001 - the call gets it, where it waits
            waits_for = runner.throw(*sys.exc_info())
        else:
            waits_for = runner.switch(value)
    if len(runners) < MAX_IDLE:
        runners.append(runner)
    return cast("Result", runner.take())


def is_on_loop() -> bool:
    """Whether the caller was started by `run_on_loop`."""
    return isinstance(getcurrent(), _Runner)


def wait_for(waits_for: Awaitable[Result]) -> Result:
    """Return the awaited result; other requests run meanwhile. Only for code that `run_on_loop` started."""
    loop = getcurrent().parent
    if loop is None:
        raise RuntimeError("not started by run_on_loop")
    return cast("Result", loop.switch(waits_for))  # or its exception is raised here
