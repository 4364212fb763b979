"""The site over HTTP, as a browser uses it: posting leads and timing the replies."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from dev.servers.waiting import wait_until
from dev.visitors import Visitors
from proofs.harness.person import Person
from proofs.harness.process import WebProcess

CREATED = 201


@dataclass(frozen=True, slots=True)
class Answer:
    """The reply to a request. `status` 0: none came. `seconds` until the last byte. Header names in lower case."""

    status: int
    seconds: float
    body: dict[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def accepted(self) -> bool:
        """Whether the reply promises that the lead is stored."""
        return self.status == CREATED and self.body.get("success") is True


class Site:
    """A running site; every thread keeps one connection, as a browser does. `port`: that of a relay in front."""

    def __init__(self, process: WebProcess, *, port: int = 0) -> None:
        self.process = process
        self._visitors = Visitors(process.environment)
        self._port = port or process.port
        self._local = threading.local()
        self._made: list[http.client.HTTPConnection] = []

    def close(self) -> None:
        """Close every thread's connection; the site keeps running."""
        while self._made:
            self._made.pop().close()
        self._local = threading.local()

    def wait_ready(self, seconds: float = 30) -> bool:
        """Wait until it answers."""
        return wait_until(lambda: self.get("/healthz").status != 0, seconds)

    def get(self, path: str) -> Answer:
        """One GET; a body that is not JSON is discarded."""
        return self._ask("GET", path, None, {})

    def post(self, person: Person, *, key: str | None = None, **changed: str) -> Answer:
        """Post a lead, with an idempotency key if given."""
        headers = {"Content-Type": "application/json"} | ({"Idempotency-Key": key} if key else {})
        headers |= self._visitors.headers()
        return self._ask("POST", "/api/leads", json.dumps(person.payload() | changed).encode(), headers)

    def post_many(self, people: Iterable[Person], *, threads: int = 2) -> list[Answer]:
        """Post each person once, `threads` at a time; the replies in the order of the people."""
        with ThreadPoolExecutor(threads) as pool:
            return list(pool.map(self.post, people))

    def _ask(self, method: str, path: str, body: bytes | None, sent: Mapping[str, str]) -> Answer:
        started = time.monotonic()
        connection = self._connection()
        try:
            connection.request(method, path, body, dict(sent))
            reply = connection.getresponse()
            raw = reply.read()
        except (OSError, http.client.HTTPException):
            connection.close()
            self._local.connection = None
            return Answer(0, time.monotonic() - started)
        headers = {name.lower(): value for name, value in reply.getheaders()}
        return Answer(reply.status, time.monotonic() - started, _read(raw), headers)

    def _connection(self) -> http.client.HTTPConnection:
        connection = getattr(self._local, "connection", None)
        if connection is None:
            connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
            self._local.connection = connection
            self._made.append(connection)
        return connection


def _read(raw: bytes) -> dict[str, Any]:
    try:
        body = json.loads(raw)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
