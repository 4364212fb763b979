"""A worker as a process of its own, started as the Procfile does."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

from dev.servers.waiting import wait_until
from proofs.harness.process import Worker


class WorkerProcess(Worker):
    """Runs until stopped; the end of its block kills it."""

    def __init__(self, environment: Mapping[str, str], log: Path, name: str = "w1") -> None:
        super().__init__(name, environment, log)

    def __exit__(self, *_: object) -> None:
        self.kill()


def wait_for(condition: Callable[[], bool], seconds: float, what: str) -> float:
    """Wait until the condition holds and give the seconds it took; fails with `what` when it never does."""
    started = time.monotonic()
    if not wait_until(condition, seconds):
        raise AssertionError(f"waited {seconds:g} s for {what}")
    return time.monotonic() - started
