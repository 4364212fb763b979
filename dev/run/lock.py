"""One launcher for one data directory: a lock that a crash releases, and a note of what was started.

After kill -9 of a launcher the note lets the next one end what was left running.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
from contextlib import suppress
from typing import TYPE_CHECKING, Self

import psutil

from dev.run.plan import PlanError

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from dev.run.supervisor import Part


class Claim:
    """Held (as a context manager) while a launcher works on `data`; `PlanError` when another one does."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._note = data / "processes.json"
        self._started: dict[str, tuple[int, float]] = {}

    def __enter__(self) -> Self:
        self._data.mkdir(parents=True, exist_ok=True)
        self._lock = (self._data / "launcher.lock").open("a+")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._lock.seek(0)
            holder = self._lock.read().strip()
            self._lock.close()
            raise PlanError(
                f"The product already runs on {self._data} (launcher: process {holder}). "
                "Stop it there with Ctrl-C, or set DATA_DIR=… (and other ports) for a second one."
            ) from None
        self._lock.truncate(0)
        self._lock.write(f"{os.getpid()}\n")
        self._lock.flush()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._note.unlink(missing_ok=True)
        self._lock.close()

    def note(self, part: Part) -> None:
        """Write down that `part` was started, with its process id."""
        if part.pid is not None:
            with suppress(psutil.Error):
                self._started[part.name] = (part.pid, psutil.Process(part.pid).create_time())
        self._note.write_text(json.dumps(self._started))

    def end_leftovers(self) -> list[str]:
        """End what a killed launcher left running (warm, then by force); gives the names."""
        if not self._note.exists():
            return []
        noted = json.loads(self._note.read_text() or "{}")
        noted.pop("postgres", None)  # looks after its own leftovers
        left = {name: process for name, (pid, at) in noted.items() if (process := _same_process(pid, at))}
        for process in left.values():
            with suppress(psutil.Error):
                process.terminate()
        psutil.wait_procs(left.values(), timeout=15)
        for process in left.values():
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
        return list(left)


def _same_process(pid: int, created_at: float) -> psutil.Process | None:
    """The process that was noted, unless it is gone or its number belongs to another by now."""
    try:
        process = psutil.Process(pid)
        return process if abs(process.create_time() - created_at) < 0.01 else None
    except psutil.Error:
        return None
