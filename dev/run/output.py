"""What children print: on the screen with their name before it, and in a file for each.

The launcher's own lines go through `say` and have no prefix.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from logging.handlers import RotatingFileHandler
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_COLOURS = {"web": 36, "worker": 32, "flower": 35, "sandbox": 33}  # ANSI foregrounds
_WIDTH = 8
_FILE_LIMIT = 10_000_000  # bytes; one older file is kept beside it


class Output:
    """Shared by all children; safe to use from many threads. `quiet` keeps children off the screen."""

    def __init__(self, logs: Path, *, quiet: bool = False) -> None:
        logs.mkdir(parents=True, exist_ok=True)
        self.logs = logs
        self._quiet = quiet
        self._colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        self._lock = threading.Lock()
        self._files: list[RotatingFileHandler] = []

    def say(self, text: str) -> None:
        """Print a line of the launcher itself."""
        with self._lock:
            print(text, flush=True)

    def writer(self, name: str) -> Callable[[str], None]:
        """A function that takes one line of the child `name`."""
        file = RotatingFileHandler(self.logs / f"{name}.log", maxBytes=_FILE_LIMIT, backupCount=1, encoding="utf-8")
        self._files.append(file)
        label = f"{name:<{_WIDTH}} |"
        if self._colour:
            label = f"\033[{_COLOURS.get(name, 34)}m{label}\033[0m"

        def write(line: str) -> None:
            file.handle(logging.makeLogRecord({"msg": line}))
            if not self._quiet:
                self.say(f"{label} {line}")

        return write

    def close(self) -> None:
        """Close the files; the children have ended."""
        for file in self._files:
            file.close()
