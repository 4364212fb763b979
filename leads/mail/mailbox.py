"""The mailbox behind an e-mail address, and the domain that pays for it, whatever the spelling. Pure.

Providers: as they describe their own addresses, November 2026.
"""

from __future__ import annotations

import unicodedata

import idna

from leads.tables.enquiries import MAX_MAILBOX_LENGTH

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
# What makes no difference in the name, besides the case and a tag after a plus.
_IGNORED = {"gmail.com": ".", "proton.me": ".-_"}
# Strangers share these domains, so that one of them using much says nothing about the others.
_LARGE = frozenset(
    "gmail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com rocketmail.com icloud.com aol.com "
    "proton.me gmx.com gmx.net gmx.de web.de mail.com mail.ru yandex.ru fastmail.com zoho.com hey.com "
    "btinternet.com sky.com virginmedia.com talktalk.net ntlworld.com blueyonder.co.uk hotmail.co.uk live.co.uk "
    "outlook.co.uk yahoo.co.uk aol.co.uk comcast.net verizon.net att.net sbcglobal.net cox.net bellsouth.net "
    "rogers.com shaw.ca telus.net sympatico.ca yahoo.ca hotmail.ca live.ca bigpond.com bigpond.net.au "
    "optusnet.com.au yahoo.com.au hotmail.com.au live.com.au xtra.co.nz yahoo.co.nz eircom.net yahoo.ie orange.fr "
    "free.fr laposte.net yahoo.fr hotmail.fr wanadoo.fr t-online.de yahoo.de hotmail.de libero.it hotmail.it "
    "yahoo.it hotmail.es yahoo.es ziggo.nl kpnmail.nl telenet.be qq.com 163.com hotmail.com.tr mynet.com".split()
)
_MAX_SECOND_LEVEL = 3  # letters, of "co" in "co.uk" and "com" in "com.au"


def ascii_domain(domain: str) -> str:
    """Return a domain as DNS has it: of full-width letters, soft hyphens and capitals only their meaning is left.

    Raises `ValueError` when there is no such domain.
    """
    try:
        return idna.encode(domain, uts46=True, transitional=False).decode().lower().rstrip(".")
    except idna.IDNAError as error:
        raise ValueError("not a domain") from error


def mailbox_of(email: str) -> str:
    """Return the mailbox that receives mail for `email`, so that another spelling does not evade a limit.

    Truncated to the column's length: a few letters, such as the dotted capital I, become longer in lower case.
    """
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
    return f"{name}@{domain}"[:MAX_MAILBOX_LENGTH]


def paying_domain(mailbox: str) -> str | None:
    """Return the domain whose budget a mailbox uses: one owner's, with all names below it; None at a large provider."""
    domain = mailbox.rpartition("@")[2]
    if domain in _LARGE:
        return None
    labels = domain.split(".")
    second_level = len(labels) > 2 and len(labels[-1]) == len("uk") and len(labels[-2]) <= _MAX_SECOND_LEVEL  # noqa: PLR2004
    return ".".join(labels[-3:] if second_level else labels[-2:])
