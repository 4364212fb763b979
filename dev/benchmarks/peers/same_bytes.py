"""P12's peer: the site's own server with an application that only returns a file's bytes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment


def create_app() -> WSGIApplication:
    """The application; `BODY_FILE` names the file."""
    page = Path(os.environ["BODY_FILE"]).read_bytes()
    headers = [
        ("Content-Type", "text/html; charset=utf-8"),
        ("Content-Encoding", "gzip"),
        ("Content-Length", str(len(page))),
    ]

    def answer(_environ: WSGIEnvironment, start_response: StartResponse) -> list[bytes]:
        start_response("200 OK", headers)
        return [page]

    return answer
