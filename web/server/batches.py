"""Work for many requests at once: what waits while a batch is under way goes into the next one.

A commit for each enquiry would be most of its cost; here those of one moment share theirs, and each still waits for
its own. Nothing is delayed when nothing is under way: there is no timer.
"""

from __future__ import annotations

import asyncio
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from web.server.on_loop import is_on_loop, wait_for

if TYPE_CHECKING:
    from asyncio import Future
    from collections.abc import Callable, Sequence

Item = TypeVar("Item")
Result = TypeVar("Result")

MAX_ITEMS = 64


class Batches(Generic[Item, Result]):
    """Runs `work` on the items of many requests, a batch at a time, on a thread of its own.

    `work` gets the items in the order of their arrival and returns for each its result, or the exception that its
    request gets. An exception that it raises is everybody's, also of those who wait: they would only wait for the
    same time-out. Its state is touched on the event loop's thread alone, so it needs no lock.
    """

    def __init__(self, work: Callable[[Sequence[Item]], Sequence[Result | Exception]]) -> None:
        self._work = work
        self._thread = ThreadPoolExecutor(1, "batches")
        self._waiting: deque[tuple[Item, Future[Result]]] = deque()
        self._is_under_way = False

    def run(self, item: Item) -> Result:
        """Return what became of the item, or raise its exception. Off the event loop it is a batch of its own."""
        if not is_on_loop():
            (outcome,) = self._work([item])
            if isinstance(outcome, Exception):
                raise outcome
            return outcome
        loop = asyncio.get_running_loop()
        future: Future[Result] = loop.create_future()
        self._waiting.append((item, future))
        if not self._is_under_way:
            self._is_under_way = True
            loop.call_soon(self._start)  # with whoever arrives in this turn of the loop
        return wait_for(future)

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown()

    def _start(self) -> None:
        batch = [self._waiting.popleft() for _ in range(min(MAX_ITEMS, len(self._waiting)))]
        work = asyncio.get_running_loop().run_in_executor(self._thread, self._work, [item for item, _ in batch])
        work.add_done_callback(partial(self._finish, batch))

    def _finish(self, batch: list[tuple[Item, Future[Result]]], work: Future[Sequence[Result | Exception]]) -> None:
        error = work.exception()
        if error is not None:
            if not isinstance(error, Exception):  # such as SystemExit, which would end the loop
                error = RuntimeError(f"{type(error).__name__} in a batch")
            batch += self._waiting
            self._waiting.clear()
        for number, (_, future) in enumerate(batch):
            outcome = error or work.result()[number]
            if future.done():
                continue  # its request was cancelled
            if isinstance(outcome, BaseException):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)
        if self._waiting:
            self._start()
        else:
            self._is_under_way = False
