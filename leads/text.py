"""Cleaning and truncating text from outside, before it is validated or stored. Pure."""

import re
import unicodedata

# PostgreSQL cannot store NUL, UTF-8 has no lone surrogates, and no other control character means anything to a
# salesperson. Tabs and line breaks stay. Bidirectional controls (such as U+202E) would show the text after them in
# another order than it is stored; the rest is invisible, and hides differences between texts that look the same.
_REMOVED = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff"
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # bidirectional controls
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u2060-\u2065\u206a-\u206f\u2800\u3164\ufeff\uffa0"
    "\ufff9-\ufffb\U0001d173-\U0001d17a]"
)
# Joiners, variation selectors and tags are part of words (Persian, Hindi) and of emoji. They mean nothing, and
# are removed, where nothing visible is before them; so are joiners that are not between two letters or pictures.
_JOINERS = re.compile("[\u200c\u200d]+")
_ATTACHED = "\u200c\u200d\ufe00-\ufe0f\U000e0020-\U000e007f\U000e0100-\U000e01ef"
_UNATTACHED = re.compile(f"(?:(?<=\\s)|^)[{_ATTACHED}]+")
_MAX_ATTACHED = re.compile(f"([{_ATTACHED}]{{8}})[{_ATTACHED}]+")  # a flag of a country within a country has seven
# Most text has nothing to clean.
_ORDINARY = re.compile(r"[\t\n\r\x20-\x7e\xa1-\xac\xae-\u02ff]*")


def strip_control(text: str) -> str:
    """Return the text without characters that cannot be stored or seen, and without outer white space."""
    if _ORDINARY.fullmatch(text):
        return text.strip()
    attached = _MAX_ATTACHED.sub(r"\1", _UNATTACHED.sub("", _REMOVED.sub("", text)))
    return _JOINERS.sub(_keep_between, attached).strip()


def plain_address(text: str) -> str:
    """Return an e-mail address as it is meant: nothing invisible is part of it, and wide letters are plain ones."""
    if text.isascii():
        return strip_control(text)
    return strip_control(unicodedata.normalize("NFKC", _JOINERS.sub("", strip_control(text))))


def plain_number(text: str) -> str:
    """Return a telephone number as it is meant: like an address, and with the digits of any script as 0 to 9."""
    plain = plain_address(text)
    if plain.isascii():
        return plain
    return "".join(str(unicodedata.decimal(character, character)) for character in plain)


def _keep_between(joiners: re.Match[str]) -> str:
    """Return one joiner where it stands between two letters or two pictures, else nothing."""
    text, start, end = joiners.string, joiners.start(), joiners.end()
    if not start or end == len(text):
        return ""
    kinds = {_kind(text[start - 1]), _kind(text[end])}
    return text[end - 1] if kinds in ({"letter"}, {"picture"}) else ""


def _kind(character: str) -> str:
    """Return whether it is part of a letter or of a picture (with what changes its colour), or neither."""
    category = unicodedata.category(character)
    if "\ufe00" <= character <= "\ufe0f" or category in {"So", "Sk"}:
        return "picture"
    return "letter" if category[0] in "LM" else "neither"


def truncate(text: str | None, length: int) -> str | None:
    """Return the cleaned text, at most `length` characters; None when nothing is left."""
    if text is None:
        return None
    return strip_control(text)[:length].rstrip() or None
