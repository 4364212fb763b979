"""The built site, in front of Flask: pages from memory, files from disk, else the not-found page.

The files of earlier builds are kept for 30 days, for pages that were opened before a deployment. All processes of
the site share their folder and look into it at each request: those of one build have the files of the next one too.
"""

import gzip
import json
import logging
import os
import re
import shutil
import time
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from mimetypes import MimeTypes
from pathlib import Path
from urllib.parse import quote
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import brotli
from werkzeug.exceptions import RequestedRangeNotSatisfiable
from werkzeug.http import generate_etag, parse_accept_header
from werkzeug.utils import redirect, send_file

from api.resources.forms import DETAILS, ENQUIRY
from leads.clinic import CLINIC
from leads.settings import Settings
from web.browser_settings import fill_page
from web.headers import POLICY, Headers, shown_folder

GO_LIVE = "go-live.json"  # of the build: what the clinic must give before the site starts in production
READS = {"GET", "HEAD"}
ENCODED = {"br": ".br", "gzip": ".gz"}  # beside a file: what the build made of it
TEXT_HTML, REVALIDATE = "text/html; charset=utf-8", "no-cache"
KEPT_SECONDS = 30 * 86_400
IN_USE = 4_000_000_000  # the time of a file of the newest build; that of another is when it was replaced
# Addresses of earlier versions, and what took their place.
MOVED = {"/complaint": "/privacy#complaint", "/data-complaint": "/privacy#complaint", "/your-plan": "/pricing"}
# What Flask answers; everything else is the built site.
_PASSED = re.compile(rf"/api/.*|/healthz|/readyz|{ENQUIRY}|{DETAILS}")
# Names with a hash of the content; the second kind is the pages' first script.
_HASHED = re.compile(r"/(?:assets/|arrival-)[\w-][\w.-]{0,199}", re.ASCII)
_DETAILS = r"&details=(?P<details>saved|[0-9a-f]{32}\.[0-9a-f]{24})"
_RECEIPT = re.compile(rf"(?:^|&)reference=(?P<reference>\d{{6}})(?:{_DETAILS})?(?:&|$)", re.ASCII)
# What Python knows by itself, since each machine's own list is another.
_TYPES = MimeTypes().types_map[True] | {".js": "text/javascript", ".webp": "image/webp", ".woff2": "font/woff2"}
Page = tuple[str, Mapping[str, tuple[Headers, bytes]]]  # its status, and headers and body by content coding

log = logging.getLogger(__name__)


def needs_thread(path: str) -> bool:
    """Return whether the answer may wait for a server; all else is in memory or a local file."""
    return _PASSED.fullmatch(path) is not None and path != "/healthz"


class Pages:
    """The WSGI application of the site; what Flask answers goes to `app`. `texts`: plain pages by their file.

    say_call: what visitors of no known time zone hear of the clinic's call. `fixed`: addresses without a receipt.
    """

    def __init__(self, settings: Settings, app: WSGIApplication, say_call: Callable[[], str]) -> None:
        build, self._kept = settings.frontend_dir, settings.kept_files_dir
        self._app, self._say_call = app, say_call
        routes, shown = build / "routes.json", shown_folder(settings)
        addresses = json.loads(routes.read_text()) if routes.is_file() else {}
        make, files = cache(make_page), build.rglob("*.*") if addresses else ()
        self.texts = {f"plain/{path.name}": fill_page(path, settings) for path in (shown / "plain").glob("*.html")}
        # Some addresses share a page. One text after the other: all at once would take three times the memory.
        self._pages = {path: make(fill_page(shown / name, settings).encode()) for path, name in addresses.items()}
        self.fixed = self._pages.keys() - {"/thank-you"}
        told = f"The site is not built: there is no {routes}. Run `npm ci` and `npm run build` in frontend/."
        status = "404 Not Found" if addresses else "503 Service Unavailable"
        missing = fill_page(shown / "404.html", settings) if addresses else told
        self._missing = make_page(missing.encode(), status)
        self._moved = MOVED | {re.sub("prices$", "your-plan", address): address for address in addresses}
        hidden, beside = {routes.name, POLICY, CLINIC, GO_LIVE}, {".html", *ENCODED.values()}
        public = [path for path in files if path.name not in hidden and path.suffix not in beside]
        self._files = {f"/{path.relative_to(build)}": path for path in public}

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer, or pass the request on."""
        path, query = environ["PATH_INFO"], environ.get("QUERY_STRING", "")
        if page := self._pages.get(path):
            if path == "/thank-you" and (receipt := _RECEIPT.search(query)):
                page = self._fill_receipt(receipt)
            return _show(page, environ, start_response)
        if _PASSED.fullmatch(path):
            return self._app(environ, start_response)
        if environ["REQUEST_METHOD"] in READS and (file := self._find_file(path)):
            return _send(file, environ, start_response)
        meant = path.rstrip("/").lower()  # people type and print addresses with a slash at the end, or in capitals
        code, location = 301, self._moved.get(meant)
        if meant in self._pages or _PASSED.fullmatch(meant):
            code, location = 308, quote(meant.encode("latin-1"))
        if location:
            address = f"{location}?{query}" if query and "#" not in location else location
            return redirect(address, code)(environ, start_response)
        return _show(self._missing, environ, start_response)

    def _find_file(self, address: str) -> Path | None:
        if not (file := self._files.get(address)) and self._kept and _HASHED.fullmatch(address):
            file = self._kept / address[1:]
        return file if file and file.is_file() else None

    def _fill_receipt(self, receipt: re.Match[str]) -> Page:
        kind = {None: "", "saved": "-saved"}.get(receipt["details"], "-details")
        text = self.texts[f"plain/thank-you{kind}.html"]
        for part, words in {**receipt.groupdict(""), "call": self._say_call()}.items():
            # Also in the text of a chat, which stands in an address.
            text = text.replace(f"{{{{{part}}}}}", words).replace(f"%7B%7B{part}%7D%7D", quote(words))
        return make_page(text.encode(), quality=5)  # others wait for it: 0.5 ms


def make_page(body: bytes, status: str = "200 OK", quality: int = 11) -> Page:
    """Return a page, compressed with brotli's highest quality unless another one is told."""
    packed = {"br": brotli.compress(body, quality=quality), "gzip": gzip.compress(body, min(quality, 9), mtime=0)}
    codings: dict[str, tuple[Headers, bytes]] = {}
    for coding, content in (packed | {"identity": body}).items():
        headers = [("Content-Type", TEXT_HTML), ("Content-Length", str(len(content))), ("Vary", "Accept-Encoding")]
        headers += [("ETag", f'"{generate_etag(content)}"'), ("Cache-Control", REVALIDATE)]
        codings[coding] = (headers + [("Content-Encoding", coding)] * (coding in packed), content)
    return status, codings


def _show(page: Page, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    status, codings = page
    headers, body = codings[_choose(environ.get("HTTP_ACCEPT_ENCODING", ""))]
    method, known = environ["REQUEST_METHOD"], environ.get("HTTP_IF_NONE_MATCH", "")
    if method not in READS:
        status, headers, body = "405 Method Not Allowed", [("Allow", "GET, HEAD"), ("Content-Length", "0")], b""
    elif known and status == "200 OK" and dict(headers)["ETag"] in known:
        status, headers, body = "304 Not Modified", [h for h in headers if not h[0].startswith("Content-")], b""
    start_response(status, headers)
    return [] if method == "HEAD" else [body]


def _send(file: Path, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    coding = _choose(environ.get("HTTP_ACCEPT_ENCODING", ""))
    packed = file.with_name(file.name + ENCODED.get(coding, ""))
    chosen = packed if packed.is_file() else file
    is_hashed = _HASHED.fullmatch(environ["PATH_INFO"])
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
    return parse_accept_header(accepted).best_match(ENCODED, "identity")


def keep_files(build: Path, folder: Path) -> None:
    """Keep the hashed files of the build that is about to be served, and delete those that no page needs now."""
    names = [path.relative_to(build) for path in build.rglob("*.*")]
    own = {folder / name: build / name for name in names if _HASHED.fullmatch(f"/{name}")}
    try:
        for kept, path in own.items():
            if not kept.is_file():
                beside = kept.with_name(f"{kept.name}.{os.getpid()}~")  # no address: nobody gets half of it
                beside.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, beside)
                beside.replace(kept)
            os.utime(kept, (IN_USE, IN_USE))
        for kept in {path for path in folder.rglob("*.*") if path.is_file()} - own.keys():
            since = min(kept.stat().st_mtime, time.time())
            os.utime(kept, (since, since))
            if since < time.time() - KEPT_SECONDS:
                kept.unlink(missing_ok=True)
    except OSError as error:  # what is in the folder is served all the same
        log.warning("cannot keep this build's files in %s (%s): open pages miss them", folder, error.strerror)
