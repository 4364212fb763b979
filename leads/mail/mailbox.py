"""The mailbox behind an e-mail address, however the address was typed. Pure."""

from __future__ import annotations

from leads.tables.enquiries import MAX_MAILBOX_LENGTH

# A mailbox under these names is the same with dots in it and without.
_DOTLESS = frozenset({"gmail.com", "googlemail.com"})


def mailbox_of(email: str) -> str:
    """The mailbox that an address ends in, so that spelling it otherwise does not help against the limit.

    Cut where the column ends: a few letters, like the dotted capital I, are longer when small.
    """
    name, _, domain = email.lower().rpartition("@")
    name = name.partition("+")[0] or name
    return f"{name.replace('.', '') if domain in _DOTLESS else name}@{domain}"[:MAX_MAILBOX_LENGTH]
