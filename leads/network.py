"""The network behind an address: it stands for one visitor or household. Pure."""

from __future__ import annotations

import ipaddress
from functools import lru_cache

_IPV6_PREFIX = 64  # what a provider gives to one customer at least (RFC 6177)


@lru_cache(4096)
def network_of(address: str | None) -> str:
    """Return an IPv4 address, or the /64 of an IPv6 address; any other text, as a proxy may send, unchanged."""
    try:
        parsed = ipaddress.ip_address((address or "").partition("%")[0])
    except ValueError:
        return address or ""
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, _IPV6_PREFIX), strict=False).network_address)
