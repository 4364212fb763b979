"""The mailbox behind an e-mail address, whatever its spelling. Pure.

Providers: as they describe their own addresses, November 2026.
"""

from __future__ import annotations

import unicodedata

import idna

# Several names of one provider's mailboxes.
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
