"""The ASGI application in front of the WSGI one: reads the whole request before it takes a turn.

Pages are answered at once, enquiries on the event loop, the rest on threads; the last two have turns of their own.
Long answers go out piece by piece, and hold no thread while a phone is slow.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from wsgiref.types import WSGIApplication, WSGIEnvironment

from sqlalchemy.util.concurrency import greenlet_spawn
from uvicorn._types import ASGIReceiveCallable, ASGISendCallable, HTTPScope, Scope

from api.errors import RETRY_AFTER_SECONDS, UNAVAILABLE
from api.parser import MAX_BODY_BYTES
from leads.network import network_of
from web.proxies import client_address
from web.server.answer import PIECE_BYTES, Answer
from web.server.environ import HeaderTooLong, build_environ, is_well_formed, set_body
from web.server.turns import Turns
from web.site import Encoded

log = logging.getLogger(__name__)

# Posts that are worked on at once on the loop. More would make none faster, but each of the loop's rounds longer:
# new connections and pages wait for the end of a round.
ON_LOOP_AT_ONCE = 32
_TEXT, _JSON = b"text/plain; charset=utf-8", b"application/json"


class Front:
    """Answers requests with a WSGI application."""

    def __init__(  # noqa: PLR0913 - keywords, one per property
        self,
        application: WSGIApplication,
        is_in_memory: Callable[[str], bool],
        *,
        threads: int,
        clinic_phone: str,
        on_loop: Collection[str] = (),
        full_pages: Mapping[str, Mapping[str, Encoded]] | None = None,
        proxies: int = 0,
        count_turned_away: Callable[[], None] = lambda: None,
    ) -> None:
        """Prepare; no thread is started before it is needed.

        Args:
            application: Answers the requests.
            is_in_memory: Whether the answer of a path is in memory, so that it needs no thread.
            threads: How many threads may run the application at once.
            clinic_phone: The number that visitors see when there are too many requests.
            on_loop: Where posts are answered on the event loop's own thread, in a greenlet: there
                the application blocks only in `await_`.
            full_pages: What visitors see when there are too many requests, by path, where it is not JSON.
            proxies: How many proxies in front are trusted to name the visitor's address.
            count_turned_away: Called for each request that gets no turn.
        """
        self._application = application
        self._is_in_memory = is_in_memory
        self._on_loop = frozenset(on_loop)
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="web")
        self._loop_turns, self._thread_turns = Turns(ON_LOOP_AT_ONCE), Turns(threads)
        self._proxies = proxies
        self._count_turned_away = count_turned_away
        self.answered = 0  # by the application, since the start
        status = HTTPStatus.SERVICE_UNAVAILABLE
        message = UNAVAILABLE.format(phone=clinic_phone)
        self._full = json.dumps({"code": status.value, "status": status.phrase, "message": message}).encode()
        self._full_pages = full_pages or {}

    async def __call__(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        if not is_well_formed(scope):
            await _send_text(send, HTTPStatus.BAD_REQUEST)
            return
        try:
            environ = build_environ(scope)
        except HeaderTooLong:
            await _send_text(send, HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
            return
        if self._is_in_memory(environ["PATH_INFO"]):
            answer = Answer(self._application, environ)
            body = answer.read()
            while not answer.complete:
                body += answer.read()
            await _send_head(send, answer.status, answer.headers)
            await _send_body(send, body)
        elif await _read_body(environ, receive):
            await self._answer(environ, scope, send)

    def stop(self) -> None:
        """Wait for the threads."""
        self._threads.shutdown()

    async def _refuse(self, path: str, send: ASGISendCallable) -> None:
        self._count_turned_away()
        page = self._full_pages.get(path)
        if page is None:
            await _send_error(send, HTTPStatus.SERVICE_UNAVAILABLE, _JSON, self._full)
            return
        headers = (*page["identity"].headers, ("Retry-After", str(RETRY_AFTER_SECONDS)))
        encoded = [(name.encode("latin-1"), text.encode("latin-1")) for name, text in headers]
        await _send_head(send, HTTPStatus.SERVICE_UNAVAILABLE.value, encoded)
        await _send_body(send, page["identity"].body)

    async def _answer(self, environ: WSGIEnvironment, scope: HTTPScope, send: ASGISendCallable) -> None:
        run = asyncio.get_running_loop().run_in_executor
        on_loop = environ["REQUEST_METHOD"] == "POST" and environ["PATH_INFO"] in self._on_loop
        turns = self._loop_turns if on_loop else self._thread_turns
        if not await turns.take(network_of(client_address(environ, self._proxies)), scope["client"]):
            await self._refuse(environ["PATH_INFO"], send)
            return
        try:
            if on_loop:
                answer, piece = await greenlet_spawn(_begin, self._application, environ)
            else:
                answer, piece = await run(self._threads, _begin, self._application, environ)
        except Exception as error:  # noqa: BLE001 - nothing above would catch it without printing what a visitor typed
            log.error("%s in the application", type(error).__name__)  # noqa: TRY400 - its message may quote it too
            await _send_text(send, HTTPStatus.INTERNAL_SERVER_ERROR)
            return
        finally:
            turns.release()
            self.answered += 1
        is_gone: Callable[[], bool] = scope["state"]["is_gone"]
        await _send_head(send, answer.status, answer.headers)
        while not answer.complete and not is_gone():
            await _send_body(send, piece, more=True)
            piece = await run(self._threads, answer.read)
        if answer.complete:
            await _send_body(send, piece)
        else:
            answer.close()


def _begin(application: WSGIApplication, environ: WSGIEnvironment) -> tuple[Answer, bytes]:
    answer = Answer(application, environ)
    return answer, answer.read()


async def _read_body(environ: WSGIEnvironment, receive: ASGIReceiveCallable) -> bool:
    """Read the body into `environ`; False when the visitor left before it was complete.

    Of a body that is too long, one byte too many is read, so that the application refuses it.
    """
    length = environ.get("CONTENT_LENGTH")
    has_none = length is None and "HTTP_TRANSFER_ENCODING" not in environ
    if has_none or (length is not None and int(length) > MAX_BODY_BYTES + 1):
        return True
    body = b""
    is_more = True
    while is_more and len(body) <= MAX_BODY_BYTES:
        message = await receive()
        if message["type"] != "http.request":
            return False
        body += message["body"]
        is_more = message["more_body"]
    set_body(environ, body)
    return True


async def _send_text(send: ASGISendCallable, status: HTTPStatus) -> None:
    await _send_error(send, status, _TEXT, f"{status.phrase}\n".encode())


async def _send_error(send: ASGISendCallable, status: HTTPStatus, media_type: bytes, body: bytes) -> None:
    headers = [
        (b"content-type", media_type),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ]
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers.append((b"retry-after", str(RETRY_AFTER_SECONDS).encode()))
    await _send_head(send, status.value, headers)
    await _send_body(send, body)


async def _send_head(send: ASGISendCallable, status: int, headers: list[tuple[bytes, bytes]]) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers, "trailers": False})


async def _send_body(send: ASGISendCallable, body: bytes, *, more: bool = False) -> None:
    """Send in pieces: before each, uvicorn waits until the visitor has taken enough of those before."""
    for begin in range(0, len(body) - PIECE_BYTES, PIECE_BYTES):
        piece = body[begin : begin + PIECE_BYTES]
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    rest = body if len(body) <= PIECE_BYTES else body[(len(body) - 1) // PIECE_BYTES * PIECE_BYTES :]
    await send({"type": "http.response.body", "body": rest, "more_body": more})
