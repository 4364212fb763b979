"""`python -m benchmarks.peers.same_bytes`: P12's peer, the site's own server returning only a file's bytes."""

from __future__ import annotations

import os
from pathlib import Path
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from web.__main__ import serve
from web.server.front import Front


def main() -> None:
    """Serve on PORT of loopback."""
    front = Front(create_app(), lambda _: False, threads=1)
    serve(front, "127.0.0.1", int(os.environ["PORT"]))


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


if __name__ == "__main__":
    main()
