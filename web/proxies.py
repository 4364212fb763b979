"""A warning about a proxy that the settings do not know of."""

import ipaddress
import logging
from collections.abc import Iterable
from functools import lru_cache
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

log = logging.getLogger(__name__)


def warn_of_proxies(application: WSGIApplication) -> WSGIApplication:
    """Return `application`, with one warning when the first request for a public host arrives.

    For deployments in which TRUSTED_PROXY_HOPS is 0. A public site has a proxy in front, if only for TLS.
    """
    has_warned = False

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        nonlocal has_warned
        if not has_warned and is_public(environ.get("HTTP_HOST", "")):
            has_warned = True
            log.warning(
                "A request for a public host arrived while TRUSTED_PROXY_HOPS is 0: behind a proxy, every visitor "
                "is stored with the proxy's address. Set it to the number of proxies."
            )
        return application(environ, start_response)

    return answer


@lru_cache(64)
def is_public(host: str) -> bool:
    """Return whether a Host header names something on the internet, and not this machine or a private network."""
    name = host_name(host)
    try:
        return ipaddress.ip_address(name).is_global
    except ValueError:
        return "." in name and not name.endswith((".localhost", ".local", ".internal", ".test"))


def host_name(host: str) -> str:
    """Return a Host header without its port."""
    return host.rpartition("]")[0].lstrip("[") if host.startswith("[") else host.partition(":")[0].lower()
