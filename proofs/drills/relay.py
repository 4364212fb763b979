"""A TCP relay between two processes: it loses one reply, or swallows all bytes. It knows no protocol."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self


@dataclass(frozen=True, slots=True)
class _Line:
    """What some connections share: their sockets, whether their bytes vanish, and whether they are to be closed."""

    swallowed: threading.Event = field(default_factory=threading.Event)
    released: threading.Event = field(default_factory=threading.Event)
    sockets: list[socket.socket] = field(default_factory=list)


class Relay:
    """Listens on loopback and forwards bytes to `port`; after `lose_reply_to(word)` one reply is lost.

    The first connection whose client sends `word` gets no reply: the relay waits for the server's next bytes (so
    its work is done), discards them and closes both sides. After `swallow()` nothing passes through the open
    connections, not even their end, so that the server keeps their sessions; new connections work. After `cut()`
    new connections get nothing through either, until `mend()`, which closes those that lost bytes.
    """

    def __init__(self, port: int) -> None:
        """Listen.

        Args:
            port: where the server listens, on 127.0.0.1.
        """
        self._target = port
        self._word: bytes | None = None
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.lost = 0
        self._line = _Line()
        self._lines = [self._line]

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listener.close()
        self.mend()

    def lose_reply_to(self, word: bytes) -> None:
        """Lose the reply to the next request that contains `word`."""
        with self._lock:
            self._word = word

    def swallow(self) -> None:
        """Stop forwarding on the open connections, both bytes and their end."""
        self.cut()
        self._renew()

    def cut(self) -> None:
        """Stop forwarding on the open connections and on new ones."""
        self._line.swallowed.set()

    def mend(self) -> None:
        """Forward again on new connections, and close those that were swallowed or cut."""
        for line in self._lines:
            if line.swallowed.is_set():
                line.released.set()
                for sock in line.sockets:
                    _shut(sock)
        self._renew()

    def _renew(self) -> None:
        if self._line.swallowed.is_set():
            self._line = _Line()
            self._lines.append(self._line)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=[client, self._line], daemon=True).start()

    def _serve(self, client: socket.socket, line: _Line) -> None:
        with suppress(OSError), client:
            if line.swallowed.is_set():  # it is cut: not even the connection reaches the server
                line.released.wait()
                return
            with socket.create_connection(("127.0.0.1", self._target)) as server:
                line.sockets.extend((client, server))
                doomed = threading.Event()
                back = threading.Thread(target=self._pass_back, args=[server, client, doomed, line], daemon=True)
                back.start()
                with suppress(OSError):
                    self._pass_on(client, server, doomed, line)
                if line.swallowed.is_set():
                    line.released.wait()
                _shut(client)
                _shut(server)
                back.join()

    def _pass_on(self, client: socket.socket, server: socket.socket, doomed: threading.Event, line: _Line) -> None:
        while chunk := client.recv(65536):
            if self._strikes(chunk):
                doomed.set()
            if not line.swallowed.is_set():
                server.sendall(chunk)

    def _strikes(self, chunk: bytes) -> bool:
        with self._lock:
            if self._word is None or self._word not in chunk:
                return False
            self._word = None
            return True

    def _pass_back(
        self, server: socket.socket, client: socket.socket, doomed: threading.Event, line: _Line
    ) -> None:
        with suppress(OSError):
            while chunk := server.recv(65536):
                if line.swallowed.is_set():
                    continue
                if doomed.is_set():
                    self.lost += 1
                    break
                client.sendall(chunk)
        if line.swallowed.is_set():
            line.released.wait()
        _shut(client)
        _shut(server)


def _shut(sock: socket.socket) -> None:
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)
