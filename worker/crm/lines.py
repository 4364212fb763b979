"""Text as a field of the CRM takes it: one clean line, short enough, and nothing that a spreadsheet would run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from leads.text import strip_control

DESCRIPTION = 32_000  # length of that field in a sample organisation (Zoho CRM API v7: Fields Metadata)
# What spreadsheets take for the beginning of a formula, also in full width (OWASP: CSV Injection). Signs alone,
# such as dashes for a name, are none.
_FORMULA = re.compile(r"[=+\-@\uff1d\uff0b\uff0d\uff20][\s=+\-@]*[^\s=+\-@]")


def is_formula(value: str) -> bool:
    """Whether a spreadsheet would run the text."""
    return _FORMULA.match(value) is not None


def describe(message: str, notes: list[str]) -> str:
    """The message, then the notes. Too long a message is truncated before the notes, which exist nowhere else."""
    below = truncate("\n".join(notes), DESCRIPTION)
    if not below:
        return truncate(defuse(message), DESCRIPTION)
    above = truncate(defuse(message), max(0, DESCRIPTION - units(below) - 2))
    return f"{above}\n\n{below}" if above else below


def text_of(row: Mapping[str, Any], column: str) -> str:
    """The column's text with its line breaks."""
    value = row.get(column)
    return "" if value is None else strip_control(str(value))


def line_of(row: Mapping[str, Any], column: str) -> str:
    """The column's text as one line."""
    return one_line(text_of(row, column))


def one_line(text: str) -> str:
    """The text without line breaks and control characters."""
    return " ".join(strip_control(text).split())


def fit_line(value: object, length: int) -> str:
    """Any value as one line that fits."""
    return fit(one_line(str(value)), length)


def fit(value: str, length: int) -> str:
    """A clean line that fits."""
    return truncate(defuse(value.strip()), length)


def defuse(value: str) -> str:
    """The text with an apostrophe before what a spreadsheet would run: staff export leads."""
    return f"'{value}" if is_formula(value) else value


def truncate(value: str, length: int) -> str:
    """At most `length` UTF-16 units: Zoho does not say what it counts; units are never fewer than characters."""
    if units(value) <= length:
        return value
    return value.encode("utf-16-le")[: 2 * length].decode("utf-16-le", "ignore").rstrip()


def units(value: str) -> int:
    """How many UTF-16 units the text has."""
    return len(value.encode("utf-16-le")) // 2
