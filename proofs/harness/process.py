"""Programs that a proof starts: any command, and the product's processes as the Procfile starts them."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

from dev.run.plan import read_procfile
from dev.servers.server_process import LoggedProcess
from proofs.harness.case import Broken
from proofs.harness.product import environment, procfile


class Program(LoggedProcess):
    """Starts when created; several programs may share a log file, one after the other."""

    def __init__(self, name: str, argv: Sequence[str], given: Mapping[str, str], log: Path) -> None:
        """Start it.

        Args:
            name: in messages.
            argv: the command.
            given: its settings, and other variables beside this process's own.
            log: where its output is appended.
        """
        super().__init__(name, log)
        self._argv, self.environment = argv, given
        self._log_start = log.stat().st_size if log.exists() else 0
        self.start()

    def __enter__(self) -> Self:
        return self

    def start(self) -> None:
        """Start it, or start it again."""
        self._spawn_logged(self._argv, environ=environment(self.environment))

    def stop_within(self, seconds: float) -> float:
        """Stop it as a deployment does; returns the seconds it took. `Broken` if it dies or takes longer."""
        self.stop_seconds, started = seconds, time.monotonic()
        self.stop()
        took = time.monotonic() - started
        if self.exit_code == -signal.SIGKILL and took >= seconds:
            raise Broken(f"{self.name} had not ended {seconds:g} s after SIGTERM")
        if self.exit_code:
            raise Broken(f"{self.name} ended with code {self.exit_code} after SIGTERM")
        return took

    @property
    def text(self) -> str:
        """What this program has logged so far."""
        with self.log.open("rb") as lines:
            lines.seek(self._log_start)
            return lines.read().decode(errors="replace")


class Worker(Program):
    """A worker. `faulty`: its Celery is started by `proofs.drills.faults`."""

    def __init__(self, name: str, given: Mapping[str, str], log: Path, *, faulty: bool = False) -> None:
        command = procfile("worker", f"--hostname={name}@%h")
        if faulty:
            command = command.replace(" celery ", f" {sys.executable} -m proofs.drills.faults ", 1)
        super().__init__(name, ["sh", "-c", command], given, log)

    @property
    def is_ready(self) -> bool:
        """Whether it listens to Redis."""
        return " ready." in self.text


class WebProcess(Program):
    """The web process, on loopback. `crowded`: its limits stop no crowd."""

    def __init__(self, port: int, given: Mapping[str, str], log: Path, *, crowded: bool = True) -> None:
        variables = {"HOST": "127.0.0.1", "PORT": str(port), **given}
        super().__init__("web", ["sh", "-c", read_procfile(crowded=crowded)["web"]], variables, log)
        self.port = port
