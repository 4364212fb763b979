"""Processes of a benchmark: the product's as the Procfile says, peers and load beside them, and their CPU time.

What is measured with them stands in the benchmarks' own modules.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from dev.run.plan import ROOT, read_procfile
from dev.servers.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

PROGRAMS = Path(sys.executable).parent
PEERS = ROOT / ".venv-benchmarks" / "bin" / "python"


class BenchmarkError(Exception):
    """A benchmark cannot go on; the message says why."""


class Program:
    """A child with all its descendants; its log is a file."""

    def __init__(self, name: str, argv: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
        self.name, self.log = name, log
        with log.open("ab") as out:
            self.popen = subprocess.Popen(
                argv,
                cwd=ROOT,
                env=child_environment(environment),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait_for_port(self, port: int, seconds: float = 40) -> None:
        """Wait until it listens on loopback."""
        self._wait(lambda: _listens(port), seconds)

    def wait_for_text(self, text: str, seconds: float = 60) -> None:
        """Wait until its log says so."""
        self._wait(lambda: text in self.log.read_text(errors="replace"), seconds)

    def cpu_seconds(self) -> float:
        """CPU time of it and its descendants since they started, dead ones too where they were waited for."""
        return cpu_seconds(self.popen.pid)

    def stop(self) -> None:
        """Ask it to end, as a deployment does; by force when it does not."""
        if self.popen.poll() is None:
            self.popen.terminate()
            with suppress(subprocess.TimeoutExpired):
                self.popen.wait(20)
        with suppress(ProcessLookupError):
            os.killpg(self.popen.pid, signal.SIGKILL)
        self.popen.wait(10)

    def _wait(self, condition: Callable[[], bool], seconds: float) -> None:
        if not wait_until(lambda: condition() or self.popen.poll() is not None, seconds) or not condition():
            raise BenchmarkError(f"{self.name} did not start; its log ends with:\n{self.log.read_text()[-2000:]}")


def child_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """A child's whole environment: this one without the product's settings, then `environment`."""
    ours = ("ZOHO_", "CRM_", "SMTP_", "MAIL_", "WEB_", "DATABASE_", "REDIS_", "ENVIRONMENT")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    path = f"{PROGRAMS}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    return {**kept, "PATH": path, "PYTHONUNBUFFERED": "1", **environment}


def procfile(name: str) -> list[str]:
    """The Procfile's own command of a process."""
    return ["sh", "-c", read_procfile()[name]]


def uvicorn(module: str, port: int) -> list[str]:
    """One uvicorn process, on its fastest loop and parser, for an application of `dev.benchmarks.peers`."""
    fast = ("--loop", "uvloop", "--http", "httptools", "--no-access-log", "--log-level", "warning")
    return [peers_python(), "-m", "uvicorn", f"dev.benchmarks.peers.{module}:app", "--port", str(port), *fast]


def peers_python() -> str:
    """The Python of the peers' own environment; `BenchmarkError` where it has not been made."""
    if not PEERS.exists():
        raise BenchmarkError("The peers' packages are not here: run `make bench`, which fetches them")
    return str(PEERS)


def cpu_seconds(pid: int) -> float:
    """CPU time of a process and its descendants, 0.0 of one that is gone."""
    total = 0.0
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        for one in [process, *process.children(recursive=True)]:
            with suppress(psutil.NoSuchProcess):
                total += sum(one.cpu_times()[:4])
    return total


def _listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False
