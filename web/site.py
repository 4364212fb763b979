"""The built site: its pages in memory, filled in and compressed at start, and its files on disk.

The files of earlier builds are kept for 30 days, for pages that were opened before a deployment. All processes of
the site share their folder, and look into it at each request: those of the build before have the files of the next
one too.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import logging
import os
import re
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import brotli

from leads.clinic import CLINIC
from web.headers import Headers

POLICY = "policy.json"
ENCODED = {"br": ".br", "gzip": ".gz"}  # beside a file: what the build made of it
TEXT_HTML, REVALIDATE = "text/html; charset=utf-8", "no-cache"
HASHED = ("/assets/", "/arrival-")  # names with a hash of the content; the second is the pages' first script
KEPT_SECONDS = 30 * 86_400
IN_USE = 4_000_000_000  # the time of a file of the newest build; that of another is when it was replaced
_KEPT = re.compile(rf"(?:{'|'.join(HASHED)})[\w-][\w.-]{{0,199}}", re.ASCII)

Page = tuple[str, Mapping[str, tuple[Headers, bytes]]]  # its status, and headers and body by content coding

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Site:
    """By request path: pages and files. `plain`: the pages that the server fills for each visitor, by name."""

    pages: Mapping[str, Page]
    missing: Page
    files: Mapping[str, Path]
    plain: Mapping[str, str]
    kept: Path | None

    def find_file(self, address: str) -> Path | None:
        """Return the file of an address, also that of an earlier build."""
        if not (file := self.files.get(address)) and self.kept and _KEPT.fullmatch(address):
            file = self.kept / address[1:]
        return file if file and file.is_file() else None


def read_site(folder: Path, fill: Callable[[str], str], *, samples: bool = False, kept: Path | None = None) -> Site:
    """Read the build of the front end; without one, a site of one page that says what to do.

    `fill` turns a page as built into the page to serve; with `samples` it is the one that shows sample content.
    """
    routes, source = folder / "routes.json", folder / "with-samples"
    if not routes.is_file():
        told = f"The site is not built: there is no {routes}. Run `npm ci` and `npm run build` in frontend/."
        return Site({}, make_page(told, "503 Service Unavailable"), {}, {}, kept)
    source = source if samples and source.is_dir() else folder
    read = {path.relative_to(source).as_posix(): fill(path.read_text("utf-8")) for path in source.rglob("*.html")}
    hidden = {routes.name, POLICY, CLINIC}
    public = [path for path in folder.rglob("*.*") if path.suffix not in {".html", *ENCODED.values()}]
    files = {f"/{path.relative_to(folder).as_posix()}": path for path in public if path.name not in hidden}
    pages = {address: make_page(read[name]) for address, name in json.loads(routes.read_text()).items()}
    return Site(pages, make_page(read["404.html"], "404 Not Found"), files, read, kept)


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


def keep_files(build: Path, folder: Path) -> None:
    """Keep the hashed files of the build that is about to be served, and delete those that no page needs any more.

    Where the folder cannot be written, what is in it is served all the same.
    """
    own = {folder / path.relative_to(build): path for path in build.rglob("*.*")}
    own = {kept: path for kept, path in own.items() if _KEPT.fullmatch(f"/{kept.relative_to(folder).as_posix()}")}
    try:
        for kept, path in own.items():
            if not kept.is_file():
                beside = kept.with_name(f"{kept.name}.{os.getpid()}~")  # no address: nobody gets half of it
                beside.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, beside)
                beside.replace(kept)
            os.utime(kept, (IN_USE, IN_USE))
        for kept in {path for path in folder.rglob("*.*") if path.is_file()} - own.keys():
            since = kept.stat().st_mtime
            if since == IN_USE:
                os.utime(kept)
            elif since < time.time() - KEPT_SECONDS:
                kept.unlink(missing_ok=True)
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        log.warning("cannot keep this build's files in %s (%s): pages open now miss them", folder, reason)
