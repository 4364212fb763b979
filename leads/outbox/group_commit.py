"""Group commit: what arrives while a statement is under way goes into the next one. Threads and locks, no SQL.

Many commits become one, each caller waits for its own, and nobody is delayed when nothing is under way. A caller's
own thread runs the statement, its own and the waiting ones'; there is no thread in the background and no timer.
"""

from __future__ import annotations

import threading
from collections import deque
from itertools import pairwise
from typing import TYPE_CHECKING, Generic, TypeVar

from leads.db import StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Item = TypeVar("Item")
Result = TypeVar("Result")

MAX_ITEMS = 64  # in one statement
MAX_STATEMENTS = 2  # side by side: one is being written to disk while the next is prepared


class _Turn(Generic[Item, Result]):
    """One caller's item, and what became of it."""

    __slots__ = ("following", "item", "outcome", "wake")

    def __init__(self, item: Item) -> None:
        self.item = item
        self.outcome: Result | Exception | None = None
        self.following: _Turn[Item, Result] | None = None
        self.wake = threading.Lock()
        self.wake.acquire()


class GroupCommit(Generic[Item, Result]):
    """Runs `work` on the items of many threads, some at a time.

    `work` gets the items in the order of their arrival and returns for each a result, or the exception that its
    caller gets. When it says that the database is unavailable, those who wait get the same answer: each of them
    would only wait for its own time-out.
    """

    def __init__(self, work: Callable[[Sequence[Item]], Sequence[Result | Exception]]) -> None:
        self._work = work
        self._lock = threading.Lock()
        self._waiting: deque[_Turn[Item, Result]] = deque()
        self._under_way = 0

    def run(self, item: Item) -> Result:
        """Return what became of the item, or raise the exception that stands for it."""
        turn: _Turn[Item, Result] = _Turn(item)
        with self._lock:
            is_free = self._under_way < MAX_STATEMENTS
            if is_free:
                self._under_way += 1
            else:
                self._waiting.append(turn)
        if not is_free:
            turn.wake.acquire()
        if turn.outcome is None:
            self._lead(turn)
        if turn.following is not None:
            # Each wakes the next: thirty threads that wake at once would only fight for the interpreter.
            turn.following.wake.release()
        if isinstance(turn.outcome, Exception):
            raise turn.outcome
        return turn.outcome  # type: ignore[return-value] # set by _lead, here or in another thread

    def _lead(self, turn: _Turn[Item, Result]) -> None:
        """Run the statement for this caller and those who wait, and hand the lead on."""
        with self._lock:
            turns = [turn, *(self._waiting.popleft() for _ in range(min(MAX_ITEMS - 1, len(self._waiting))))]
        outcomes: Sequence[Result | Exception] = [StoreUnavailable("the thread that stored it ended")] * len(turns)
        try:
            outcomes = self._work([each.item for each in turns])
        except Exception as error:  # noqa: BLE001 - every caller gets it
            outcomes = [error] * len(turns)
        finally:
            with self._lock:
                if isinstance(outcomes[0], StoreUnavailable):
                    outcomes = [*outcomes, *([outcomes[0]] * len(self._waiting))]
                    turns += self._waiting
                    self._waiting.clear()
                heir = self._waiting.popleft() if self._waiting else None
                if heir is None:
                    self._under_way -= 1
            for each, outcome in zip(turns, outcomes, strict=True):
                each.outcome = outcome
            for each, following in pairwise(turns):
                each.following = following
            if heir is not None:
                heir.wake.release()
