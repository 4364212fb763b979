"""An honest visitor in a process of its own, so that the attack's work does not slow the visitor's clock."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Self

from dev.servers.server_process import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

_PAUSE = 0.05
_TIMEOUT = 20.0


class Visitor:
    """Asks for a page and posts an enquiry again and again while its `with` block runs.

    After the block: `worst` is the longest wait in seconds, of so many `answers`, of which some may be `wrong`.
    """

    def __init__(self, port: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        self._port, self._body = port, body
        self._headers = {"Content-Type": "application/json"} | dict(headers or {})
        self.worst, self.answers, self.wrong = 0.0, 0, 0

    def __enter__(self) -> Self:
        words = [str(self._port), self._body.decode(), json.dumps(self._headers)]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "dev.hostile.visitor", *words],
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
        self.worst, self.answers, self.wrong = found["worst"], found["answers"], found["wrong"]

    @property
    def words(self) -> str:
        """The result, for the report."""
        return f"a visitor waited {self.worst:.2f} s at worst ({self.answers} answers)"


def main() -> None:
    """Visit PORT with BODY and HEADERS until a line comes in; print the figures of all rounds but the first."""
    port, body, headers = int(sys.argv[1]), sys.argv[2].encode(), json.loads(sys.argv[3])
    stopping = threading.Event()
    threading.Thread(target=_wait_for_a_line, args=(stopping,), daemon=True).start()
    _visit(port, body, headers)
    print("ready", flush=True)
    seconds: list[float] = []
    wrong = 0
    while not stopping.wait(_PAUSE) or not seconds:
        for took, is_right in _visit(port, body, headers):
            seconds.append(took)
            wrong += not is_right
    print(json.dumps({"worst": max(seconds), "answers": len(seconds), "wrong": wrong}))


def _wait_for_a_line(stopping: threading.Event) -> None:
    sys.stdin.readline()
    stopping.set()


def _visit(port: int, body: bytes, headers: dict[str, str]) -> list[tuple[float, bool]]:
    # The idempotency key makes all posts of a visitor one enquiry.
    return [
        _ask(port, 200, "GET", "/", None, {}),
        _ask(port, 200, "GET", "/healthz", None, {}),
        _ask(port, 201, "POST", "/api/leads", body, headers),
    ]


def _ask(  # noqa: PLR0913, PLR0917 - a request
    port: int, expected: int, method: str, path: str, body: bytes | None, headers: dict[str, str]
) -> tuple[float, bool]:
    begun = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_TIMEOUT)
    try:
        connection.request(method, path, body, headers)
        reply = connection.getresponse()
        reply.read()
        is_right = reply.status == expected
    except (OSError, http.client.HTTPException):
        is_right = False
    finally:
        connection.close()
    return time.monotonic() - begun, is_right


if __name__ == "__main__":
    main()
