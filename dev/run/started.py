"""The record of what a launcher has started: after its kill -9 the next launcher ends what was left running."""

from __future__ import annotations

import json
import os
import signal
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil

from dev.servers.server_process import ServerProcess


class StartedProcesses:
    """A context manager around all that is started: leaving it deletes the record."""

    def __init__(self, record: Path) -> None:
        self._record = record
        self._started: dict[str, tuple[int, float]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._record.unlink(missing_ok=True)

    def add(self, part: ServerProcess) -> None:
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
