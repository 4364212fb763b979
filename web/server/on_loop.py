"""Synchronous code on the event loop's own thread: in a greenlet, which can wait for a future like a coroutine.

A thread of its own would cost a request two wake-ups, and a turn for the interpreter's lock at each.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypeVar

from greenlet import getcurrent, greenlet

if TYPE_CHECKING:
    from asyncio import Future
    from collections.abc import Callable

Result = TypeVar("Result")


class _OnLoop(greenlet):
    """A call that runs on the event loop's thread."""


async def run_on_loop(call: Callable[..., Result], *args: Any) -> Result:
    """Return the call's result; while it waits in `wait_for`, other requests run. It must wait for nothing else."""
    running = _OnLoop(call, getcurrent())
    running.gr_context = getcurrent().gr_context  # contextvars, such as Flask's, are those of this task
    result = running.switch(*args)
    while not running.dead:
        try:
            value = await result
        except BaseException:  # noqa: BLE001 - the call gets it, where it waits
            result = running.throw(*sys.exc_info())
        else:
            result = running.switch(value)
    return result  # type: ignore[no-any-return] # of the call, once it has ended


def is_on_loop() -> bool:
    """Whether the caller was started by `run_on_loop`."""
    return isinstance(getcurrent(), _OnLoop)


def wait_for(future: Future[Result]) -> Result:
    """Return the future's result; other requests run meanwhile. Only for code that `run_on_loop` started."""
    loop = getcurrent().parent
    if loop is None:
        raise RuntimeError("not started by run_on_loop")
    return loop.switch(future)  # type: ignore[no-any-return] # the result, or its exception is raised here
