"""One launcher at a time on a data directory: a lock that a crash releases, and a record of what was started.

After kill -9 of a launcher the record lets the next one end the processes that were left running.
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

    from dev.servers.server_process import ServerProcess


class LauncherLock:
    """Held (as a context manager) while a launcher works on `data`; `PlanError` when another launcher does."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._record = data / "processes.json"
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
        self._record.unlink(missing_ok=True)
        self._lock.close()

    def record(self, part: ServerProcess) -> None:
        """Record that `part` was started, with its process id."""
        if part.pid is not None:
            with suppress(psutil.Error):
                self._started[part.name] = (part.pid, psutil.Process(part.pid).create_time())
        self._record.write_text(json.dumps(self._started))

    def end_leftovers(self) -> list[str]:
        """End the processes that a killed launcher left running (cleanly, then by force); returns their names."""
        if not self._record.exists():
            return []
        recorded = json.loads(self._record.read_text() or "{}")
        recorded.pop("postgres", None)  # ends its own leftovers
        left = {name: process for name, (pid, at) in recorded.items() if (process := _same_process(pid, at))}
        for process in left.values():
            with suppress(psutil.Error):
                process.terminate()
        psutil.wait_procs(left.values(), timeout=15)
        for process in left.values():
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
        return list(left)


def _same_process(pid: int, created_at: float) -> psutil.Process | None:
    """The recorded process, unless it is gone or its number belongs to another process by now."""
    try:
        process = psutil.Process(pid)
        return process if abs(process.create_time() - created_at) < 0.01 else None
    except psutil.Error:
        return None
