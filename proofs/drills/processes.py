"""The product's processes as a drill starts them: workers and the site."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from dev.servers.server_process import LoggedProcess
from proofs.harness.case import Broken

CELERY = ("--quiet", "-A", "worker.app", "worker", "--pool=threads", "-Q", "crm.fresh,crm.retry,crm.mail")
QUIET = ("--without-gossip", "--without-mingle", "--loglevel=INFO")


class DrillProcess(LoggedProcess):
    """Starts when created; several processes may share a log file, one after the other."""

    def __init__(self, name: str, argv: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
        """Start it.

        Args:
            name: in messages.
            argv: the command.
            environment: variables beside this process's own.
            log: where its output is appended.
        """
        super().__init__(name, log)
        self._argv, self.environment = argv, environment
        self._log_start = log.stat().st_size if log.exists() else 0
        self.start()

    def start(self) -> None:
        """Start it with this process's environment and its own variables."""
        environ = {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONWARNINGS": "ignore", **self.environment}
        self._spawn_logged(self._argv, environ=environ)

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
        """What this process has logged so far."""
        with self.log.open("rb") as lines:
            lines.seek(self._log_start)
            return lines.read().decode(errors="replace")


class Worker(DrillProcess):
    """A worker as the Procfile starts it. `faulty`: started by `proofs.drills.faults`."""

    def __init__(self, name: str, environment: Mapping[str, str], log: Path, *, faulty: bool = False) -> None:
        """Start it.

        Args:
            name: its Celery node name.
            environment: variables beside this process's own.
            log: where its output is appended.
            faulty: start it by `proofs.drills.faults`.
        """
        program = ("proofs.drills.faults",) if faulty else ("celery",)
        threads = f"--concurrency={environment.get('CRM_CONCURRENCY', '4')}"
        command = [sys.executable, "-m", *program, *CELERY, *QUIET, threads, f"--hostname={name}@drill"]
        super().__init__(name, command, environment, log)

    @property
    def is_ready(self) -> bool:
        """Whether it listens to Redis."""
        return " ready." in self.text


class SiteProcess(DrillProcess):
    """The web application as the Procfile starts it."""

    def __init__(self, port: int, environment: Mapping[str, str], log: Path, *, files: int = 0) -> None:
        """Start it.

        Args:
            port: where it listens.
            environment: variables beside this process's own.
            log: where its output is appended.
            files: how many it may have open at once; 0: as many as this process.
        """
        variables = {"HOST": "127.0.0.1", "PORT": str(port), "WEB_THREADS": "4", **environment}
        command = [sys.executable, "-m", "web"]
        if files:
            command = ["sh", "-c", f'ulimit -n {files} && exec "$0" -m web', sys.executable]
        super().__init__("web", command, variables, log)
        self.port = port
