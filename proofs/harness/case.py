"""How a proof ends: it holds, it is broken, or it cannot run here."""

from __future__ import annotations


class Broken(Exception):
    """A promise was not kept; the message says what was observed."""


class NotHere(Exception):
    """This machine lacks what the case needs; the message says what."""


def require(condition: object, otherwise: str) -> None:
    """Raise `Broken` unless the condition holds."""
    if not condition:
        raise Broken(otherwise)
