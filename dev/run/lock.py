"""One launcher at a time on a data directory: a lock that a crash releases."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from types import TracebackType
from typing import Self

from dev.run.plan import PlanError


class LauncherLock:
    """Held (as a context manager) while a launcher works on `data`; `PlanError` when another launcher does."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self.record = data / "processes.json"  # of what the holder has started; see `StartedProcesses`

    def __enter__(self) -> Self:
        try:
            self._data.mkdir(parents=True, exist_ok=True)
            self._lock = (self._data / "launcher.lock").open("a+")
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._lock.truncate(0)
            self._lock.write(f"{os.getpid()}\n")
            self._lock.flush()
        except BlockingIOError:
            self._lock.seek(0)
            holder = self._lock.read().strip()
            self._lock.close()
            raise PlanError(
                f"The product already runs on {self._data} (launcher: process {holder}). "
                "Stop it there with Ctrl-C, or set DATA_DIR=… (and other ports) for a second one."
            ) from None
        except OSError as error:
            raise PlanError(f"DATA_DIR {self._data} cannot be used: {error.strerror}; set DATA_DIR=…") from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.close()
