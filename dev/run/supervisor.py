"""Keeps parts of the product running: what dies is started again, with a growing pause and an end to patience."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from dev.servers.server_process import ServerError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

QUICK_SECONDS = 10.0  # a part that lived shorter died quickly
PATIENCE = 5  # quick deaths in a row
PAUSE_SECONDS = 1.0  # before the first new start; doubled with each further quick death
_LONGEST_PAUSE = 30.0


class Part(Protocol):
    """What can be kept running: a child, an embedded server."""

    name: str

    @property
    def pid(self) -> int | None:
        """Its process id while it runs."""

    def start(self) -> None:
        """Start it, or start it again in the same place."""

    def stop(self) -> None:
        """End it cleanly; nothing when it has ended."""

    def kill(self) -> None:
        """End it, and whatever it started, with SIGKILL."""

    def alive(self) -> bool:
        """Whether it runs."""

    def last_lines(self) -> str:
        """What it said last."""


@dataclass
class _Life:
    part: Part
    started_at: float
    deaths: int = 0
    due_at: float | None = None


class Keeper:
    """Watches from a thread of its own until `stop`; `failed` is set when a part died too often."""

    def __init__(self, say: Callable[[str], None], started: Callable[[Part], None]) -> None:
        self.failed = threading.Event()
        self._say = say
        self._started = started
        self._lives: list[_Life] = []
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def keep(self, part: Part) -> None:
        """Watch over `part`, which runs already."""
        self._lives.append(_Life(part, time.monotonic()))
        if not self._thread.is_alive():
            self._thread.start()

    @property
    def parts(self) -> Sequence[Part]:
        """What is kept, in the order it was started."""
        return [life.part for life in self._lives]

    def stop(self) -> None:
        """Watch no longer; the parts themselves are left as they are."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def _watch(self) -> None:
        while not self._stopping.wait(0.2) and not self.failed.is_set():
            for life in list(self._lives):
                self._look_after(life, time.monotonic())

    def _look_after(self, life: _Life, now: float) -> None:
        if life.due_at is not None:
            if now >= life.due_at:
                self._start_again(life)
        elif not life.part.alive():
            self._bury(life, now)

    def _bury(self, life: _Life, now: float) -> None:
        life.deaths = life.deaths + 1 if now - life.started_at < QUICK_SECONDS else 1
        name = life.part.name
        life.part.kill()  # what it started must not outlive it, nor hold its port
        if life.deaths >= PATIENCE:
            self._say(f"\n{name} died {PATIENCE} times in a row. Its last lines:\n{life.part.last_lines()}\n")
            self.failed.set()
            return
        pause = min(PAUSE_SECONDS * 2.0 ** (life.deaths - 1), _LONGEST_PAUSE)
        self._say(f"!! {name} has died; starting it again in {pause:.0f} s")
        life.due_at = now + pause

    def _start_again(self, life: _Life) -> None:
        life.due_at = None
        life.started_at = time.monotonic()
        try:
            life.part.start()
        except ServerError as error:
            self._say(str(error))
            return
        self._started(life.part)
        self._say(f"!! {life.part.name} runs again")
