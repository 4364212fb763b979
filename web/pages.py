"""Answers for the built site, in front of Flask: a dictionary lookup, so serving a page is nearly free.

An address that is neither in it nor the application's own gets the not-found page.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from werkzeug.exceptions import RequestedRangeNotSatisfiable
from werkzeug.http import parse_accept_header
from werkzeug.utils import send_file

from web.headers import Headers
from web.kept import KeptFiles
from web.site import FOREVER, Document, Site, content_type

_READS = ("GET", "HEAD")
# Addresses of earlier versions, and what took their place.
MOVED = {"/complaint": "/privacy#complaint", "/data-complaint": "/privacy#complaint"}
_PLAN = "/your-plan"  # below the home page and each landing page; their prices took its place
_SENT_WITH_304 = {"etag", "cache-control", "vary", "content-security-policy"}


class Pages:
    """The WSGI application of the site; the addresses `passed`, and those under one with a slash, go to `app`."""

    def __init__(
        self,
        site: Site,
        app: WSGIApplication,
        passed: tuple[str, ...],
        security: Headers,
        kept: KeptFiles,
    ) -> None:
        self._site = site
        self._kept = kept
        self._app = app
        self._passed = frozenset(passed)
        self._folders = tuple(address for address in passed if address.endswith("/"))
        self._security = security

    def needs_thread(self, path: str) -> bool:
        """Return whether the answer may wait for a server; all else is in memory or a local file."""
        return self._is_passed(path) and path != "/healthz"

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer from the table, or pass the request on."""
        path = environ["PATH_INFO"]
        document = self._site.documents.get(path)
        if document is not None:
            if document.receipt is not None:
                document = document.receipt(environ.get("QUERY_STRING", "")) or document
            return self._answer(document, environ, start_response)
        if self._is_passed(path):
            return self._app(environ, start_response)
        if environ["REQUEST_METHOD"] in _READS and (found := self._on_disk(path)):
            return self._send(*found, environ, start_response)
        # People type and print addresses with a slash at the end, or in capitals.
        meant = path.rstrip("/").lower()
        if meant in self._site.documents or meant in self._passed:
            return self._redirect("308 Permanent Redirect", _with_query(meant, environ), start_response)
        if moved := self._successor(meant, environ):
            return self._redirect("301 Moved Permanently", moved, start_response)
        return self._answer(self._site.missing, environ, start_response)

    def _is_passed(self, path: str) -> bool:
        return path.startswith(self._folders) or path in self._passed

    def _successor(self, path: str, environ: WSGIEnvironment) -> str | None:
        root = path.removesuffix(_PLAN)
        prices = f"{root}/prices" if root else "/pricing"
        if path.endswith(_PLAN) and prices in self._site.documents:
            return _with_query(prices, environ)
        return MOVED.get(path)

    def _answer(
        self, document: Document, environ: WSGIEnvironment, start_response: StartResponse
    ) -> Iterable[bytes]:
        method = environ["REQUEST_METHOD"]
        if method not in _READS:
            start_response(
                "405 Method Not Allowed", [("Allow", "GET, HEAD"), ("Content-Length", "0"), *self._security]
            )
            return []
        coding = _choose(environ.get("HTTP_ACCEPT_ENCODING", ""), tuple(document.encoded))
        answer = document.encoded[coding]
        if _knows(environ.get("HTTP_IF_NONE_MATCH", ""), answer.etag) and document.status.startswith("200"):
            kept = [header for header in answer.headers if header[0].lower() in _SENT_WITH_304]
            start_response("304 Not Modified", kept)
            return []
        start_response(document.status, answer.headers)
        return [answer.body] if method == "GET" else []

    def _on_disk(self, path: str) -> tuple[Path, str] | None:
        """Return the file of a path, with its caching: one of this build, or of an earlier one."""
        if found := self._site.on_disk.get(path):
            return found
        kept = self._kept.find(path)
        return (kept, FOREVER) if kept else None

    def _send(
        self, file: Path, cache: str, environ: WSGIEnvironment, start_response: StartResponse
    ) -> Iterable[bytes]:
        asked = environ if environ.get("HTTP_RANGE", "bytes=").startswith("bytes=") else _without_range(environ)
        try:
            response = send_file(file, asked, mimetype=content_type(file), conditional=True)
        except RequestedRangeNotSatisfiable as refusal:
            response, cache = refusal.get_response(asked), "no-store"
        else:
            response.headers["Content-Type"] = content_type(file)  # werkzeug adds a second charset
        response.headers["Cache-Control"] = cache
        response.headers.extend(self._security)
        body, status, headers = response.get_wsgi_response(asked)
        start_response(status, headers)
        return body

    def _redirect(self, status: str, location: str, start_response: StartResponse) -> Iterable[bytes]:
        start_response(status, [("Location", location), ("Content-Length", "0"), *self._security])
        return []


def _with_query(path: str, environ: WSGIEnvironment) -> str:
    query = environ.get("QUERY_STRING", "")
    return quote(path.encode("latin-1")) + (f"?{query}" if query else "")


def _without_range(environ: WSGIEnvironment) -> WSGIEnvironment:
    """A range in an unknown unit is ignored (RFC 9110, 14.2)."""
    return {name: value for name, value in environ.items() if name != "HTTP_RANGE"}


@lru_cache(maxsize=512)
def _choose(accepted: str, offered: tuple[str, ...]) -> str:
    """The coding of `offered` that the browser prefers (RFC 9110, 12.5.3); of equals, the first.

    "identity" is always offered. A browser that refuses even that gets it all the same: better than nothing.
    """
    wanted = parse_accept_header(accepted)
    best = max(offered, key=lambda coding: wanted[coding])
    return best if wanted[best] > 0 else "identity"


def _knows(if_none_match: str, etag: str) -> bool:
    return bool(if_none_match) and (etag in if_none_match or if_none_match.strip() == "*")
