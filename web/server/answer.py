"""An answer of the WSGI application, in pieces of a size that one write may have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from wsgiref.types import WSGIApplication, WSGIEnvironment

PIECE_BYTES = 64 * 1024


class Answer:
    """Runs the application when created. For one thread at a time; what is not read to the end must be closed."""

    def __init__(self, application: WSGIApplication, environ: WSGIEnvironment) -> None:
        self.status = 500
        self.headers: list[tuple[bytes, bytes]] = []
        self._body: Iterable[bytes] = application(environ, self._start)  # type: ignore[arg-type] # never writes
        self._pieces: Iterator[bytes] = iter(self._body)
        self.complete = False

    def read(self) -> bytes:
        """Return at least `PIECE_BYTES` of the body, or what is left of it; sets `complete` at its end."""
        pieces: list[bytes] = []
        size = 0
        for piece in self._pieces:
            pieces.append(piece)
            size += len(piece)
            if size >= PIECE_BYTES:
                return b"".join(pieces)
        self.close()
        return b"".join(pieces)

    def close(self) -> None:
        """Release what the body is read from."""
        self.complete = True
        close: Callable[[], object] | None = getattr(self._body, "close", None)
        if close is not None:
            close()

    def _start(self, status: str, headers: list[tuple[str, str]], *_error: object) -> None:
        self.status = int(status[:3])
        self.headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
