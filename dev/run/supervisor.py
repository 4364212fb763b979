"""Restarts parts of the product that die: each time after a longer pause, and only so many times in a row."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dev.servers.server_process import ServerError, ServerProcess

QUICK_SECONDS = 10.0  # a part that lived shorter died quickly
MAX_QUICK_DEATHS = 5  # in a row; then the product has failed
PAUSE_SECONDS = 1.0  # before the first restart; doubled with each further quick death
_MAX_PAUSE = 30.0


@dataclass
class _Watched:
    part: ServerProcess
    started_at: float
    deaths: int = 0
    due_at: float | None = None


class Supervisor:
    """Watches from a thread of its own until `stop`; `failed` is set when a part died too often."""

    def __init__(self, say: Callable[[str], None], started: Callable[[ServerProcess], None]) -> None:
        self.failed = threading.Event()
        self._say = say
        self._started = started
        self._watched: list[_Watched] = []
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def watch(self, part: ServerProcess) -> None:
        """Watch `part`, which runs already."""
        self._watched.append(_Watched(part, time.monotonic()))
        if not self._thread.is_alive():
            self._thread.start()

    @property
    def parts(self) -> Sequence[ServerProcess]:
        """The watched parts, in the order they were started."""
        return [watched.part for watched in self._watched]

    def stop(self) -> None:
        """Watch no longer; the parts themselves are left as they are."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def _watch(self) -> None:
        while not self._stopping.wait(0.2) and not self.failed.is_set():
            for watched in list(self._watched):
                self._check(watched, time.monotonic())

    def _check(self, watched: _Watched, now: float) -> None:
        if watched.due_at is not None:
            if now >= watched.due_at:
                self._restart(watched)
        elif not watched.part.alive():
            self._schedule_restart(watched, now)

    def _schedule_restart(self, watched: _Watched, now: float) -> None:
        watched.deaths = watched.deaths + 1 if now - watched.started_at < QUICK_SECONDS else 1
        name = watched.part.name
        watched.part.kill()  # what it started must not outlive it, nor hold its port
        if watched.deaths >= MAX_QUICK_DEATHS:
            self._say(
                f"\n{name} died {MAX_QUICK_DEATHS} times in a row. Its last lines:\n{watched.part.last_lines()}\n"
            )
            self.failed.set()
            return
        pause = min(PAUSE_SECONDS * 2.0 ** (watched.deaths - 1), _MAX_PAUSE)
        self._say(f"!! {name} has died; starting it again in {pause:.0f} s")
        watched.due_at = now + pause

    def _restart(self, watched: _Watched) -> None:
        watched.due_at = None
        watched.started_at = time.monotonic()
        try:
            watched.part.start()
        except ServerError as error:
            self._say(str(error))
            return
        self._started(watched.part)
        self._say(f"!! {watched.part.name} runs again")
