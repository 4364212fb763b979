"""The built site, read into memory once: every page and file as the bytes and headers to answer with.

Only addresses in this table are served, so there is no file path to check at request time.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from web.headers import Headers

FOREVER = "public, max-age=31536000, immutable"
HASHED = ("/assets/", "/arrival-")  # names with a hash of the content; the second is the pages' first script
AN_HOUR = "public, max-age=3600"
REVALIDATE = "no-cache"
ROUTES, EMBEDS = "routes.json", "embeds.json"  # what the build passes to the server; neither is served
WITH_SAMPLES = "with-samples"  # a second set of pages, with the content that is marked as a sample
PLAIN = "plain"  # pages that the server fills for each visitor; none is served as it is
MAX_BYTES_IN_MEMORY = 2 * 1024 * 1024  # larger files are read from disk at each request

TEXT_HTML = "text/html; charset=utf-8"
# The pages that show a reference, with what one looks like. It is in the address, so it shows without a script too.
RECEIPTS = {
    "/thank-you": ("plain/thank-you.html", r"\d{6}"),
    "/data-complaint": ("plain/data-complaint.html", r"C-\d{7,12}"),
}
REFERENCE_TOKEN = "{{reference}}"  # noqa: S105 - what the reference replaces

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
_ENCODINGS = {".br": "br", ".gz": "gzip"}  # in the order of preference


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


def read_site(folder: Path, fill: Callable[[str], str], security: Headers, *, samples: bool = False) -> Site:
    """Read the build of the front end.

    Args:
        folder: Where the build is.
        fill: Turns a page as built into the page to serve.
        security: The security headers of every answer.
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
    documents = {
        route: _page(fill(_read(pages / name)), security, "200 OK")
        for route, name in json.loads(manifest.read_text()).items()
    }
    plain = {f"{PLAIN}/{path.name}": fill(_read(path)) for path in sorted((pages / PLAIN).glob("*.html"))}
    for route, (name, reference) in RECEIPTS.items():
        if name in plain:
            documents[route] = replace(documents[route], receipt=_receipt(plain[name], reference, security))
    on_disk: dict[str, tuple[Path, str]] = {}
    for path in sorted(folder.rglob("*")):
        is_manifest = path.parent == folder and path.name in {ROUTES, EMBEDS}
        if not path.is_file() or is_manifest or path.suffix == ".html" or path.suffix in _ENCODINGS:
            continue
        address = "/" + path.relative_to(folder).as_posix()
        cache = FOREVER if address.startswith(HASHED) else AN_HOUR
        if path.suffix in _PLAYED or path.stat().st_size > MAX_BYTES_IN_MEMORY:
            on_disk[address] = (path, cache)
        else:
            documents[address] = _file(path, cache, security)
    return Site(documents, _page(fill(_read(pages / "404.html")), security, "404 Not Found"), on_disk, plain)


def read_embeds(folder: Path) -> tuple[str, ...]:
    """Return the origins of the video players that the pages embed; none when the build names none."""
    file = folder / EMBEDS
    return tuple(json.loads(file.read_text())) if file.is_file() else ()


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


def _receipt(page: str, reference: str, security: Headers) -> Callable[[str], Document | None]:
    """Return what fills `page` with the reference of a query; for a query without a valid one it returns None."""
    named = re.compile(rf"(?:^|&)reference=({reference})(?:&|$)", re.ASCII)

    def fill_in(query: str) -> Document | None:
        found = named.search(query)
        return _page(page.replace(REFERENCE_TOKEN, found.group(1)), security, "200 OK") if found else None

    return fill_in


def _page(page: str, security: Headers, status: str) -> Document:
    body = page.encode()
    # What is filled in differs between deployments, so the build cannot compress pages.
    bodies = {"gzip": gzip.compress(body, 9, mtime=0), "identity": body}
    return Document(status, encode(bodies, _TYPES[".html"], REVALIDATE, security))


def _file(path: Path, cache: str, security: Headers) -> Document:
    bodies = {}
    for suffix, coding in _ENCODINGS.items():
        sibling = path.with_name(path.name + suffix)
        if sibling.is_file():
            bodies[coding] = sibling.read_bytes()
    if not bodies and path.suffix in _TEXT:
        bodies["gzip"] = gzip.compress(path.read_bytes(), 9, mtime=0)
    bodies["identity"] = path.read_bytes()
    return Document("200 OK", encode(bodies, content_type(path), cache, security))


def encode(bodies: Mapping[str, bytes], media_type: str, cache: str, security: Headers) -> dict[str, Encoded]:
    """Return what to answer with by content coding; `bodies` are the same content by coding."""
    digest = hashlib.sha256(bodies["identity"]).hexdigest()[:24]
    vary = [("Vary", "Accept-Encoding")] if len(bodies) > 1 else []
    encoded = {}
    for coding, body in bodies.items():
        etag = f'"{digest}"' if coding == "identity" else f'"{digest}-{coding}"'
        coding_headers = [] if coding == "identity" else [("Content-Encoding", coding)]
        content_headers = [("Content-Type", media_type), ("Content-Length", str(len(body)))]
        cache_headers = [("Cache-Control", cache), ("ETag", etag), *vary]
        encoded[coding] = Encoded(etag, [*content_headers, *cache_headers, *coding_headers, *security], body)
    return encoded
