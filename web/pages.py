"""Answers for the built site, in front of Flask: pages from memory, files from disk, else the not-found page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from mimetypes import MimeTypes
from pathlib import Path
from urllib.parse import quote
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from werkzeug.exceptions import RequestedRangeNotSatisfiable
from werkzeug.http import parse_accept_header
from werkzeug.utils import send_file

from web.site import ENCODED, HASHED, Page, Site, make_page

READS = {"GET", "HEAD"}
# Addresses of earlier versions, and what took their place.
MOVED = {"/complaint": "/privacy#complaint", "/data-complaint": "/privacy#complaint", "/your-plan": "/pricing"}
# The plain pages that show a reference, with what their query looks like; the first that fits is taken.
_END, _LEAD = r"(?:&|$)", r"(?:^|&)reference=(?P<reference>\d{6})"
RECEIPTS = {
    "plain/thank-you-saved.html": rf"{_LEAD}&details=saved{_END}",
    "plain/thank-you-details.html": rf"{_LEAD}&details=(?P<details>[0-9a-f]{{32}}\.[0-9a-f]{{24}}){_END}",
    "plain/thank-you.html": _LEAD + _END,
}
# What Python knows by itself, since each machine's own list is another.
_TYPES = MimeTypes().types_map[True] | {
    ".js": "text/javascript", ".map": "application/json", ".vtt": "text/vtt",
    ".avif": "image/avif", ".webp": "image/webp", ".woff2": "font/woff2",
}  # fmt: skip


class Pages:
    """The WSGI application of the site; what begins with an address of `passed` goes to `app`.

    say_call: what visitors of no known time zone hear of the clinic's call.
    """

    def __init__(
        self, site: Site, app: WSGIApplication, passed: tuple[str, ...], say_call: Callable[[], str]
    ) -> None:
        self._site, self._app, self._say_call = site, app, say_call
        self._moved = MOVED | {re.sub("prices$", "your-plan", address): address for address in site.pages}
        self._passed = re.compile("|".join(re.sub("/$", "/.*", address) for address in passed))

    def needs_thread(self, path: str) -> bool:
        """Return whether the answer may wait for a server; all else is in memory or a local file."""
        return self._passed.fullmatch(path) is not None and path != "/healthz"

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer, or pass the request on."""
        path, query = environ["PATH_INFO"], environ.get("QUERY_STRING", "")
        if page := self._site.pages.get(path):
            if path == "/thank-you" and query:
                page = self._fill_receipt(query) or page
            return _show(page, environ, start_response)
        if self._passed.fullmatch(path):
            return self._app(environ, start_response)
        if environ["REQUEST_METHOD"] in READS and (file := self._site.find_file(path)):
            return _send(file, environ, start_response)
        meant = path.rstrip("/").lower()  # people type and print addresses with a slash at the end, or in capitals
        if meant in self._site.pages or self._passed.fullmatch(meant):
            return _redirect("308 Permanent Redirect", quote(meant.encode("latin-1")), query, start_response)
        if moved := self._moved.get(meant):
            return _redirect("301 Moved Permanently", moved, query, start_response)
        return _show(self._site.missing, environ, start_response)

    def _fill_receipt(self, query: str) -> Page | None:
        for name, fits in RECEIPTS.items():
            if (found := re.search(fits, query, re.ASCII)) and (text := self._site.plain.get(name)):
                for part, words in {**found.groupdict(), "call": self._say_call()}.items():
                    # Also in the text of a chat, which stands in an address.
                    text = text.replace(f"{{{{{part}}}}}", words).replace(f"%7B%7B{part}%7D%7D", quote(words))
                return make_page(text, quality=5)  # others wait for it: 0.5 ms
        return None


def _redirect(status: str, location: str, query: str, start_response: StartResponse) -> Iterable[bytes]:
    address = f"{location}?{query}" if query and "#" not in location else location
    start_response(status, [("Location", address), ("Content-Length", "0")])
    return []


def _show(page: Page, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    status, codings = page
    headers, body = codings[_choose(environ.get("HTTP_ACCEPT_ENCODING", ""))]
    known = environ.get("HTTP_IF_NONE_MATCH", "")
    if environ["REQUEST_METHOD"] not in READS:
        start_response("405 Method Not Allowed", [("Allow", "GET, HEAD"), ("Content-Length", "0")])
    elif known and status == "200 OK" and dict(headers)["ETag"] in known:
        start_response("304 Not Modified", [header for header in headers if not header[0].startswith("Content-")])
    else:
        start_response(status, headers)
        return [body] if environ["REQUEST_METHOD"] == "GET" else []
    return []


def _send(file: Path, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    coding = _choose(environ.get("HTTP_ACCEPT_ENCODING", ""))
    packed = file.with_name(file.name + ENCODED.get(coding, ""))
    chosen = packed if packed.is_file() else file
    is_hashed = environ["PATH_INFO"].startswith(HASHED)
    try:
        response = send_file(chosen, environ, _TYPES.get(file.suffix, "application/octet-stream"))
        response.headers["Cache-Control"] = f"public, max-age={'31536000, immutable' if is_hashed else '3600'}"
    except RequestedRangeNotSatisfiable as refusal:
        response = refusal.get_response(environ)
    response.headers["Vary"] = "Accept-Encoding"
    if chosen != file:
        response.headers["Content-Encoding"] = coding
    return response(environ, start_response)


@lru_cache(maxsize=512)
def _choose(accepted: str) -> str:
    wanted = parse_accept_header(accepted)
    return next((coding for coding in ENCODED if wanted[coding] > 0), "identity")
