"""The built site, read into memory once: every page and file as the bytes and headers to answer with.

Only what stands in this table can be asked for, so there is no path to check at request time.
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

FOREVER = "public, max-age=31536000, immutable"  # names under assets/ hold a hash of their content
AN_HOUR = "public, max-age=3600"
ALWAYS_ASK = "no-cache"
ROUTES, EMBEDS = "routes.json", "embeds.json"  # what the build tells the server; neither is served
WITH_SAMPLES = "with-samples"  # the same pages once more, with the content that is marked as a sample
MAX_BYTES_IN_MEMORY = 2 * 1024 * 1024  # bytes; larger files are read from disk when asked for

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
_PLAYED = {".mp4", ".webm", ".mp3"}  # players ask for ranges of these
_ENCODINGS = {".br": "br", ".gz": "gzip"}  # in the order of preference


@dataclass(frozen=True, slots=True)
class Encoded:
    """One encoding of a document: complete headers and body."""

    etag: str
    headers: Headers
    body: bytes


@dataclass(frozen=True, slots=True)
class Document:
    """What one address answers with. `encoded`: by content coding, the plain body under "identity"."""

    status: str
    encoded: Mapping[str, Encoded]


@dataclass(frozen=True, slots=True)
class Site:
    """The whole site by request path. `on_disk` holds files that are too large, or played in ranges."""

    documents: Mapping[str, Document]
    missing: Document
    on_disk: Mapping[str, tuple[Path, str]]


class NotBuilt(Exception):
    """The front end's build is not there; the message says where it was looked for."""


def read_site(folder: Path, fill: Callable[[str], str], security: Headers, *, samples: bool = False) -> Site:
    """Read the build in `folder`; `fill` makes of each page as built the one to serve. `NotBuilt` without a build.

    `samples` takes the pages that show sample content, where the build has them.
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
        told = path.parent == folder and path.name in {ROUTES, EMBEDS}
        if not path.is_file() or told or path.suffix == ".html" or path.suffix in _ENCODINGS:
            continue
        address = "/" + path.relative_to(folder).as_posix()
        cache = FOREVER if address.startswith("/assets/") else AN_HOUR
        if path.suffix in _PLAYED or path.stat().st_size > MAX_BYTES_IN_MEMORY:
            on_disk[address] = (path, cache)
        else:
            documents[address] = _file(path, cache, security)
    return Site(documents, _page(pages / "404.html", fill, security, "404 Not Found"), on_disk)


def read_embeds(folder: Path) -> tuple[str, ...]:
    """The video services whose players the pages embed, as origins; none where the build names none."""
    file = folder / EMBEDS
    return tuple(json.loads(file.read_text())) if file.is_file() else ()


def not_built_site(reason: str, security: Headers) -> Site:
    """A site of one page that says what to do; the API beside it works."""
    text = f"The site is not built: {reason}.\nRun `npm ci` and `npm run build` in frontend/, then start again.\n"
    bodies = {"identity": text.encode()}
    page = Document("503 Service Unavailable", _encode(bodies, _TYPES[".txt"], "no-store", security))
    return Site({}, page, {})


def content_type(path: Path) -> str:
    """The media type by suffix."""
    return _TYPES.get(path.suffix.lower(), "application/octet-stream")


def _page(path: Path, fill: Callable[[str], str], security: Headers, status: str) -> Document:
    body = fill(path.read_text(encoding="utf-8")).encode()
    # What is filled in differs between deployments, so a page cannot come compressed from the build.
    bodies = {"gzip": gzip.compress(body, 9, mtime=0), "identity": body}
    return Document(status, _encode(bodies, _TYPES[".html"], ALWAYS_ASK, security))


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
        named = [] if coding == "identity" else [("Content-Encoding", coding)]
        own = [("Content-Type", media_type), ("Content-Length", str(len(body)))]
        kept = [("Cache-Control", cache), ("ETag", etag), *vary]
        encoded[coding] = Encoded(etag, [*own, *kept, *named, *security], body)
    return encoded
