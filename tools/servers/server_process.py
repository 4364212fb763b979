"""A child process with all its descendants: started, frozen, stopped, killed, started again."""

import os
import signal
import subprocess
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

from tools.servers.waiting import wait_until

ROOT = Path(__file__).parents[2]  # the project's folder
_MAX_LOG_BYTES = 10_000_000  # a larger log is renamed to .log.1 at the next start


class ServerError(RuntimeError):
    """Something cannot run; the message says why, or ends with the last lines of its log."""


class Program:
    """A command in a session of its own: a terminal's Ctrl-C reaches only its owner, and `kill` its whole group.

    Its output is appended to `log`. It is not started yet.
    """

    stop_signal = signal.SIGTERM
    stop_seconds = 20.0  # how long a clean stop may take

    def __init__(self, name: str, argv: Sequence[str], environ: Mapping[str, str] | None, log: Path) -> None:
        self.name, self.log = name, log
        self._argv, self._environ = argv, environ
        self._child: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, or start it again in the same place."""
        self._spawn(self._argv, ROOT)

    def last_lines(self, count: int = 20) -> str:
        """The end of its log."""
        if not self.log.exists():
            return ""
        with self.log.open(errors="replace") as lines:
            return "".join(deque(lines, count))

    @property
    def pid(self) -> int | None:
        """The process id (and the id of its group) while it runs."""
        return self._child.pid if self._child is not None and self.alive() else None

    @property
    def exit_code(self) -> int | None:
        """The exit code (-n: ended by signal n); None while it runs or before it has started."""
        return None if self._child is None else self._child.poll()

    def alive(self) -> bool:
        """Whether the process itself runs, or is frozen."""
        return self._child is not None and self._child.poll() is None

    def stop(self) -> None:
        """Ask it to end; after `stop_seconds` end it, and whatever it started, by force."""
        if self._child is not None and self.alive():
            self._child.send_signal(self.stop_signal)
            with suppress(subprocess.TimeoutExpired):
                self._child.wait(self.stop_seconds)
        self.kill()

    def kill(self) -> None:
        """End the whole group with SIGKILL, as a crash would."""
        if self._child is not None:
            # It has ended: Linux raises the first, macOS the second.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._child.pid, signal.SIGKILL)
            self._child.wait()

    def freeze(self) -> None:
        """Suspend the whole group: no instruction runs until `thaw`."""
        self._signal_group(signal.SIGSTOP)

    def thaw(self) -> None:
        """Resume the whole group."""
        self._signal_group(signal.SIGCONT)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _signal_group(self, number: signal.Signals) -> None:
        if self._child is not None and self.alive():
            with suppress(ProcessLookupError):
                os.killpg(self._child.pid, number)

    def _spawn(self, argv: Sequence[str], cwd: Path) -> None:
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as output:
            self._child = subprocess.Popen(
                argv,
                cwd=cwd,
                env=self._environ,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def make_room(self) -> None:
        """Put a log that has grown large aside, as .log.1."""
        if self.log.exists() and self.log.stat().st_size > _MAX_LOG_BYTES:
            self.log.replace(self.log.with_suffix(".log.1"))


class EmbeddedServer(Program):
    """A server program whose data is stored in `folder`; ready when it answers."""

    def __init__(self, name: str, folder: Path, log: Path | None) -> None:
        self.folder = folder.absolute()
        super().__init__(name, (), None, log or self.folder / f"{name}.log")

    def _start_until(self, ready: Callable[[], bool], argv: Sequence[str], seconds: float = 30.0) -> None:
        """Start it and wait until `ready`; `ServerError` when it ends or is not ready after `seconds`."""
        self.make_room()
        self._spawn(argv, Path("/"))
        if not wait_until(lambda: not self.alive() or ready(), seconds) or not self.alive():
            self.kill()
            raise ServerError(f"{self.name} did not start. Its log, {self.log}, ends with:\n{self.last_lines()}")
