"""Whole programs: any command, and the product's processes as the Procfile starts them."""

import os
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Self

from tools.run.plan import read_procfile
from tools.servers import server_process
from tools.servers.waiting import wait_until

# Settings of this machine must not reach a process that is judged.
_OURS = ("ZOHO_", "CRM_", "SMTP_", "MAIL_", "STAFF_", "WEB_", "DATABASE_", "REDIS_", "METRICS_", "ENVIRONMENT")


class Program(server_process.Program):
    """Runs from its creation; the end of its block kills it. Several may share a log file, one after the other."""

    def __init__(self, name: str, argv: Sequence[str], given: Mapping[str, str], log: Path) -> None:
        """Start it; `given` are its settings, and other variables beside this process's own."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        fixed = {"PATH": path, "PYTHONUNBUFFERED": "1", "PYTHONWARNINGS": "ignore"}
        super().__init__(name, argv, {**kept, **fixed, **given}, log)
        self.given = given
        self._log_start = log.stat().st_size if log.exists() else 0
        self.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def stop_within(self, seconds: float) -> float:
        """Stop it as a deployment does, and give the seconds it took; fails if it dies or takes longer."""
        self.stop_seconds, started = seconds, time.monotonic()
        self.stop()
        took = time.monotonic() - started
        late = self.exit_code == -signal.SIGKILL and took >= seconds
        assert not late, f"{self.name} had not ended {seconds:g} s after SIGTERM"
        assert not self.exit_code, f"{self.name} ended with code {self.exit_code} after SIGTERM"
        return took

    @property
    def text(self) -> str:
        """What this program has logged so far."""
        with self.log.open("rb") as lines:
            lines.seek(self._log_start)
            return lines.read().decode(errors="replace")


class WorkerProcess(Program):
    """A worker; `celery` is the command that starts Celery."""

    def __init__(self, given: Mapping[str, str], log: Path, name: str = "w1", *, celery: str = "celery") -> None:
        command = read_procfile()["worker"].replace(" celery ", f" {celery} ", 1)
        super().__init__(name, ["sh", "-c", f"{command} --hostname={name}@%h"], given, log)

    @property
    def is_ready(self) -> bool:
        """Whether it listens to Redis."""
        return " ready." in self.text


class WebProcess(Program):
    """The web process, on loopback. `crowded`: its limits stop no crowd."""

    def __init__(self, port: int, given: Mapping[str, str], log: Path, *, crowded: bool = True) -> None:
        command = read_procfile(crowded=crowded)["web"]
        super().__init__("web", ["sh", "-c", command], {"HOST": "127.0.0.1", "PORT": str(port), **given}, log)
        self.port = port


def wait_for(condition: Callable[[], bool], seconds: float, what: str) -> float:
    """Wait until the condition holds and give the seconds it took; fails with `what` when it never does."""
    started = time.monotonic()
    if not wait_until(condition, seconds):
        raise AssertionError(f"waited {seconds:g} s for {what}")
    return time.monotonic() - started
