"""What every request to Flower goes through: the lock of its login, which the metrics need too, and headers."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from math import ceil
from time import monotonic
from typing import Any

from flower.views import BaseHandler, monitor
from tornado.httputil import HTTPHeaders
from tornado.web import Finish, HTTPError, OutputTransform, authenticated

from leads.network import network_of

log = logging.getLogger(__name__)

FREE_FAILURES = 5  # people mistype
LOCK_SECONDS, MAX_LOCK_SECONDS = 60.0, 3600.0  # the first lock, which each further failure doubles
MAX_NETWORKS = 10_000  # that are remembered

HEADERS = {
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


@dataclass(slots=True)
class _Failures:
    """Of one network: how many different logins failed, the last of them, and until when no other is looked at."""

    times: int = 0
    last: str = ""
    locked_until: float = 0.0


class LoginLock:
    """Locks out a network after failed logins, for longer and longer.

    The same wrong login again is no guess: a page that is still open sends it every few seconds.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._networks: dict[str, _Failures] = {}

    def seconds_left(self, network: str) -> float:
        """Return for how long no login of this network is looked at."""
        failures = self._networks.get(network)
        return 0.0 if failures is None else max(0.0, failures.locked_until - self._clock())

    def fail(self, network: str, login: str) -> None:
        """Note a login that failed."""
        failures = self._networks.pop(network, _Failures())
        self._networks[network] = failures  # the newest last
        if login == failures.last:
            return
        failures.times, failures.last = failures.times + 1, login
        if failures.times >= FREE_FAILURES:
            seconds = min(MAX_LOCK_SECONDS, LOCK_SECONDS * 2 ** (failures.times - FREE_FAILURES))
            failures.locked_until = self._clock() + seconds
            log.warning("%d logins failed from one network: it is locked for %d s", failures.times, seconds)
        if len(self._networks) > MAX_NETWORKS:
            del self._networks[next(iter(self._networks))]

    def succeed(self, network: str) -> None:
        """Forget the failures of a network."""
        self._networks.pop(network, None)

    def guard(self, check: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Return Flower's check of a login behind this lock."""

        def get_current_user(handler: Any) -> Any:
            network, login = network_of(handler.request.remote_ip), handler.request.headers.get("Authorization", "")
            if login and (left := self.seconds_left(network)):
                handler.set_status(HTTPStatus.TOO_MANY_REQUESTS)
                handler.set_header("Retry-After", str(ceil(left)))
                handler.set_header("Content-Type", "text/plain")
                raise Finish(f"Too many logins failed. Try again in {ceil(left / 60)} min.\n")
            try:
                user = check(handler)
            except HTTPError:
                if login:
                    self.fail(network, login)
                raise
            self.succeed(network)
            return user

        return get_current_user


def lock_logins() -> None:
    """Put a lock before the check that all of Flower's pages share."""
    BaseHandler.get_current_user = LoginLock().guard(BaseHandler.get_current_user)


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
