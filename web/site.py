"""The built site: its pages in memory, filled in and compressed at start, and the addresses of its files."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import brotli

from leads.clinic import CLINIC
from web.headers import Headers

POLICY = "policy.json"
ENCODED = {"br": ".br", "gzip": ".gz"}  # beside a file: what the build made of it
TEXT_HTML, REVALIDATE = "text/html; charset=utf-8", "no-cache"

Page = tuple[str, Mapping[str, tuple[Headers, bytes]]]  # its status, and headers and body by content coding


@dataclass(frozen=True, slots=True)
class Site:
    """The whole site by request path. `plain`: the pages that the server fills for each visitor, by name."""

    pages: Mapping[str, Page]
    missing: Page
    files: Mapping[str, Path]
    plain: Mapping[str, str]


def read_site(folder: Path, fill: Callable[[str], str], *, samples: bool = False) -> Site:
    """Read the build of the front end; without one, a site of one page that says what to do.

    `fill` turns a page as built into the page to serve; with `samples` it is the one that shows sample content.
    """
    routes, source = folder / "routes.json", folder / "with-samples"
    if not routes.is_file():
        told = f"The site is not built: there is no {routes}. Run `npm ci` and `npm run build` in frontend/."
        return Site({}, make_page(told, "503 Service Unavailable"), {}, {})
    source = source if samples and source.is_dir() else folder
    read = {path.relative_to(source).as_posix(): fill(path.read_text("utf-8")) for path in source.rglob("*.html")}
    files = {
        f"/{path.relative_to(folder).as_posix()}": path
        for path in folder.rglob("*")
        if path.is_file() and path.suffix not in {".html", *ENCODED.values()}
    }
    for name in (routes.name, POLICY, CLINIC):
        files.pop(f"/{name}", None)
    pages = {address: make_page(read[name]) for address, name in json.loads(routes.read_text()).items()}
    return Site(pages, make_page(read["404.html"], "404 Not Found"), files, read)


def read_policy(folder: Path) -> Mapping[str, Sequence[str]]:
    """Return what the content security policy must allow for the pages, by directive; nothing without a build."""
    file = folder / POLICY
    return json.loads(file.read_text()) if file.is_file() else {}


def make_page(text: str, status: str = "200 OK", quality: int = 10) -> Page:
    """Return a page. Brotli's highest quality, 11, makes it 2 % smaller and takes twice as long."""
    body = text.encode()
    packed = {"br": brotli.compress(body, quality=quality), "gzip": gzip.compress(body, min(quality, 9), mtime=0)}
    codings: dict[str, tuple[Headers, bytes]] = {}
    for coding, content in (packed | {"identity": body}).items():
        headers = [("Content-Type", TEXT_HTML), ("Content-Length", str(len(content))), ("Vary", "Accept-Encoding")]
        headers += [("ETag", f'"{hashlib.sha256(content).hexdigest()[:24]}"'), ("Cache-Control", REVALIDATE)]
        codings[coding] = (headers + [("Content-Encoding", coding)] * (coding in packed), content)
    return status, codings
