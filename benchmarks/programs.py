"""Processes of a benchmark: the product's as in the Procfile, peers, the CRM stand-in, and their CPU time."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, build_opener

import psutil

from dev.servers.server_process import ROOT
from dev.servers.waiting import wait_until
from proofs.harness.process import Program

PEERS = ROOT / ".venv-benchmarks" / "bin" / "python"


class BenchmarkError(Exception):
    """A benchmark cannot go on; the message says why."""


class Measured(Program):
    """A program of which it is known when it is ready, and what processor time it took."""

    def wait_for_port(self, port: int, seconds: float = 40) -> None:
        """Wait until it listens on loopback."""
        self._wait(lambda: _listens(port), seconds)

    def wait_for_text(self, text: str, seconds: float = 60) -> None:
        """Wait until its log contains the text."""
        self._wait(lambda: text in self.text, seconds)

    def cpu_seconds(self) -> float:
        """CPU time of it and its descendants since they started."""
        return cpu_seconds(self.pid)

    def _wait(self, condition: Callable[[], bool], seconds: float) -> None:
        if not wait_until(lambda: condition() or not self.alive(), seconds) or not condition():
            raise BenchmarkError(f"{self.name} did not start; its log ends with:\n{self.log.read_text()[-2000:]}")


@dataclass(frozen=True, slots=True)
class CrmStandIn:
    """A running `benchmarks.crm_standin` on loopback: its address and its ledger."""

    port: int

    @property
    def url(self) -> str:
        """Its address, for the product's settings."""
        return f"http://127.0.0.1:{self.port}"

    def reset(self) -> None:
        """Delete all calls."""
        self._ask("/reset")

    def totals(self) -> dict[str, Any]:
        """`rows`, `calls`, `most_in_flight`, `first` and `last` (epoch seconds) of the calls since the reset."""
        return self._ask("/ledger")

    def arrivals(self) -> dict[str, float]:
        """When each row arrived (epoch seconds), by event id."""
        return dict(self._ask("/ledger?arrivals")["arrivals"])

    def _ask(self, path: str) -> dict[str, Any]:
        with build_opener(ProxyHandler({})).open(f"{self.url}{path}", timeout=30) as reply:
            answer: dict[str, Any] = json.load(reply)
        return answer


def uvicorn(module: str, port: int) -> list[str]:
    """One uvicorn process, on its fastest loop and parser, for an application of `benchmarks.peers`."""
    fast = (
        "--loop",
        "uvloop",
        "--http",
        "httptools",
        "--no-access-log",
        "--log-level",
        "warning",
        "--no-server-header",
    )
    return [peers_python(), "-m", "uvicorn", f"benchmarks.peers.{module}:app", "--port", str(port), *fast]


def peers_python() -> str:
    """The Python of the peers' own environment; `BenchmarkError` if there is none."""
    if not PEERS.exists():
        raise BenchmarkError("The peers' packages are not installed: run `make bench`, which fetches them")
    return str(PEERS)


def cpu_seconds(pid: int | None) -> float:
    """CPU time of a process and its descendants, 0.0 if it is gone."""
    total = 0.0
    if pid is None:
        return total
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        for one in [process, *process.children(recursive=True)]:
            with suppress(psutil.NoSuchProcess):
                total += sum(one.cpu_times()[:4])
    return total


def session_cpu_seconds(pid: int) -> float:
    """CPU time of a process with one thread, as exact as the system knows it."""
    schedule = Path(f"/proc/{pid}/schedstat")  # Linux; psutil's figures have steps of ten milliseconds there
    return int(schedule.read_text().split()[0]) / 1e9 if schedule.exists() else cpu_seconds(pid)


def _listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def megabytes(pid: int | None) -> float:
    """Memory of a process and its descendants, shared pages counted by their share; 0.0 if it is gone."""
    if pid is None:
        return 0.0
    process = psutil.Process(pid)
    return sum(float(one.memory_full_info().pss) for one in [process, *process.children(recursive=True)]) / 1e6
