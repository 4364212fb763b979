"""Whose turn it is when more requests have come than can be worked on at once.

A crowd that asks again and again must not delay somebody who asks for the first time. So the next turn is that of
the network that asked the least lately, within a network that of the connection that asked the least, and among
equals that of the newest request: whoever has waited longest is the most likely to have left. Who was turned away
and asks again has asked, too: else a crowd would always be new.
"""

from __future__ import annotations

import asyncio
from asyncio import Future
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Hashable
from heapq import heappop, heappush, heapreplace
from itertools import count
from time import monotonic

WAIT_SECONDS = 5.0
MAX_WAITING = 2000  # each has a body of up to 64 KiB in memory
REMEMBERED_SECONDS = 30.0  # who asked is remembered for once to twice as long

_Place = tuple[int, int, "Future[bool]"]  # the second is unique, so that no futures are compared


class Turns:
    """At most `at_once` requests have a turn. On the event loop's thread only, so it needs no lock."""

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._waiting: dict[str, list[_Place]] = {}  # by network, each in order, the next one last
        self._networks: list[
            tuple[int, int, str]
        ] = []  # a heap of those, by how often they had asked when last seen
        self._size = 0
        self._arrivals = count()
        self._lately: Counter[Hashable] = Counter()
        self._before: Counter[Hashable] = Counter()
        self._forget_at = monotonic() + REMEMBERED_SECONDS

    async def take(self, network: str, connection: Hashable) -> bool:
        """Wait for a turn, to `release` afterwards; False: none came in time, or too many have a better claim."""
        self._remember(network, connection)
        if self._free:
            self._free -= 1
            return True
        return await self._wait(network, connection)

    def release(self) -> None:
        """End a turn: the next one begins."""
        while self._networks:
            asked, arrival, network = self._networks[0]
            if network not in self._waiting:
                heappop(self._networks)
            elif (now := self._asked_by(network)) > asked:
                heapreplace(self._networks, (now, arrival, network))
            else:
                place = self._waiting[network][-1]
                self._leave(network, place)
                if not place[-1].done():  # else its request was cancelled
                    place[-1].set_result(True)
                    return
        self._free += 1

    async def _wait(self, network: str, connection: Hashable) -> bool:
        loop = asyncio.get_running_loop()
        future: Future[bool] = loop.create_future()
        arrival = next(self._arrivals)
        place = (-self._asked_by(connection), arrival, future)
        if network not in self._waiting:
            self._waiting[network] = []
            heappush(self._networks, (self._asked_by(network), -arrival, network))
        insort(self._waiting[network], place)
        self._size += 1
        # No asyncio.timeout: its cancellation could meet a turn that was just given, and lose it.
        timer = loop.call_later(WAIT_SECONDS, self._turn_away, network, place)
        if self._size > MAX_WAITING:
            busiest = max(self._waiting, key=self._asked_by)
            self._turn_away(busiest, self._waiting[busiest][0])
        try:
            return await future
        finally:
            timer.cancel()

    def _turn_away(self, network: str, place: _Place) -> None:
        if not place[-1].done():
            self._leave(network, place)
            place[-1].set_result(False)

    def _leave(self, network: str, place: _Place) -> None:
        queue = self._waiting[network]
        del queue[bisect_left(queue, place)]
        self._size -= 1
        if not queue:
            del self._waiting[network]

    def _asked_by(self, who: Hashable) -> int:
        return self._lately[who] + self._before[who]

    def _remember(self, network: str, connection: Hashable) -> None:
        now = monotonic()
        if now >= self._forget_at:
            self._before, self._lately = self._lately, Counter()
            self._forget_at = now + REMEMBERED_SECONDS
        self._lately.update((network, connection))
