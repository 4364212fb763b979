"""Why a row is held as suspected spam. It is stored like all others, and costs no call to the CRM and no e-mail.

The rules in words: docs/limits-and-security.md.
"""

from __future__ import annotations

from enum import StrEnum


class Held(StrEnum):
    """The first of these that applies is stored with the row."""

    HONEYPOT = "honeypot"  # the field that people do not see was filled
    NO_START = "no-start"  # no start token: no page was opened, or no script ran on it
    FORGED = "forged"  # a start token that this site did not sign
    EXPIRED = "expired"  # a start token that is too old
    TOO_FAST = "too-fast"  # sent sooner after its start token than anybody types
    REPLAYED = "replayed"  # one start token for many different enquiries
    PERSON = "person"  # many enquiries with one e-mail address or one phone number from one network address
    ADDRESS = "address"  # many from one network address
    FLOOD = "flood"  # many more than usual, from everywhere; or many held ones


# Honest visitors are held for the other reasons too: a form sent without script has no start token, a page left
# open has an old one, a tab that closes at once a young one, and many phones share an address.
FOR_STAFF = (Held.HONEYPOT, Held.FLOOD)
# So long a row is held before it goes by itself: a flood has shown itself by then.
RELEASE_AFTER_SECONDS = 600
