"""Work for many requests at once: what waits while a batch is under way goes into the next one.

A commit for each enquiry would be most of its cost. Here the enquiries of one moment share a commit, and each is
answered after it. There is no timer: an enquiry that comes alone is stored at once.
"""

import asyncio
from asyncio import Future, Task
from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from sqlalchemy.util.concurrency import await_, greenlet_spawn, in_greenlet

Item = TypeVar("Item")
Result = TypeVar("Result")
Work = Callable[[Sequence[Item]], Sequence[Result | Exception]]

MAX_ITEMS = 64


class Batches(Generic[Item, Result]):
    """Runs `work` on the items of many requests, a batch at a time.

    `work` gets the items in the order of their arrival and returns for each its result, or the exception that its
    request gets. An exception that it raises goes to every request, also to those that still wait: they would only
    run into the same time-out. It runs on the event loop's thread, so it must block only in `await_`, and needs no
    lock.
    """

    def __init__(self, work: Work[Item, Result], on_thread: Work[Item, Result]) -> None:
        """Prepare. `on_thread` does the same off the event loop, for one item: there it may block."""
        self._work, self._on_thread = work, on_thread
        self._waiting: deque[tuple[Item, Future[Result]]] = deque()
        self._under_way: Task[None] | None = None

    def run(self, item: Item) -> Result:
        """Return what became of the item, or raise its exception. Off the event loop it is a batch of its own."""
        if not in_greenlet():
            (outcome,) = self._on_thread([item])
            if isinstance(outcome, Exception):
                raise outcome
            return outcome
        loop = asyncio.get_running_loop()
        future: Future[Result] = loop.create_future()
        self._waiting.append((item, future))
        if self._under_way is None:
            # It begins in the loop's next iteration, and takes what arrives in this one too.
            self._under_way = loop.create_task(self._run_all())
        return await_(future)

    async def _run_all(self) -> None:
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(MAX_ITEMS, len(self._waiting)))]
            outcomes: Sequence[Result | Exception]
            try:
                outcomes = await greenlet_spawn(self._work, [item for item, _ in batch])
            except BaseException as error:  # noqa: BLE001 - such as SystemExit, which would end the loop
                batch += self._waiting
                self._waiting.clear()
                if not isinstance(error, Exception):
                    error = RuntimeError(f"{type(error).__name__} in a batch")
                outcomes = [error] * len(batch)
            for (_, future), outcome in zip(batch, outcomes, strict=True):
                if future.done():
                    continue  # its request was cancelled
                if isinstance(outcome, Exception):
                    future.set_exception(outcome)
                else:
                    future.set_result(outcome)
        self._under_way = None
