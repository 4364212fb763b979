"""The trace of each request (W3C Trace Context), which its lines, tasks and calls to the CRM share."""

import re
from collections.abc import Callable, Iterable
from random import getrandbits
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from leads.logs import TRACEPARENT, trace_id
from web.headers import Headers

HEADER = "X-Request-ID"
_TRACEPARENT = re.compile(r"00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}", re.ASCII)


def trace_requests(application: WSGIApplication, *, trusted: bool) -> WSGIApplication:
    """Return `application`, with a trace for each request; its id is in the answer's header.

    `trusted`: the headers come from our own proxy, so that its trace is taken over, or the id that it gives each
    request; else each request begins a new trace.
    """

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        ours = f"{getrandbits(64):016x}-00"
        request_id = environ.get("HTTP_X_REQUEST_ID", "").replace("-", "")
        given = [environ.get("HTTP_TRACEPARENT", ""), f"00-{request_id}-{ours}"] if trusted else []
        trace = next(filter(_TRACEPARENT.fullmatch, given), f"00-{getrandbits(128):032x}-{ours}")

        def start(status: str, headers: Headers, *error: object) -> Callable[[bytes], object]:
            return start_response(status, [*headers, (HEADER, trace_id())], *error)  # type: ignore[arg-type]

        before = TRACEPARENT.set(trace)
        try:
            return application(environ, start)
        finally:
            TRACEPARENT.reset(before)

    return answer
