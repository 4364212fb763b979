"""A worker as a process of its own, started as the Procfile does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Self

from dev.servers.waiting import wait_until

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "celery", "--quiet", "-A", "worker.app", "worker"]
QUEUES = ["-Q", "crm.fresh,crm.retry,crm.mail"]
QUIET = ["--without-gossip", "--without-mingle", "--loglevel=INFO"]


class WorkerProcess:
    """Runs until stopped or killed; its log is a file."""

    def __init__(self, environment: Mapping[str, str], log: Path, name: str = "w1") -> None:
        self.log = log
        with log.open("ab") as out:
            self.process = subprocess.Popen(
                [*COMMAND, *QUEUES, *QUIET, f"--hostname={name}@test"],
                cwd=ROOT,
                env={**os.environ, **environment, "PYTHONWARNINGS": "ignore"},
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.kill()

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.process.wait(10)

    def stop(self, seconds: float = 30) -> int:
        """Ask it to end, as a deployment does; gives its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(seconds)

    @property
    def text(self) -> str:
        """What it has logged so far."""
        return self.log.read_text(errors="replace")


def wait_for(condition: Callable[[], bool], seconds: float, what: str) -> float:
    """Wait until the condition holds and give the seconds it took; fails with `what` when it never does."""
    started = time.monotonic()
    if not wait_until(condition, seconds):
        raise AssertionError(f"waited {seconds:g} s for {what}")
    return time.monotonic() - started
