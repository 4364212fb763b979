"""Whose turn it is when more requests have come than can be worked on at once.

A crowd that asks again and again must not delay somebody who asks for the first time. So the next turn is that of
the network that had the fewest lately, within a network that of the connection that had the fewest, and among
equals that of the newest request: whoever has waited longest is the most likely to have left.
"""

from __future__ import annotations

import asyncio
from asyncio import Future
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Hashable
from itertools import count
from time import monotonic

WAIT_SECONDS = 5.0
MAX_WAITING = 2000  # each has a body of up to 64 KiB in memory
REMEMBERED_SECONDS = 30.0  # turns are remembered for once to twice as long

_Place = tuple[int, int, int, "Future[bool]"]  # the third is unique, so that no futures are compared


class Turns:
    """At most `at_once` requests have a turn. On the event loop's thread only, so it needs no lock."""

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._waiting: list[_Place] = []  # in order, the next one last
        self._arrivals = count()
        self._lately: Counter[Hashable] = Counter()
        self._before: Counter[Hashable] = Counter()
        self._forget_at = monotonic() + REMEMBERED_SECONDS

    async def take(self, network: str, connection: Hashable) -> bool:
        """Wait for a turn, to `release` afterwards; False: none came in time, or too many have a better claim."""
        if self._free:
            self._free -= 1
            given = True
        else:
            given = await self._wait(network, connection)
        if given:
            self._remember(network, connection)
        return given

    def release(self) -> None:
        """End a turn: the next one begins."""
        while self._waiting:
            future = self._waiting.pop()[-1]
            if not future.done():  # else its request was cancelled
                future.set_result(True)
                return
        self._free += 1

    async def _wait(self, network: str, connection: Hashable) -> bool:
        loop = asyncio.get_running_loop()
        future: Future[bool] = loop.create_future()
        place = (-self._turns_of(network), -self._turns_of(connection), next(self._arrivals), future)
        insort(self._waiting, place)
        # No asyncio.timeout: its cancellation could meet a turn that was just given, and lose it.
        timer = loop.call_later(WAIT_SECONDS, self._turn_away, place)
        if len(self._waiting) > MAX_WAITING:
            self._turn_away(self._waiting[0])
        try:
            return await future
        finally:
            timer.cancel()

    def _turn_away(self, place: _Place) -> None:
        future = place[-1]
        if not future.done():
            del self._waiting[bisect_left(self._waiting, place)]
            future.set_result(False)

    def _turns_of(self, who: Hashable) -> int:
        return self._lately[who] + self._before[who]

    def _remember(self, network: str, connection: Hashable) -> None:
        now = monotonic()
        if now >= self._forget_at:
            self._before, self._lately = self._lately, Counter()
            self._forget_at = now + REMEMBERED_SECONDS
        self._lately.update((network, connection))
