"""One server program of the developer's machine as a process: started, stopped, killed, started again.

What the program is and when it is ready stands in postgres.py and valkey.py.
"""

from __future__ import annotations

import subprocess
from collections import deque
from typing import TYPE_CHECKING

from dev.servers.waiting import wait_until

if TYPE_CHECKING:
    import signal
    from collections.abc import Callable, Sequence
    from pathlib import Path

_LOG_LIMIT = 10_000_000  # bytes; a log that grew past it is put aside at the next start


class ServerError(RuntimeError):
    """A server did not start; the message ends with the last lines of its log."""


class ServerProcess:
    """A child in its own session (so that a terminal's Ctrl-C reaches only its owner), logging to a file."""

    def __init__(self, name: str, log: Path) -> None:
        self.name = name
        self.log = log
        self._child: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The process id while it runs."""
        return self._child.pid if self._child is not None and self.alive() else None

    def alive(self) -> bool:
        """Whether the process runs."""
        return self._child is not None and self._child.poll() is None

    def start(self, argv: Sequence[str], ready: Callable[[], bool], seconds: float = 30.0) -> None:
        """Start it and wait until `ready`; `ServerError` when it ends or is not ready after `seconds`."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        if self.log.exists() and self.log.stat().st_size > _LOG_LIMIT:
            self.log.replace(self.log.with_suffix(".log.1"))
        with self.log.open("ab") as output:
            self._child = subprocess.Popen(
                argv, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True, cwd="/"
            )
        if not wait_until(lambda: not self.alive() or ready(), seconds) or not self.alive():
            self.kill()
            raise ServerError(f"{self.name} did not start. Its log, {self.log}, ends with:\n{self.last_lines()}")

    def stop(self, how: signal.Signals, seconds: float = 20.0) -> None:
        """Send `how`, wait for the end, kill when it takes longer than `seconds`."""
        if self._child is None or not self.alive():
            return
        self._child.send_signal(how)
        try:
            self._child.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End it with SIGKILL, as a crash would."""
        if self._child is not None:
            self._child.kill()
            self._child.wait()

    def last_lines(self, count: int = 20) -> str:
        """The end of its log."""
        if not self.log.exists():
            return ""
        with self.log.open(errors="replace") as lines:
            return "".join(deque(lines, count))
