"""The children of the launcher and what they print: on the screen behind their name, and in a log file for each."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from logging.handlers import RotatingFileHandler
from pathlib import Path

from dev.servers.server_process import ServerProcess

_COLOURS = {"web": 36, "worker": 32, "flower": 35, "sandbox": 33}  # ANSI foregrounds
_WIDTH = 8
_MAX_FILE_BYTES = 10_000_000  # one older file is kept beside it
_LAST_LINES_SECONDS = 2.0  # a descendant that left the group may hold the pipe open for ever


class Child(ServerProcess):
    """A process of the product: a line of the Procfile, or the sandbox."""

    def __init__(
        self,
        name: str,
        argv: Sequence[str],
        environ: Mapping[str, str],
        take_line: Callable[[str], None],
        *,
        stop_seconds: float = 10,
    ) -> None:
        """Nothing is started yet.

        Args:
            name: shown before its lines and in messages.
            argv: the command.
            environ: its whole environment.
            take_line: gets every line it prints, from a thread.
            stop_seconds: how long a clean stop may take.
        """
        super().__init__(name)
        self.stop_seconds = stop_seconds
        self._argv = argv
        self._environ = dict(environ)
        self._take_line = take_line
        self._recent: deque[str] = deque(maxlen=20)
        self._reader: threading.Thread | None = None

    def start(self) -> None:
        """Start it; its lines go to `take_line` from now on."""
        self._recent.clear()
        child = self._spawn(self._argv, subprocess.PIPE, environ=self._environ)
        self._reader = threading.Thread(target=self._read, args=[child], daemon=True)
        self._reader.start()

    def kill(self) -> None:
        """End the whole group with SIGKILL, and wait for its last lines."""
        super().kill()
        if self._reader is not None:
            self._reader.join(_LAST_LINES_SECONDS)

    def last_lines(self) -> str:
        """The last lines it printed."""
        return "\n".join(self._recent)

    def _read(self, child: subprocess.Popen[bytes]) -> None:
        if child.stdout is None:
            return
        with child.stdout as lines:
            for raw in lines:
                line = raw.decode(errors="replace").rstrip()
                self._recent.append(line)
                self._take_line(line)


class Output:
    """Where lines go: safe to use from many threads. `quiet` keeps the children's lines off the screen."""

    def __init__(self, logs: Path, *, quiet: bool = False) -> None:
        logs.mkdir(parents=True, exist_ok=True)
        self.logs = logs
        self._quiet = quiet
        self._colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        self._lock = threading.Lock()
        self._files: list[RotatingFileHandler] = []

    def say(self, text: str) -> None:
        """Print a line of the launcher itself, without a prefix."""
        with self._lock:
            print(text, flush=True)

    def writer(self, name: str) -> Callable[[str], None]:
        """A function that takes one line of the child `name`."""
        file = RotatingFileHandler(
            self.logs / f"{name}.log", maxBytes=_MAX_FILE_BYTES, backupCount=1, encoding="utf-8"
        )
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
        """Close the log files, once the children have ended."""
        for file in self._files:
            file.close()
