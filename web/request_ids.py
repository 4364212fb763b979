"""A name for each request: in the answer's header, and in every line that is logged while it is answered."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from random import getrandbits
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from leads.logs import REQUEST_ID
from web.headers import Headers

HEADER = "X-Request-ID"
# Long enough to be unique, without characters that could break a line of the log.
_WELL_FORMED = re.compile(r"[A-Za-z0-9_-]{8,64}", re.ASCII)


def name_requests(application: WSGIApplication, *, trusted: bool) -> WSGIApplication:
    """Return `application`, with an id for each request.

    `trusted`: the header comes from our own proxy, so that its id is taken over; else each request gets a new one.
    """

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        given = environ.get("HTTP_X_REQUEST_ID", "") if trusted else ""
        request_id = given if _WELL_FORMED.fullmatch(given) else f"{getrandbits(128):032x}"

        def start(status: str, headers: Headers, *error: object) -> Callable[[bytes], object]:
            return start_response(status, [*headers, (HEADER, request_id)], *error)  # type: ignore[arg-type]

        before = REQUEST_ID.set(request_id)
        try:
            return application(environ, start)
        finally:
            REQUEST_ID.reset(before)

    return answer
