"""The ASGI application in front of the WSGI one: it reads each request whole, and chooses where it is answered.

Pages and files are answered at once. Enquiries run on the event loop, in a greenlet that gives the loop up while it
waits for PostgreSQL. Everything else runs on threads.
"""

import asyncio
import sys
from collections.abc import Callable, Container, Iterable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any
from wsgiref.types import WSGIApplication, WSGIEnvironment

from sqlalchemy.util.concurrency import greenlet_spawn
from uvicorn._types import ASGIReceiveCallable, ASGISendCallable, ASGISendEvent, HTTPScope

from api.parser import MAX_BODY_BYTES

PIECE_BYTES = 64 * 1024
MAX_KEPT = 1000  # answers; strangers may ask for any content coding
ON_LOOP = ("POST", "/api/leads")  # there the application blocks only in `await_`


class Front:
    """Answers requests with a WSGI application."""

    def __init__(
        self, application: WSGIApplication, needs_thread: Callable[[str], bool], threads: int, pages: Container[str]
    ) -> None:
        """Prepare. `needs_thread`: whether the answer to a path may wait for more than a local file.

        pages: the paths whose answer is the same for everybody; it is kept, so that the application gives it once.
        """
        self._application, self._needs_thread, self._pages = application, needs_thread, pages
        self._kept: dict[tuple[str, bytes] | None, Iterable[ASGISendEvent]] = {}
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="web")

    async def __call__(self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        """Answer one request: uvicorn is told to pass on nothing else."""
        if kept := self._kept.get(page := self._page_of(scope)):
            for message in kept:
                await send(message)
            return
        if (body := await _read_body(receive)) is None:
            return
        environ = _build_environ(scope, body)
        run = asyncio.get_running_loop().run_in_executor
        try:
            if not self._needs_thread(environ["PATH_INFO"]):
                answer = _Answer(self._application, environ)
            elif (environ["REQUEST_METHOD"], environ["PATH_INFO"]) == ON_LOOP:
                answer = await greenlet_spawn(_Answer, self._application, environ)
            else:
                answer = await run(self._threads, _Answer, self._application, environ)
        except Exception as error:  # noqa: BLE001 - uvicorn logs what is raised, and this message may quote a visitor
            raise RuntimeError(f"{type(error).__name__} in the application") from None
        start: Any = {"type": "http.response.start", "status": answer.status, "headers": answer.headers}
        try:
            await send(start)
            if more := answer.has_more:
                gone = asyncio.ensure_future(receive())  # behind the body there is only the end of the connection
                while more and not gone.done():
                    await send({"type": "http.response.body", "body": answer.piece, "more_body": True})
                    more = await run(None, answer.read)  # no thread of the API's: those may wait for PostgreSQL
                gone.cancel()
            end: Any = {"type": "http.response.body", "body": answer.piece, "more_body": False}
            await send(end)
        finally:
            answer.close()
        if page and not answer.has_more and len(self._kept) < MAX_KEPT:
            self._kept[page] = start, end

    def _page_of(self, scope: HTTPScope) -> tuple[str, bytes] | None:
        if scope["method"] != "GET" or scope["path"] not in self._pages:
            return None
        headers = dict(scope["headers"])
        return None if b"if-none-match" in headers else (scope["path"], headers.get(b"accept-encoding", b""))

    def stop(self) -> None:
        """Wait for the threads."""
        self._threads.shutdown()


class _Answer:
    """An answer of the application: `piece` is the first part of its body, and the next one after each `read`."""

    status: int
    headers: list[tuple[bytes, bytes]]
    piece: bytes

    def __init__(self, application: WSGIApplication, environ: WSGIEnvironment) -> None:
        self._body: Iterable[bytes] = application(environ, self._start)  # type: ignore[arg-type] # never writes
        self._rest = iter(self._body)
        self.has_more = self.read()

    def read(self) -> bool:
        """Read at least `PIECE_BYTES`, or what is left; return whether there is more."""
        pieces: list[bytes] = []
        size = 0
        for piece in self._rest:
            pieces.append(piece)
            size += len(piece)
            if size >= PIECE_BYTES:
                break
        self.piece = b"".join(pieces)
        return size >= PIECE_BYTES

    def close(self) -> None:
        """Release what the body is read from."""
        getattr(self._body, "close", bool)()

    def _start(self, status: str, headers: list[tuple[str, str]], *_error: object) -> None:
        self.status = int(status[:3])
        self.headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]


async def _read_body(receive: ASGIReceiveCallable) -> bytes | None:
    """Return the body; None when the visitor left before its end. One too long is cut, and Flask refuses it."""
    body, is_more = b"", True
    while is_more and len(body) <= MAX_BODY_BYTES:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message["body"]
        is_more = message["more_body"]
    return body


def _build_environ(scope: HTTPScope, body: bytes) -> WSGIEnvironment:
    """Return WSGI's environ; without headers with an underscore in their name, which no proxy cleans."""
    server, client = scope["server"] or ("", 0), scope["client"] or ("", 0)
    environ: WSGIEnvironment = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for raw_name, raw_value in scope["headers"]:
        # The body was read whole, and has a length now; werkzeug would prefer "chunked".
        if b"_" not in raw_name and raw_name != b"transfer-encoding":
            name, value = raw_name.decode("latin-1").upper().replace("-", "_"), raw_value.decode("latin-1")
            variable = name if name == "CONTENT_TYPE" else f"HTTP_{name}"
            environ[variable] = f"{environ[variable]},{value}" if variable in environ else value
    environ["CONTENT_LENGTH"] = str(len(body))
    return environ
