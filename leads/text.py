"""Cleaning and truncating text from outside, before it is validated or stored. Pure."""

from __future__ import annotations

import re

# PostgreSQL cannot store NUL, UTF-8 has no lone surrogates, and no other control character means anything to a
# salesperson. Tabs and line breaks stay.
_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def strip_control(text: str) -> str:
    """Return the text without characters that cannot be stored or shown, and without outer white space."""
    return _UNSTORABLE.sub("", text).strip()


def truncate(text: str | None, length: int) -> str | None:
    """Return the cleaned text, at most `length` characters; None when nothing is left."""
    if text is None:
        return None
    return strip_control(text)[:length].rstrip() or None
