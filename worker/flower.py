"""Flower as it runs here: `python -m worker.flower --port=5555`. A login is required, for its metrics too.

Reads FLOWER_BASIC_AUTH (user:password), or the file that FLOWER_BASIC_AUTH_FILE names. Its health check stays open.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from flower import urls
from flower.views import monitor
from tornado.web import OutputTransform, authenticated

from worker.app import app

if TYPE_CHECKING:
    from tornado.httputil import HTTPHeaders

HEADERS = {
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class Metrics(monitor.Metrics):
    """Flower's metrics, behind its login."""

    @authenticated
    async def get(self) -> None:
        """Write the metrics."""
        await super().get()


class SecurityHeaders(OutputTransform):
    """No page may frame Flower, and no cache keeps what it shows; its own files may be cached."""

    def transform_first_chunk(
        self,
        status_code: int,
        headers: HTTPHeaders,
        chunk: bytes,
        finishing: bool,  # noqa: FBT001 - Tornado's signature
    ) -> tuple[int, HTTPHeaders, bytes]:
        """Add the headers to those of the answer."""
        for name, value in HEADERS.items():
            if name not in headers:
                headers[name] = value
        headers.pop("Server", None)
        return super().transform_first_chunk(status_code, headers, chunk, finishing)


def start(arguments: list[str]) -> None:
    """Start Flower; ends when Flower does."""
    login = os.environ.get("FLOWER_BASIC_AUTH", "").strip()
    if file := os.environ.get("FLOWER_BASIC_AUTH_FILE", "").strip():
        login = login or Path(file).read_text(encoding="utf-8").strip()
    user, _, password = login.partition(":")
    if not user or not password:
        sys.exit("FLOWER_BASIC_AUTH must be user:password: Flower shows the queues to nobody without a login")
    os.environ["FLOWER_BASIC_AUTH"] = login
    urls.settings["transforms"] = [SecurityHeaders]
    urls.handlers.insert(0, (r"/metrics", Metrics))
    app.start(["flower", *arguments])


if __name__ == "__main__":
    start(sys.argv[1:])
