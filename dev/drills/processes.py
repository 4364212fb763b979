"""The product's processes as a drill starts them: workers and the site, each in a session of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from dev.drills.failure import DrillFailed
from dev.sandbox.process import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

CELERY = ("-A", "worker.app", "worker", "--pool=threads", "-Q", "crm.fresh,crm.retry,crm.mail")
QUIET = ("--without-gossip", "--without-mingle", "--loglevel=INFO")
SITE = (
    *("--interface", "wsgi", "--factory", "web.app:create_app", "--host", "127.0.0.1", "--workers", "1"),
    *("--blocking-threads", "4", "--no-ws", "--workers-kill-timeout", "10"),
)


class Process:
    """A child with all its descendants; its log is a file that several may share, one after the other."""

    def __init__(self, name: str, argv: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
        self.name = name
        self.log = log
        self.started = time.monotonic()
        self._from = log.stat().st_size if log.exists() else 0
        with log.open("ab") as out:
            self.popen = subprocess.Popen(
                argv,
                cwd=ROOT,
                env={**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONWARNINGS": "ignore", **environment},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def alive(self) -> bool:
        """Whether it runs (or is frozen)."""
        return self.popen.poll() is None

    def kill(self) -> None:
        """End it as a power cut would."""
        self._send(signal.SIGKILL)
        self.popen.wait(10)

    def freeze(self) -> None:
        """Stop its clock: no instruction runs until `thaw`."""
        self._send(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        self._send(signal.SIGCONT)

    def stop(self, seconds: float) -> float:
        """Ask it to end, as a deployment does; gives the seconds it took. Fails when it dies or takes longer."""
        started = time.monotonic()
        self.popen.send_signal(signal.SIGTERM)
        try:
            code = self.popen.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            raise DrillFailed(f"{self.name} had not ended {seconds:g} s after SIGTERM") from None
        if code:
            raise DrillFailed(f"{self.name} ended with code {code} after SIGTERM")
        return time.monotonic() - started

    @property
    def text(self) -> str:
        """What this process has logged so far."""
        with self.log.open("rb") as lines:
            lines.seek(self._from)
            return lines.read().decode(errors="replace")

    def _send(self, number: signal.Signals) -> None:
        if self.alive:
            with suppress(ProcessLookupError):
                os.killpg(self.popen.pid, number)


class Worker(Process):
    """A worker as the Procfile starts it. `tampered`: started through `dev.drills.faults` (a wrong clock…)."""

    def __init__(self, name: str, environment: Mapping[str, str], log: Path, *, tampered: bool = False) -> None:
        program = ("dev.drills.faults",) if tampered else ("celery",)
        threads = f"--concurrency={environment.get('CRM_CONCURRENCY', '4')}"
        command = [sys.executable, "-m", *program, *CELERY, *QUIET, threads, f"--hostname={name}@drill"]
        super().__init__(name, command, environment, log)

    @property
    def is_ready(self) -> bool:
        """Whether it listens to Redis."""
        return " ready." in self.text


class SiteProcess(Process):
    """The web application as the Procfile starts it."""

    def __init__(self, port: int, environment: Mapping[str, str], log: Path) -> None:
        command = [sys.executable, "-m", "granian", *SITE, "--port", str(port)]
        super().__init__("web", command, environment, log)
        self.port = port
