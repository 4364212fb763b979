"""HTTP for the CRM and the webhook: `requests` with time-outs, one clock over the body, and a limit on its size.

The adapter is used without a session: no redirects, no cookies, nothing from the environment.
"""

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from datetime import UTC, datetime
from ssl import SSLCertVerificationError
from threading import Timer
from typing import Any

import orjson
from requests import PreparedRequest, Response
from requests.adapters import HTTPAdapter
from urllib3.exceptions import ConnectTimeoutError, HTTPError, NewConnectionError

from leads.logs import TRACEPARENT

CONNECT_SECONDS = 3.0  # for each address of the host
POOL_CONNECTIONS = 16
# A reply to 100 rows is about 60 kB, a module's fields about 1 MB.
MAX_REPLY_BYTES = 16 * 1024 * 1024
CHUNK_BYTES = 64 * 1024
_HEADERS = {"User-Agent": "clinic-leads", "Accept-Encoding": "gzip, deflate"}
_LATE = "the deadline ended the call"
# Nothing of the request has left this machine.
_UNSENT = (NewConnectionError, ConnectTimeoutError, SSLCertVerificationError)


class Deadline:
    """An instant on the monotonic clock; several exchanges may share it."""

    def __init__(self, seconds: float) -> None:
        self._at = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, self._at - time.monotonic())


@dataclass(frozen=True, slots=True)
class Request:
    """What to send; the body is one of json_body and data."""

    method: str
    url: str
    headers: Mapping[str, str]
    params: Mapping[str, str] | None = None  # the query
    json_body: Any = None
    data: Mapping[str, str] | bytes | None = None  # a form, or bytes
    reads_reply: bool = True  # False: its body is not waited for, only status and headers


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply; body is parsed JSON, None when there was none or it was not JSON."""

    status: int
    headers: Mapping[str, str]
    body: object
    received_at: datetime


@dataclass(eq=False)
class NoReply(Exception):
    """An exchange without a reply."""

    code: str  # NO_TIME_LEFT, CONNECT_FAILED, TIMEOUT or CONNECTION_LOST
    # The kind of the error, never its message, which contains the URL with the values of a search.
    detail: str
    _: KW_ONLY
    sent: bool  # False when nothing left this machine

    def __str__(self) -> str:
        """The code and the detail."""
        return f"{self.code} ({self.detail})"


class HttpClient:
    """Pooled connections with verified TLS; safe to share between threads."""

    def __init__(self) -> None:
        self._adapter = HTTPAdapter(pool_maxsize=POOL_CONNECTIONS)

    def exchange(self, request: Request, deadline: Deadline) -> Reply:
        """Send the request and read the whole reply; raises NoReply.

        Each wait for the status and the headers gets what is left of the deadline; the body ends with it.
        """
        left = deadline.left()
        if not left:
            raise NoReply("NO_TIME_LEFT", "nothing was sent", sent=False)
        timeouts = (min(CONNECT_SECONDS, left), left)
        try:
            with self._adapter.send(_prepare(request), stream=True, timeout=timeouts) as response:
                raw = _read(response, deadline) if request.reads_reply else b""
        except (OSError, HTTPError) as error:  # what `requests` raises is an OSError
            raise _no_reply(error, deadline) from error
        return Reply(response.status_code, response.headers, _decode(raw), datetime.now(UTC))

    def close(self) -> None:
        """Close idle connections."""
        self._adapter.close()


class ReplyTooLongError(OSError):
    """The reply's body is longer than MAX_REPLY_BYTES, also when it is unpacked."""


def _prepare(request: Request) -> PreparedRequest:
    trace = {"traceparent": TRACEPARENT.get()} if TRACEPARENT.get() else {}
    prepared = PreparedRequest()
    prepared.prepare_method(request.method)
    prepared.prepare_url(request.url, request.params)
    prepared.prepare_headers({**_HEADERS, **trace, **request.headers})
    prepared.prepare_body(request.data, None, request.json_body)
    return prepared


def _read(response: Response, deadline: Deadline) -> bytes:
    """Read the body, which ends at the deadline: a time-out of the socket would count from read to read."""
    clock, raw = Timer(deadline.left(), _end, [response]), bytearray()
    clock.daemon = True
    clock.start()
    try:
        for part in response.iter_content(CHUNK_BYTES):
            raw += part
            if len(raw) > MAX_REPLY_BYTES:
                raise ReplyTooLongError
    finally:
        clock.cancel()
    if not deadline.left():
        raise TimeoutError  # a body without a length looks complete when the clock ends it
    return bytes(raw)


def _end(response: Response) -> None:
    with suppress(OSError, RuntimeError):  # the body has just ended by itself
        response.raw.shutdown()


def _decode(raw: bytes) -> object:
    try:
        return orjson.loads(raw)
    except ValueError:
        return None


def _no_reply(error: BaseException, deadline: Deadline) -> NoReply:
    causes = [error]
    while (cause := causes[-1].__cause__ or causes[-1].__context__) is not None:
        causes.append(cause)  # what the two libraries wrapped
    kind = next((each for each in causes if not type(each).__module__.startswith(("requests.", "urllib3."))), error)
    if any(isinstance(each, _UNSENT) for each in causes):
        return NoReply("CONNECT_FAILED", type(kind).__name__, sent=False)
    if isinstance(kind, TimeoutError) or not deadline.left():
        return NoReply("TIMEOUT", _LATE, sent=True)
    return NoReply("CONNECTION_LOST", type(kind).__name__, sent=True)
