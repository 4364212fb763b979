"""The built site, read into memory once: every page and file as the bytes and headers to answer with.

Only addresses in this table are served, so there is no file path to check at request time.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import brotli

from leads.clinic import CLINIC
from web.headers import Headers

FOREVER = "public, max-age=31536000, immutable"
HASHED = ("/assets/", "/arrival-")  # names with a hash of the content; the second is the pages' first script
AN_HOUR = "public, max-age=3600"
REVALIDATE = "no-cache"
# What the build passes to the server; none is served.
ROUTES, POLICY = "routes.json", "policy.json"
WITH_SAMPLES = "with-samples"  # a second set of pages, with the content that is marked as a sample
PLAIN = "plain"  # pages that the server fills for each visitor; none is served as it is
MAX_BYTES_IN_MEMORY = 2 * 1024 * 1024  # larger files are read from disk at each request

TEXT_HTML = "text/html; charset=utf-8"
# The pages that show a reference, with what their query looks like; the first that fits is taken. It is in the
# address, so it shows without a script too. To add to an enquiry needs a token; once that is saved, the page
# says so.
_LEAD = r"reference=(?P<reference>\d{6})"
_DETAILS = r"details=(?P<details>[0-9a-f]{32}\.[0-9a-f]{24})"
RECEIPTS = {
    "/thank-you": (
        ("plain/thank-you-saved.html", rf"{_LEAD}&details=saved"),
        ("plain/thank-you-details.html", rf"{_LEAD}&{_DETAILS}"),
        ("plain/thank-you.html", _LEAD),
    ),
}

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": TEXT_HTML,
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".txt": "text/plain; charset=utf-8",
    ".vtt": "text/vtt; charset=utf-8",
    ".xml": "application/xml",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".gif": "image/gif",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".mp4": "video/mp4",
    ".webm": "video/webm",
    ".mp3": "audio/mpeg",
    ".pdf": "application/pdf",
}
_TEXT = {".css", ".js", ".json", ".map", ".svg", ".txt", ".webmanifest", ".xml"}  # worth compressing
_PLAYED = {".mp4", ".webm", ".mp3"}  # players request ranges of these
_COMPRESSED = ".br"  # beside a file: what the build made of it
# The highest, 11, makes pages 2 % smaller and takes twice as long (0.8 s instead of 0.35 s for a production build).
# A page that is made for a request must not delay the others: 0.5 ms.
_AT_START, _AT_A_REQUEST = 10, 5


@dataclass(frozen=True, slots=True)
class Encoded:
    """One encoding of a document: complete headers and body."""

    etag: str
    headers: Headers
    body: bytes


@dataclass(frozen=True, slots=True)
class Document:
    """The answer of one address. `encoded`: by content coding, with the plain body under "identity".

    `receipt` returns the answer for a query that names a reference, None for any other query.
    """

    status: str
    encoded: Mapping[str, Encoded]
    receipt: Callable[[str], Document | None] | None = None


@dataclass(frozen=True, slots=True)
class Site:
    """The whole site by request path. `on_disk`: files that are too large for memory or played in ranges.

    `plain`: the pages that the server fills for each visitor, by their files' names.
    """

    documents: Mapping[str, Document]
    missing: Document
    on_disk: Mapping[str, tuple[Path, str]]
    plain: Mapping[str, str]


class NotBuilt(Exception):
    """The front end is not built; the message names the missing file."""


def read_site(
    folder: Path,
    fill: Callable[[str], str],
    security: Headers,
    *,
    samples: bool = False,
    say_call: Callable[[], str] = lambda: "",
) -> Site:
    """Read the build of the front end.

    Args:
        folder: Where the build is.
        fill: Turns a page as built into the page to serve.
        security: The security headers of every answer.
        say_call: What a visitor of unknown time zone is promised now.
        samples: Take the pages that show sample content, if the build has them.

    Returns:
        The site.

    Raises:
        NotBuilt: There is no build in `folder`.
    """
    manifest = folder / ROUTES
    if not manifest.is_file():
        raise NotBuilt(f"there is no {manifest}")
    pages = folder / WITH_SAMPLES if samples and (folder / WITH_SAMPLES).is_dir() else folder

    @cache  # many addresses are one page that begins at another section
    def page(text: str) -> Document:
        return _page(text, security, "200 OK")

    documents = {route: page(fill(_read(pages / name))) for route, name in json.loads(manifest.read_text()).items()}
    plain = {f"{PLAIN}/{path.name}": fill(_read(path)) for path in sorted((pages / PLAIN).glob("*.html"))}
    for route, receipts in RECEIPTS.items():
        if there := [(_query(text), plain[name]) for name, text in receipts if name in plain]:
            documents[route] = replace(documents[route], receipt=_receipt(there, security, say_call))
    on_disk: dict[str, tuple[Path, str]] = {}
    for path in sorted(folder.rglob("*")):
        is_manifest = path.parent == folder and path.name in {ROUTES, POLICY, CLINIC}
        if not path.is_file() or is_manifest or path.suffix in {".html", _COMPRESSED}:
            continue
        address = "/" + path.relative_to(folder).as_posix()
        caching = FOREVER if address.startswith(HASHED) else AN_HOUR
        if path.suffix in _PLAYED or path.stat().st_size > MAX_BYTES_IN_MEMORY:
            on_disk[address] = (path, caching)
        else:
            documents[address] = _file(path, caching, security)
    return Site(documents, _page(fill(_read(pages / "404.html")), security, "404 Not Found"), on_disk, plain)


def read_policy(folder: Path) -> Mapping[str, Sequence[str]]:
    """Return what the content security policy must allow for the pages, by directive; nothing without a build."""
    file = folder / POLICY
    return json.loads(file.read_text()) if file.is_file() else {}


def not_built_site(reason: str, security: Headers) -> Site:
    """Return a site of one page that explains what to do; the API works meanwhile."""
    text = f"The site is not built: {reason}.\nRun `npm ci` and `npm run build` in frontend/, then start again.\n"
    bodies = {"identity": text.encode()}
    page = Document("503 Service Unavailable", encode(bodies, _TYPES[".txt"], "no-store", security))
    return Site({}, page, {}, {})


def content_type(path: Path) -> str:
    """Return the media type by suffix."""
    return _TYPES.get(path.suffix.lower(), "application/octet-stream")


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _query(text: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|&){text}(?:&|$)", re.ASCII)


def _receipt(
    pages: Sequence[tuple[re.Pattern[str], str]], security: Headers, say_call: Callable[[], str]
) -> Callable[[str], Document | None]:
    """Return what fills the page that fits a query with its parts; for any other query it returns None."""

    def fill_in(query: str) -> Document | None:
        for fits, page in pages:
            if found := fits.search(query):
                filled = _filled(page, {**found.groupdict(), "call": say_call()})
                return _page(filled, security, "200 OK", _AT_A_REQUEST)
        return None

    return fill_in


def _filled(page: str, parts: Mapping[str, str]) -> str:
    for name, text in parts.items():
        page = page.replace(f"{{{{{name}}}}}", text)
    return page


def _page(page: str, security: Headers, status: str, quality: int = _AT_START) -> Document:
    # What is filled in differs between deployments, so the build cannot compress pages.
    body = page.encode()
    packed = brotli.compress(body, quality=quality)
    return Document(status, encode(_codings(body, packed), _TYPES[".html"], REVALIDATE, security))


def _file(path: Path, caching: str, security: Headers) -> Document:
    body = path.read_bytes()
    made = path.with_name(path.name + _COMPRESSED)
    bodies = {"identity": body}
    if path.suffix in _TEXT:
        packed = made.read_bytes() if made.is_file() else brotli.compress(body, quality=_AT_START)
        bodies = _codings(body, packed)
    return Document("200 OK", encode(bodies, content_type(path), caching, security))


def _codings(body: bytes, packed: bytes) -> dict[str, bytes]:
    """Return the same content by coding, best first; `packed` is brotli's. What is not shorter is left out."""
    bodies = {"br": packed, "gzip": gzip.compress(body, 9, mtime=0)}
    return {coding: each for coding, each in bodies.items() if len(each) < len(body)} | {"identity": body}


def encode(bodies: Mapping[str, bytes], media_type: str, caching: str, security: Headers) -> dict[str, Encoded]:
    """Return what to answer with by content coding; `bodies` are the same content by coding."""
    digest = hashlib.sha256(bodies["identity"]).hexdigest()[:24]
    vary = [("Vary", "Accept-Encoding")] if len(bodies) > 1 else []
    encoded = {}
    for coding, body in bodies.items():
        etag = f'"{digest}"' if coding == "identity" else f'"{digest}-{coding}"'
        coding_headers = [] if coding == "identity" else [("Content-Encoding", coding)]
        content_headers = [("Content-Type", media_type), ("Content-Length", str(len(body)))]
        cache_headers = [("Cache-Control", caching), ("ETag", etag), *vary]
        encoded[coding] = Encoded(etag, [*content_headers, *cache_headers, *coding_headers, *security], body)
    return encoded
