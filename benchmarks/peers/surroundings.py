"""What surrounds an accept, for the FastAPI peers: the bell to the workers, and the security headers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from api.doorbell import Doorbell
from leads.settings import read_settings
from web.headers import security_headers

App = Callable[..., Awaitable[None]]

_settings = read_settings()
_HEADERS = [
    (name.lower().encode(), value.encode())
    for name, value in [("Cache-Control", "no-store"), *security_headers(_settings)]
]

# The product's own: a thread merges the rings of 20 ms and publishes one message for them.
bell = Doorbell(_settings.redis_url)


class SecurityHeaders:
    """Middleware that adds the product's headers to every reply."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request."""

        async def send_with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_HEADERS]
            await send(message)

        await self._app(scope, receive, send_with_headers)
