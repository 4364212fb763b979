"""A TCP relay to put between two processes: it loses one reply, or swallows all bytes. It knows no protocol."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self


class Relay:
    """Listens on loopback and passes bytes on to `port`; after `lose_reply_to(word)` one reply is swallowed.

    The first connection whose client sends bytes with `word` in them gets no answer any more: the server's next
    bytes are waited for (so its work is done), thrown away, and both sides are closed. After `swallow()` the
    connections that are open stay so and nothing comes through them any more; new ones are well.
    """

    def __init__(self, port: int) -> None:
        self._target = port
        self._word: bytes | None = None
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.lost = 0
        self._swallowed = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listener.close()

    def lose_reply_to(self, word: bytes) -> None:
        """Lose the reply to the next request that holds `word`."""
        with self._lock:
            self._word = word

    def swallow(self) -> None:
        """Let nothing through the open connections any more, neither bytes nor their end."""
        with self._lock:
            self._swallowed.set()
            self._swallowed = threading.Event()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=[client, self._swallowed], daemon=True).start()

    def _serve(self, client: socket.socket, swallowed: threading.Event) -> None:
        with suppress(OSError), client, socket.create_connection(("127.0.0.1", self._target)) as server:
            doomed = threading.Event()
            back = threading.Thread(target=self._pass_back, args=[server, client, doomed, swallowed], daemon=True)
            back.start()
            while chunk := client.recv(65536):
                if self._strikes(chunk):
                    doomed.set()
                if not swallowed.is_set():
                    server.sendall(chunk)
            _shut(server)
            back.join()

    def _strikes(self, chunk: bytes) -> bool:
        with self._lock:
            if self._word is None or self._word not in chunk:
                return False
            self._word = None
            return True

    def _pass_back(
        self, server: socket.socket, client: socket.socket, doomed: threading.Event, swallowed: threading.Event
    ) -> None:
        with suppress(OSError):
            while chunk := server.recv(65536):
                if swallowed.is_set():
                    continue
                if doomed.is_set():
                    self.lost += 1
                    break
                client.sendall(chunk)
        _shut(client)
        _shut(server)


def _shut(sock: socket.socket) -> None:
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)
