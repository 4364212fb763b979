"""The load generator, a process of its own, so that its CPU time is not counted as the server's.

Reads one plan (JSON) from standard input and prints the result (JSON). Needs only uvloop.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import uvloop

from benchmarks.message import Message, MessageProtocol
from benchmarks.series import percentile


class Connection(MessageProtocol):
    """One connection, kept open."""

    def __init__(self, answered: Callable[[Connection, int], None]) -> None:
        super().__init__()
        self._answered = answered
        self.began = 0.0

    def send(self, request: bytes, began: float) -> None:
        """Send a request that was due at `began` (perf_counter seconds)."""
        self.began = began
        self._transport.write(request)

    def take(self, message: Message) -> None:
        """Take the reply."""
        self._answered(self, int(message.head[9:12]))

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio.Protocol."""
        self._answered(self, 0 if exc is None else -1)

    def close(self) -> None:
        """Close the connection at once."""
        if self._transport is not None:
            self._transport.abort()


class Load:
    """All connections together. With `rate` 0 each sends again at once; else requests arrive randomly at that rate.

    A request that finds no free connection is timed from when it was due (no coordinated omission).
    """

    def __init__(self, plan: dict[str, Any]) -> None:
        self._plan = plan
        self._heads, self._tails = _requests(plan)
        self._free: deque[Connection] = deque()
        self._late: deque[float] = deque()
        self._over = False
        self._all_answered = asyncio.Event()
        self.sent = 0
        self.codes: Counter[int] = Counter()
        self.answers: list[tuple[float, float]] = []  # time of the reply, and the seconds it took

    async def run(self) -> dict[str, Any]:
        """Warm up and measure; returns the figures of the measured seconds; `all` counts every reply."""
        loop = asyncio.get_running_loop()
        made = []
        ports = self._plan["ports"]
        for number in range(self._plan["connections"]):
            _, connection = await loop.create_connection(
                lambda: Connection(self._answered), "127.0.0.1", ports[number % len(ports)]
            )
            made.append(connection)
        start = time.perf_counter() + self._plan["warm"]
        end = start + self._plan["seconds"]
        if self._plan["rate"]:
            self._free.extend(made)
            await self._pace(end)
        else:
            for connection in made:
                self._send(connection, time.perf_counter())
            await asyncio.sleep(end - time.perf_counter())
        self._over = True
        self._check_over()
        await self._wait_for_the_last()
        codes = dict(self.codes)
        for connection in made:
            connection.close()
        took = sorted(seconds for ended, seconds in self.answers if start <= ended <= end)
        return {
            "rate": len(took) / (end - start),
            "p50": percentile(took, 0.5),
            "p99": percentile(took, 0.99),
            "all": len(self.answers),
            "codes": codes,
        }

    async def _pace(self, end: float) -> None:
        chooser = random.Random(self._plan["seed"])
        due = time.perf_counter()
        while due < end:
            due += chooser.expovariate(self._plan["rate"])
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            if self._free:
                self._send(self._free.popleft(), time.perf_counter())
            else:
                self._late.append(due)

    async def _wait_for_the_last(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._all_answered.wait(), 15)

    def _send(self, connection: Connection, began: float) -> None:
        head = self._heads % (random.getrandbits(128), self._token()) if self._tails else self._heads
        tail = self._tails[self.sent % len(self._tails)] if self._tails else b""
        self.sent += 1
        connection.send(head + tail, began)

    def _token(self) -> bytes:
        """A start token; the plan holds one for every few enquiries."""
        tokens = self._plan["tokens"]
        return str(tokens[self.sent % len(tokens)]).encode()

    def _answered(self, connection: Connection, code: int) -> None:
        now = time.perf_counter()
        self.codes[code] += 1
        self.answers.append((now, now - connection.began))
        if code > 0:
            self._go_on(connection, now)
        self._check_over()

    def _check_over(self) -> None:
        if self._over and self.codes.total() >= self.sent:
            self._all_answered.set()

    def _go_on(self, connection: Connection, now: float) -> None:
        if self._late:
            self._send(connection, self._late.popleft())
        elif self._plan["rate"]:
            self._free.append(connection)
        elif not self._over:
            self._send(connection, now)


def _requests(plan: dict[str, Any]) -> tuple[bytes, list[bytes]]:
    """The head of every request (with placeholders for key and token), and the rest of each post."""
    path = plan["path"].encode()
    if not plan["bodies"]:
        head = b"GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip, deflate, br\r\n\r\n" % path
        return head, []
    head = b"POST " + path + b" HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    tails = [b"Content-Length: %d\r\n\r\n%s" % (len(body), body.encode()) for body in plan["bodies"]]
    return head + b"Idempotency-Key: %032x\r\nStart-Token: %s\r\n", tails


def main() -> None:
    """Run the plan."""
    load = Load(json.loads(sys.stdin.read()))
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        print(json.dumps(runner.run(load.run())))


if __name__ == "__main__":
    main()
