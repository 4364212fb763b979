"""The mailbox behind an e-mail address, whatever the spelling of the address. Pure."""

from __future__ import annotations

from leads.tables.enquiries import MAX_MAILBOX_LENGTH

# At these domains, dots in the name make no difference.
_DOTLESS = frozenset({"gmail.com", "googlemail.com"})


def mailbox_of(email: str) -> str:
    """Return the mailbox that receives mail for `email`, so that another spelling does not evade the daily limit.

    Truncated to the column's length: a few letters, such as the dotted capital I, become longer in lower case.
    """
    name, _, domain = email.lower().rpartition("@")
    name = name.partition("+")[0] or name
    return f"{name.replace('.', '') if domain in _DOTLESS else name}@{domain}"[:MAX_MAILBOX_LENGTH]
