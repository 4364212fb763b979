"""A TCP relay between two processes: it loses one reply, or swallows all bytes. It knows no protocol."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self


class Relay:
    """Listens on loopback and forwards bytes to `port`; after `lose_reply_to(word)` one reply is lost.

    The first connection whose client sends `word` gets no reply: the relay waits for the server's next bytes (so
    its work is done), discards them and closes both sides. After `swallow()` the open connections stay open but
    nothing passes through them; new connections work.
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
        """Lose the reply to the next request that contains `word`."""
        with self._lock:
            self._word = word

    def swallow(self) -> None:
        """Stop forwarding on the open connections, both bytes and their end."""
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
