"""The site as a process, and a client of it that times the answers."""

import http.client
import json
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from tests.support.processes import WebProcess, wait_for
from tools.visitors import Person, Visitors


@dataclass(frozen=True, slots=True)
class Answer:
    """The reply to a request. `status` 0: none came. `seconds` until the last byte."""

    status: int
    seconds: float
    raw: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def body(self) -> Any:
        """The JSON in it."""
        return json.loads(self.raw)

    @property
    def accepted(self) -> bool:
        """Whether the reply promises that the lead is stored."""
        return self.status == 201 and self.body.get("success") is True


class Site(WebProcess):
    """A running site. Every request has a connection of its own."""

    def wait_ready(self) -> None:
        """Wait until it answers."""
        wait_for(lambda: self.ask("GET", "/healthz").status == 200, 60, "the site to start")

    def post(self, person: Person) -> Answer:
        """Post somebody's lead, as after a minute on the page."""
        headers = {"Content-Type": "application/json", **Visitors(self.given).headers()}
        return self.ask("POST", "/api/leads", json.dumps(person.payload()).encode(), headers)

    def post_many(self, people: Iterable[Person], *, threads: int = 2) -> list[Answer]:
        """Post each person once, `threads` at a time; the replies in the order of the people."""
        with ThreadPoolExecutor(threads) as pool:
            return list(pool.map(self.post, people))

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """One request."""
        started = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, dict(headers or {}))
            reply = connection.getresponse()
            raw = reply.read()
        except (OSError, http.client.HTTPException):
            return Answer(0, time.monotonic() - started)
        finally:
            connection.close()
        return Answer(reply.status, time.monotonic() - started, raw, reply.headers)
