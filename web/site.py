"""The built site, read into memory once: every page and file as the bytes and headers to answer with.

Only addresses in this table are served, so there is no file path to check at request time.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from web.headers import Headers

FOREVER = "public, max-age=31536000, immutable"
HASHED = ("/assets/", "/arrival-")  # names with a hash of the content; the second is the pages' first script
AN_HOUR = "public, max-age=3600"
REVALIDATE = "no-cache"
ROUTES, EMBEDS = "routes.json", "embeds.json"  # what the build passes to the server; neither is served
WITH_SAMPLES = "with-samples"  # a second set of pages, with the content that is marked as a sample
MAX_BYTES_IN_MEMORY = 2 * 1024 * 1024  # larger files are read from disk at each request

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
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
    """The answer of one address. `encoded`: by content coding, with the plain body under "identity"."""

    status: str
    encoded: Mapping[str, Encoded]


@dataclass(frozen=True, slots=True)
class Site:
    """The whole site by request path. `on_disk`: files that are too large for memory or played in ranges."""

    documents: Mapping[str, Document]
    missing: Document
    on_disk: Mapping[str, tuple[Path, str]]


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
        route: _page(pages / name, fill, security, "200 OK")
        for route, name in json.loads(manifest.read_text()).items()
    }
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
    return Site(documents, _page(pages / "404.html", fill, security, "404 Not Found"), on_disk)


def read_embeds(folder: Path) -> tuple[str, ...]:
    """Return the origins of the video players that the pages embed; none when the build names none."""
    file = folder / EMBEDS
    return tuple(json.loads(file.read_text())) if file.is_file() else ()


def not_built_site(reason: str, security: Headers) -> Site:
    """Return a site of one page that explains what to do; the API works meanwhile."""
    text = f"The site is not built: {reason}.\nRun `npm ci` and `npm run build` in frontend/, then start again.\n"
    bodies = {"identity": text.encode()}
    page = Document("503 Service Unavailable", _encode(bodies, _TYPES[".txt"], "no-store", security))
    return Site({}, page, {})


def content_type(path: Path) -> str:
    """Return the media type by suffix."""
    return _TYPES.get(path.suffix.lower(), "application/octet-stream")


def _page(path: Path, fill: Callable[[str], str], security: Headers, status: str) -> Document:
    body = fill(path.read_text(encoding="utf-8")).encode()
    # What is filled in differs between deployments, so the build cannot compress pages.
    bodies = {"gzip": gzip.compress(body, 9, mtime=0), "identity": body}
    return Document(status, _encode(bodies, _TYPES[".html"], REVALIDATE, security))


def _file(path: Path, cache: str, security: Headers) -> Document:
    bodies = {}
    for suffix, coding in _ENCODINGS.items():
        sibling = path.with_name(path.name + suffix)
        if sibling.is_file():
            bodies[coding] = sibling.read_bytes()
    if not bodies and path.suffix in _TEXT:
        bodies["gzip"] = gzip.compress(path.read_bytes(), 9, mtime=0)
    bodies["identity"] = path.read_bytes()
    return Document("200 OK", _encode(bodies, content_type(path), cache, security))


def _encode(bodies: Mapping[str, bytes], media_type: str, cache: str, security: Headers) -> dict[str, Encoded]:
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
