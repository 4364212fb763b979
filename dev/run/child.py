"""One process of the product (a line of the Procfile, or the sandbox) with all its descendants."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING

from dev.run.plan import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_LAST_LINES_SECONDS = 2.0  # a descendant that left the group may hold the pipe open for ever


class Child:
    """A process group of its own, so that nothing it started outlives it and Ctrl-C reaches only the launcher.

    `take_line` gets every line it prints, from a thread; `stop_seconds` is how long a clean end may take.
    """

    def __init__(
        self,
        name: str,
        argv: Sequence[str],
        environ: Mapping[str, str],
        take_line: Callable[[str], None],
        *,
        stop_seconds: float = 10,
    ) -> None:
        self.name = name
        self._stop_seconds = stop_seconds
        self._argv = argv
        self._environ = dict(environ)
        self._take_line = take_line
        self._recent: deque[str] = deque(maxlen=20)
        self._child: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """Its process id (and its group's) while it runs."""
        return self._child.pid if self._child is not None and self.alive() else None

    def alive(self) -> bool:
        """Whether the process itself runs."""
        return self._child is not None and self._child.poll() is None

    def start(self) -> None:
        """Start it; its lines go to the screen and its log from now on."""
        self._recent.clear()
        self._child = subprocess.Popen(
            self._argv,
            cwd=ROOT,
            env=self._environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self._relaying = threading.Thread(target=self._relay, args=[self._child], daemon=True)
        self._relaying.start()

    def stop(self) -> None:
        """Ask it to end (SIGTERM); end it and whatever it started by force after its seconds are over."""
        if self._child is not None and self.alive():
            self._child.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._child.wait(self._stop_seconds)
        self.kill()

    def kill(self) -> None:
        """End the whole group with SIGKILL."""
        if self._child is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._child.pid, signal.SIGKILL)
            self._child.wait()
            self._relaying.join(_LAST_LINES_SECONDS)

    def last_lines(self) -> str:
        """What it printed last."""
        return "\n".join(self._recent)

    def _relay(self, child: subprocess.Popen[bytes]) -> None:
        if child.stdout is None:
            return
        with child.stdout as lines:
            for raw in lines:
                line = raw.decode(errors="replace").rstrip()
                self._recent.append(line)
                self._take_line(line)
