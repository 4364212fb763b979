"""An honest visitor in a process of its own, so that the attack's work does not slow the visitor's clock."""

from __future__ import annotations

import http.client
import json
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg

from dev.servers.server_process import ROOT

_PAUSE = 0.05
_TIMEOUT = 20.0


@dataclass(frozen=True, slots=True)
class _Answer:
    """`tells`: it says when to try again, and how else to reach the clinic."""

    seconds: float
    is_right: bool
    tells: bool


class Visitor:
    """Asks for a page and posts an enquiry again and again while its `with` block runs.

    After the block: the longest waits for a `page` and for an `enquiry`, in seconds; so many `answers`, some of
    them `wrong`. An enquiry waits for PostgreSQL's disk: `commit` is the longest wait for a row without the site.
    Of the wrong answers to enquiries, `untold` did not say when to try again and how else to reach the clinic;
    `refused_seconds` is the longest time from one to the next enquiry that was stored.
    """

    def __init__(
        self,
        port: int,
        body: bytes,
        database_url: str,
        headers: Mapping[str, str] | None = None,
        *,
        certificate: Path | None = None,
    ) -> None:
        own = {"Content-Type": "application/json"} | dict(headers or {})
        tls = [] if certificate is None else [str(certificate)]
        self.untold, self.refused_seconds = 0, 0.0
        self._words = (str(port), body.decode(), database_url, json.dumps(own), *tls)
        self.page, self.enquiry, self.commit = 0.0, 0.0, 0.0
        self.answers, self.wrong = 0, 0

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "proofs.hostile.visitor", *self._words],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        if self._process.stdout is not None:
            self._process.stdout.readline()  # after the first round: all is loaded
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        told, _ = self._process.communicate("stop\n", timeout=60)
        found = json.loads(told)
        self.page, self.enquiry, self.commit = found["page"], found["enquiry"], found["commit"]
        self.answers, self.wrong = found["answers"], found["wrong"]
        self.untold, self.refused_seconds = found["untold"], found["refused_seconds"]

    @property
    def worst(self) -> float:
        """The longest wait that was not the disk's."""
        return max(self.page, self.enquiry - self.commit)

    @property
    def words(self) -> str:
        """The result, for the report."""
        waits = f"{self.page:.2f} s for a page, {self.enquiry:.2f} s for a receipt"
        return f"a visitor waited at worst {waits} (a bare commit: {self.commit:.2f} s; {self.answers} answers)"


def main() -> None:
    """Visit (PORT, BODY, DATABASE, HEADERS, perhaps CERTIFICATE) until a line comes in; print the figures.

    The first round does not count.
    """
    port, body, headers = int(sys.argv[1]), sys.argv[2].encode(), json.loads(sys.argv[4])
    tls = ssl.create_default_context(cafile=sys.argv[5]) if len(sys.argv) > 5 else None
    stopping = threading.Event()
    threading.Thread(target=_wait_for_a_line, args=(stopping,), daemon=True).start()
    _visit(port, body, headers, tls)
    commits: list[float] = [0.0]
    threading.Thread(target=_commit, args=(sys.argv[3], commits), daemon=True).start()
    print("ready", flush=True)
    pages: list[float] = []
    enquiries: list[float] = []
    wrong, untold = 0, 0
    refused_since, refused_seconds = None, 0.0
    while not stopping.wait(_PAUSE) or not pages:
        page, health, enquiry = _visit(port, body, headers, tls)
        pages += [page.seconds, health.seconds]
        enquiries.append(enquiry.seconds)
        wrong += sum(not answer.is_right for answer in (page, health, enquiry))
        untold += not (enquiry.is_right or enquiry.tells)
        now = time.monotonic()
        refused_since = None if enquiry.is_right else refused_since or now
        refused_seconds = max(refused_seconds, now - (refused_since or now))
    found = {
        "page": max(pages),
        "enquiry": max(enquiries),
        "commit": max(commits),
        "answers": len(pages) + len(enquiries),
        "wrong": wrong,
        "untold": untold,
        "refused_seconds": refused_seconds,
    }
    print(json.dumps(found))


def _commit(database_url: str, seconds: list[float]) -> None:
    """Commit rows beside the visits, to tell a stall of the disk from a stall of the site."""
    with psycopg.connect(database_url, autocommit=True) as database:
        database.execute("CREATE TABLE IF NOT EXISTS bare (number int)")
        while True:
            begun = time.monotonic()
            database.execute("INSERT INTO bare VALUES (1)")
            seconds.append(time.monotonic() - begun)
            threading.Event().wait(_PAUSE / 5)


def _wait_for_a_line(stopping: threading.Event) -> None:
    sys.stdin.readline()
    stopping.set()


def _visit(port: int, body: bytes, headers: dict[str, str], tls: ssl.SSLContext | None) -> list[_Answer]:
    # The idempotency key makes all posts of a visitor one enquiry.
    return [
        _ask(_connection(port, tls), 200, "GET", "/", None, {}),
        _ask(_connection(port, tls), 200, "GET", "/healthz", None, {}),
        _ask(_connection(port, tls), 201, "POST", "/api/leads", body, headers),
    ]


def _connection(port: int, tls: ssl.SSLContext | None) -> http.client.HTTPConnection:
    """A new connection, which is not open yet; its name is the one that the certificate has."""
    if tls is None:
        return http.client.HTTPConnection("127.0.0.1", port, timeout=_TIMEOUT)
    return http.client.HTTPSConnection("localhost", port, timeout=_TIMEOUT, context=tls)


def _ask(  # noqa: PLR0913, PLR0917 - a request
    connection: http.client.HTTPConnection,
    expected: int,
    method: str,
    path: str,
    body: bytes | None,
    headers: dict[str, str],
) -> _Answer:
    begun, is_right, tells = time.monotonic(), False, False
    try:
        connection.request(method, path, body, headers)
        reply = connection.getresponse()
        is_right = reply.status == expected
        tells = b"WhatsApp" in reply.read() and reply.getheader("Retry-After") is not None
    except (OSError, http.client.HTTPException):
        pass
    finally:
        connection.close()
    return _Answer(time.monotonic() - begun, is_right, tells)


if __name__ == "__main__":
    main()
