"""One HTTP exchange with Zoho under a deadline, and its record for observers. replies.py parses the replies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlencode

import orjson
from urllib3 import Timeout, make_headers
from urllib3.exceptions import HTTPError, ProtocolError
from urllib3.exceptions import TimeoutError as HTTPTimeoutError

from worker.crm.port import CallFailed, FailureClass
from worker.zoho.config import ZohoConfig
from worker.zoho.sockets import Deadline, DeadlinePassedError, Watch, watched, watched_pools

# A reply to 100 rows is about 60 kB, a module's fields about 1 MB.
MAX_REPLY_BYTES = 16 * 1024 * 1024
# urllib3 refuses a timeout of 0; the watch ends such a call anyway.
MIN_SECONDS = 0.001
_HEADERS = make_headers(user_agent="clinic-leads", accept_encoding=True)


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
        self._pools = watched_pools(size=config.pool_size, ca_bundle=config.ca_bundle)

    def exchange(self, request: Request, deadline: Deadline) -> Reply:
        """Send the request and read the whole reply, within the deadline.

        Raises CallFailed: TRANSIENT when nothing left this machine, UNKNOWN when something may have.
        """
        if deadline.left() <= 0:
            raise CallFailed(FailureClass.TRANSIENT, "NO_TIME_LEFT", detail="nothing was sent")
        with watched(deadline) as watch:
            try:
                reply = self._exchange(request, deadline)
            except (HTTPError, OSError) as error:
                raise _failure_of(watch, error) from error
            if watch.fired:
                raise CallFailed(FailureClass.UNKNOWN, "TIMEOUT", detail="the deadline ended the call")
            return reply

    def close(self) -> None:
        """Close idle connections."""
        self._pools.clear()

    def _exchange(self, request: Request, deadline: Deadline) -> Reply:
        connect = max(MIN_SECONDS, min(self._connect_seconds, deadline.left()))
        query = f"?{urlencode(request.params)}" if request.params else ""
        headers, body = _body_of(request)
        with self._pools.request(
            request.method,
            request.url + query,
            headers=headers,
            body=body,
            timeout=Timeout(connect=connect, read=max(MIN_SECONDS, deadline.left())),
            redirect=False,
            retries=False,
            preload_content=False,
        ) as response:
            raw = response.read(MAX_REPLY_BYTES + 1, decode_content=True)
            if len(raw) > MAX_REPLY_BYTES:
                raise ProtocolError("the reply is too long")
        return Reply(response.status, response.headers, _decode(raw), not raw, datetime.now(UTC))


def _body_of(request: Request) -> tuple[dict[str, str], bytes | None]:
    """The headers, and the body that they are for."""
    headers = {**_HEADERS, **request.headers}
    if request.form is not None:
        return headers | {"Content-Type": "application/x-www-form-urlencoded"}, urlencode(request.form).encode()
    return headers, None if request.json_body is None else orjson.dumps(request.json_body)


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
    timed_out = watch.fired or isinstance(error, DeadlinePassedError | HTTPTimeoutError | TimeoutError)
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
