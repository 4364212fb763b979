"""One HTTP exchange with Zoho under a deadline, and its record for observers. replies.py parses the replies."""

from __future__ import annotations

import http.cookiejar
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import orjson
import requests

from worker.crm.port import CallFailed, FailureClass
from worker.zoho.sockets import DeadlinePassedError, WatchedAdapter, watched

if TYPE_CHECKING:
    from collections.abc import Mapping

    from worker.zoho.config import ZohoConfig
    from worker.zoho.sockets import Deadline, Watch


# A reply to 100 rows is about 60 kB, a module's fields about 1 MB.
MAX_REPLY_BYTES = 16 * 1024 * 1024
# urllib3 refuses a timeout of 0; the watch ends such a call anyway.
MIN_SECONDS = 0.001


@dataclass(frozen=True, slots=True)
class Request:
    """What to send: json_body for record calls, form for the token endpoint, params for the query."""

    method: str
    url: str
    headers: Mapping[str, str]
    params: Mapping[str, str] | None = None
    json_body: object = None
    form: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply; body is parsed JSON, None when there was none or it was not JSON."""

    status: int
    headers: Mapping[str, str]
    body: object
    empty: bool
    received_at: datetime


class Transport:
    """Pooled connections: verified TLS, no redirects, no cookies, no proxy from the environment."""

    def __init__(self, config: ZohoConfig) -> None:
        self._connect_seconds = config.connect_seconds
        self._session = requests.Session()
        self._session.trust_env = False
        self._session.verify = config.ca_bundle or True
        self._session.cookies.set_policy(http.cookiejar.DefaultCookiePolicy(allowed_domains=[]))
        if config.proxy_url is not None:
            self._session.proxies = {"http": config.proxy_url, "https": config.proxy_url}
        adapter = WatchedAdapter(pool_connections=2, pool_maxsize=config.pool_size)
        self._session.mount("https://", adapter)
        self._session.mount("http://", adapter)

    def exchange(self, request: Request, deadline: Deadline) -> Reply:
        """Send the request and read the whole reply, within the deadline.

        Raises CallFailed: TRANSIENT when nothing left this machine, UNKNOWN when something may have.
        """
        if deadline.left() <= 0:
            raise CallFailed(FailureClass.TRANSIENT, "NO_TIME_LEFT", detail="nothing was sent")
        with watched(deadline) as watch:
            try:
                reply = self._exchange(request, deadline)
            except (requests.RequestException, OSError) as error:
                raise _failure_of(watch, error) from error
            if watch.fired:
                raise CallFailed(FailureClass.UNKNOWN, "TIMEOUT", detail="the deadline ended the call")
            return reply

    def close(self) -> None:
        """Close idle connections."""
        self._session.close()

    def _exchange(self, request: Request, deadline: Deadline) -> Reply:
        connect = max(MIN_SECONDS, min(self._connect_seconds, deadline.left()))
        with self._session.request(
            request.method,
            request.url,
            params=request.params,
            headers=dict(request.headers),
            data=request.form if request.form is not None else _encode(request.json_body),
            timeout=(connect, max(MIN_SECONDS, deadline.left())),
            allow_redirects=False,
            stream=True,
        ) as response:
            raw = _read(response)
        return Reply(response.status_code, response.headers, _decode(raw), not raw, datetime.now(UTC))


def _encode(body: object) -> bytes | None:
    return None if body is None else orjson.dumps(body)


def _read(response: requests.Response) -> bytes:
    chunks: list[bytes] = []
    size = 0
    for chunk in response.iter_content(64 * 1024):
        size += len(chunk)
        if size > MAX_REPLY_BYTES:
            raise requests.ConnectionError("the reply is too long")
        chunks.append(chunk)
    return b"".join(chunks)


def _decode(raw: bytes) -> object:
    try:
        body: object = orjson.loads(raw)
    except ValueError:
        return None
    return body


def _failure_of(watch: Watch, error: Exception) -> CallFailed:
    """Keeps only the exception's type: urllib3's messages contain URLs with the values of a search."""
    if not watch.sent:
        return CallFailed(FailureClass.TRANSIENT, "CONNECT_FAILED", detail=type(error).__name__)
    timed_out = watch.fired or isinstance(error, DeadlinePassedError | requests.Timeout | TimeoutError)
    code = "TIMEOUT" if timed_out else "CONNECTION_LOST"
    return CallFailed(FailureClass.UNKNOWN, code, detail=type(error).__name__)


@dataclass(frozen=True, slots=True)
class HttpCall:
    """One HTTP call: no personal data, no secrets.

    id is the X-Request-ID: the caller's call_id, with "-2" for the resend after a refused token and "-d1",
    "-d2"... for duplicate look-ups. path has no query. status is None when no reply was read; code then holds the
    reason. sent False means that nothing left this machine, so the CRM cannot have seen the call.
    """

    id: str
    call_id: str
    method: str
    path: str
    rows: int
    status: int | None
    code: str
    sent: bool
    started_at: datetime
    seconds: float


Observer = Callable[[HttpCall], None]


def unobserved(_: HttpCall) -> None:
    """No-op observer."""
