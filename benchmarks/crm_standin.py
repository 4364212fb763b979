"""A CRM that accepts any upsert and replies after a set time.

The sandbox checks and records every row, which would dominate the measurement; this only notes when rows arrive.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import time
from dataclasses import dataclass, field
from typing import Any

import uvloop

from benchmarks.message import Message, MessageProtocol

EVENT_ID = "Website_Event_ID"
TOKEN = {
    "access_token": "1000.stand-in",
    "expires_in": 3600,
    "token_type": "Bearer",
    "scope": "ZohoCRM.modules.ALL",
}


@dataclass(slots=True)
class Ledger:
    """The calls so far; times in seconds since the epoch."""

    first: float = 0.0
    last: float = 0.0
    calls: int = 0
    in_flight: int = 0
    most_in_flight: int = 0
    arrivals: dict[str, float] = field(default_factory=dict)
    next_id: int = 4_876_876_000_000_000_001

    def take(self, body: bytes) -> bytes:
        """Note a call's rows; returns the reply, to be sent later."""
        now = time.time()
        rows = json.loads(body)["data"]
        self.first = self.first or now
        self.calls += 1
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        items = []
        for row in rows:
            self.arrivals.setdefault(row[EVENT_ID], now)
            self.next_id += 1
            details = {"id": str(self.next_id), "Created_Time": "2026-11-21T09:00:00+00:00"}
            items.append(
                {
                    "code": "SUCCESS",
                    "duplicate_field": None,
                    "action": "insert",
                    "details": details,
                    "message": "record added",
                    "status": "success",
                }
            )
        return _reply({"data": items})

    def answered(self) -> None:
        """Note that a reply was sent."""
        self.in_flight -= 1
        self.last = time.time()

    def totals(self, *, arrivals: bool) -> dict[str, Any]:
        """The totals, with the time of each row by event id if `arrivals`."""
        totals = {
            "first": self.first,
            "last": self.last,
            "calls": self.calls,
            "rows": len(self.arrivals),
            "most_in_flight": self.most_in_flight,
        }
        return totals | ({"arrivals": self.arrivals} if arrivals else {})


class CrmConnection(MessageProtocol):
    """One connection of a client."""

    def __init__(self, crm: Crm) -> None:
        super().__init__()
        self._crm = crm

    def take(self, message: Message) -> None:
        """Handle a call."""
        self._crm.answer(message.head.split(b" ", 2)[1].decode(), message.body, self._transport)


class Crm:
    """The routes: token, upsert, and the benchmarks' own queries."""

    def __init__(self, seconds: float, jitter: float) -> None:
        self._seconds, self._jitter, self._chance = seconds, jitter, random.Random(1)
        self.ledger = Ledger()

    def answer(self, path: str, body: bytes, transport: asyncio.Transport) -> None:
        """Reply at once, to an upsert after its time."""
        if path.endswith("/upsert"):
            ledger = self.ledger
            reply = ledger.take(body)
            seconds = self._seconds + self._chance.uniform(-self._jitter, self._jitter)
            asyncio.get_running_loop().call_later(seconds, self._answer_upsert, ledger, reply, transport)
        elif path.startswith("/oauth/"):
            transport.write(_reply(TOKEN))
        elif path == "/reset":
            self.ledger = Ledger(next_id=self.ledger.next_id)
            transport.write(_reply({}))
        elif path.startswith("/ledger"):
            transport.write(_reply(self.ledger.totals(arrivals=path.endswith("?arrivals"))))
        else:
            transport.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")

    def _answer_upsert(self, ledger: Ledger, reply: bytes, transport: asyncio.Transport) -> None:
        transport.write(reply)
        ledger.answered()


def _reply(body: object) -> bytes:
    raw = json.dumps(body).encode()
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(raw), raw)


async def _serve(port: int, crm: Crm) -> None:
    server = await asyncio.get_running_loop().create_server(lambda: CrmConnection(crm), "127.0.0.1", port)
    await server.serve_forever()


def main() -> None:
    """Listen on loopback until killed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.crm_standin")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--milliseconds", type=float, default=50.0, help="how long a call takes")
    parser.add_argument("--jitter", type=float, default=0.0, help="milliseconds more or less, drawn for each call")
    chosen = parser.parse_args()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(chosen.port, Crm(chosen.milliseconds / 1000, chosen.jitter / 1000)))


if __name__ == "__main__":
    main()
