"""HTTP with a wall clock, for the CRM and the webhook: `requests`, over sockets that keep the deadline."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from http.cookiejar import DefaultCookiePolicy
from typing import Any
from urllib.parse import urlencode

import orjson
from requests import PreparedRequest, Response, Session
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import HTTPError
from urllib3.util.ssl_ import create_urllib3_context

from worker.deadline import Deadline, Exchange, connect, current_exchange, timed

CONNECT_SECONDS = 3.0
# A reply to 100 rows is about 60 kB, a module's fields about 1 MB.
MAX_REPLY_BYTES = 16 * 1024 * 1024
CHUNK_BYTES = 64 * 1024
_HEADERS = {"User-Agent": "clinic-leads", "Accept-Encoding": "gzip, deflate"}
_LATE = "the deadline ended the call"


@dataclass(frozen=True, slots=True)
class Request:
    """What to send. The body is one of json_body, form and content; params make the query.

    reads_reply False: only the reply's status and headers are of interest, and its body is not waited for.
    """

    method: str
    url: str
    headers: Mapping[str, str]
    params: Mapping[str, str] | None = None
    json_body: object = None
    form: Mapping[str, str] | None = None
    content: bytes | None = None
    reads_reply: bool = True


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply; body is parsed JSON, None when there was none or it was not JSON."""

    status: int
    headers: Mapping[str, str]
    body: object
    empty: bool
    received_at: datetime


class NoReply(Exception):
    """An exchange without a reply.

    code: NO_TIME_LEFT, CONNECT_FAILED, TIMEOUT or CONNECTION_LOST. detail: the kind of the error, never its
    message, which contains the URL with the values of a search. sent: False when nothing left this machine.
    """

    def __init__(self, code: str, detail: str, *, sent: bool) -> None:
        super().__init__(f"{code} ({detail})")
        self.code = code
        self.detail = detail
        self.sent = sent


class HttpClient:
    """Pooled connections: verified TLS, no redirects, no cookies, nothing taken from the environment."""

    def __init__(
        self, *, connect_seconds: float = CONNECT_SECONDS, pool_size: int = 1, ca_bundle: str | None = None
    ) -> None:
        self._connect_seconds = connect_seconds
        self._session = session = _Session()
        session.trust_env = False  # neither proxies nor .netrc
        session.verify = ca_bundle or True
        session.headers.clear()
        session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=()))
        for scheme in ("http://", "https://"):
            session.mount(scheme, _TimedAdapter(pool_maxsize=pool_size))

    def exchange(self, request: Request, deadline: Deadline) -> Reply:
        """Send the request and read the whole reply, within the deadline; raises NoReply."""
        if not deadline.left():
            raise NoReply("NO_TIME_LEFT", "nothing was sent", sent=False)
        with deadline.exchange() as exchange:
            try:
                return self._exchange(request)
            except (OSError, HTTPError) as error:  # what `requests` raises is an OSError
                raise _no_reply(exchange, error) from error

    def close(self) -> None:
        """Close idle connections."""
        self._session.close()

    def _exchange(self, request: Request) -> Reply:
        headers, body = _body_of(request)
        # Prepared by itself: the session has no cookies, no credentials and no hooks to merge.
        prepared = PreparedRequest()
        prepared.prepare(request.method, request.url, headers, data=body, params=request.params)
        timeout = (self._connect_seconds, None)
        with self._session.send(prepared, timeout=timeout, allow_redirects=False, stream=True) as response:
            raw = _read(response) if request.reads_reply else b""
        return Reply(response.status_code, response.headers, _decode(raw), not raw, datetime.now(UTC))


class _Session(Session):
    def get_redirect_target(self, resp: Response) -> str | None:  # noqa: ARG002 - the base class's signature
        """Return None: requests reads the whole body of a redirect that it knows, even if it does not follow it."""
        return None


class _Timed(HTTPConnection):
    """What both kinds of connection add to urllib3's."""

    def _new_conn(self) -> socket.socket:
        seconds = self.timeout if isinstance(self.timeout, int | float) else CONNECT_SECONDS
        return connect(self._dns_host, self.port, seconds)

    def send(self, data: Any) -> None:
        """Send, after noting that the request may arrive from here on."""
        if self.sock is None:
            self.connect()
        current_exchange().sent = True
        super().send(data)


class _TimedTLS(_Timed, HTTPSConnection):
    """HTTPS."""


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Timed


class _TLSPool(HTTPSConnectionPool):
    ConnectionCls = _TimedTLS


class _TimedAdapter(HTTPAdapter):
    def init_poolmanager(self, connections: int, maxsize: int, block: bool = False, **pool_kwargs: Any) -> None:  # noqa: FBT001, FBT002 - the base class's signature
        pool_kwargs["ssl_context"] = timed(create_urllib3_context())
        super().init_poolmanager(connections, maxsize, block, **pool_kwargs)
        self.poolmanager.pool_classes_by_scheme = {"http": _Pool, "https": _TLSPool}


class ReplyTooLongError(OSError):
    """The reply's body is longer than MAX_REPLY_BYTES, also when it is unpacked."""


def _body_of(request: Request) -> tuple[dict[str, str], bytes | None]:
    """The headers, and the body that they are for."""
    headers = {**_HEADERS, **request.headers}
    if request.form is not None:
        return headers | {"Content-Type": "application/x-www-form-urlencoded"}, urlencode(request.form).encode()
    return headers, request.content if request.json_body is None else orjson.dumps(request.json_body)


def _read(response: Response) -> bytes:
    parts, size = list[bytes](), 0
    for part in response.iter_content(CHUNK_BYTES):
        parts.append(part)
        size += len(part)
        if size > MAX_REPLY_BYTES:
            raise ReplyTooLongError
    return b"".join(parts)


def _decode(raw: bytes) -> object:
    try:
        body: object = orjson.loads(raw)
    except ValueError:
        return None
    return body


def _no_reply(exchange: Exchange, error: BaseException) -> NoReply:
    kind = error
    while kind.__context__ is not None and type(kind).__module__.startswith(("requests.", "urllib3.")):
        kind = kind.__context__  # what the two libraries wrapped
    if not exchange.sent:
        return NoReply("CONNECT_FAILED", type(kind).__name__, sent=False)
    if isinstance(kind, TimeoutError):
        return NoReply("TIMEOUT", _LATE, sent=True)
    return NoReply("CONNECTION_LOST", type(kind).__name__, sent=True)
