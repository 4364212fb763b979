"""A request as WSGI's environ: the headers that count, and nothing of this process's own environment."""

from __future__ import annotations

import re
import sys
from io import BytesIO
from typing import IO
from urllib.parse import unquote_to_bytes
from wsgiref.types import WSGIEnvironment

from uvicorn._types import HTTPScope
from werkzeug.wsgi import FileWrapper

from web.server.answer import PIECE_BYTES

# Longer values are cut before anything reads them: parsing takes time, and every visitor waits for it. No browser
# sends such, but for cookies and an advertisement's address.
MAX_VALUE_LENGTH = 4096
MAX_ACCEPT_LENGTH = 256  # lists, of which each item costs as much as a whole short page
# Without these a request would be another one. All other headers only describe it, and are dropped.
_REFUSED_WHEN_LONG = {"HTTP_HOST", "HTTP_X_FORWARDED_FOR", "HTTP_IDEMPOTENCY_KEY", "CONTENT_TYPE"}

_HOST = re.compile(rb"(?:[A-Za-z0-9._~%!$&'()*+,;=-]*|\[[0-9A-Fa-f:.]+\])(?::[0-9]*)?")


class HeaderTooLong(Exception):
    """A header that decides what the request is has a longer value than it may have."""


def is_well_formed(scope: HTTPScope) -> bool:
    """Return whether it is HTTP/1.1 with one valid host (RFC 9112, 3.2), or HTTP/1.0, which needs none."""
    if scope["http_version"] not in {"1.0", "1.1"}:
        return False
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    if not hosts:
        return scope["http_version"] == "1.0"
    return len(hosts) == 1 and _HOST.fullmatch(hosts[0].strip()) is not None


def build_environ(scope: HTTPScope) -> WSGIEnvironment:
    """Return the environ, with an empty body; raises `HeaderTooLong`.

    X_Forwarded_For would become the same variable as X-Forwarded-For, and no proxy cleans it: headers with an
    underscore in their name are dropped.
    """
    server, client = scope["server"] or ("", 0), scope["client"] or ("", 0)
    environ: WSGIEnvironment = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        "wsgi.file_wrapper": _wrap_file,
    }
    for raw_name, raw_value in scope["headers"]:
        if b"_" in raw_name:
            continue
        name = raw_name.decode("latin-1").upper().replace("-", "_")
        value = raw_value.decode("latin-1")
        if name in {"CONTENT_TYPE", "CONTENT_LENGTH"}:
            environ[name] = value
        else:
            variable = f"HTTP_{name}"
            environ[variable] = f"{environ[variable]},{value}" if variable in environ else value
    _drop_long(environ)
    return environ


def _drop_long(environ: WSGIEnvironment) -> None:
    for variable in [name for name in environ if name.startswith(("HTTP_", "CONTENT_"))]:
        limit = MAX_ACCEPT_LENGTH if variable.startswith("HTTP_ACCEPT") else MAX_VALUE_LENGTH
        if len(environ[variable]) > limit:
            if variable in _REFUSED_WHEN_LONG:
                raise HeaderTooLong
            del environ[variable]


def _wrap_file(file: IO[bytes], _size: int = 0) -> FileWrapper:
    """Return the file in pieces of the size that is sent: each is one turn of a thread."""
    return FileWrapper(file, PIECE_BYTES)


def set_body(environ: WSGIEnvironment, body: bytes) -> None:
    """Give the request the body that was read."""
    environ["wsgi.input"] = BytesIO(body)
    environ["CONTENT_LENGTH"] = str(len(body))
    environ.pop("HTTP_TRANSFER_ENCODING", None)
