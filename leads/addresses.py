"""What stands for one visitor: the mailbox behind an e-mail address, and the network behind an IP address. Pure."""

import ipaddress
import unicodedata
from functools import lru_cache

import idna

_IPV6_PREFIX = 64  # what a provider gives to one customer at least (RFC 6177)
# Domains that name the same mailboxes of one provider; these, and what follows, as the providers describe their own
# addresses, November 2026.
_ALIASES = {
    "googlemail.com": "gmail.com",
    "protonmail.com": "proton.me",
    "protonmail.ch": "proton.me",
    "pm.me": "proton.me",
    "me.com": "icloud.com",
    "mac.com": "icloud.com",
    "ya.ru": "yandex.ru",
    "yandex.com": "yandex.ru",
}
# Characters that a provider ignores in the name, as all of these ignore its case and a tag after a plus.
_IGNORED = {"gmail.com": ".", "proton.me": ".-_"}


def ascii_domain(domain: str) -> str:
    """Return a domain as DNS spells it: without capitals, full-width letters and soft hyphens.

    Raises `ValueError` when there is no such domain.
    """
    if domain.isascii():
        return domain.lower().rstrip(".")
    try:
        return idna.encode(domain, uts46=True, transitional=False).decode().lower().rstrip(".")
    except idna.IDNAError as error:
        raise ValueError("not a domain") from error


def mailbox_of(email: str) -> str:
    """Return the mailbox that receives mail for `email`, so that another spelling does not evade a limit."""
    name, _, typed = email.rpartition("@")
    try:
        domain = ascii_domain(typed)
    except ValueError:
        domain = typed.lower()
    domain = _ALIASES.get(domain, domain)
    name = unicodedata.normalize("NFKC", name).strip('"').lower()
    name = name.partition("+")[0] or name
    for letter in _IGNORED.get(domain, ""):
        name = name.replace(letter, "")
    return f"{name}@{domain}"


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
