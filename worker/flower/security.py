"""What every answer of Flower goes through: security headers; and the login that its metrics need too."""

from __future__ import annotations

from flower.views import monitor
from tornado.httputil import HTTPHeaders
from tornado.web import OutputTransform, authenticated

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
