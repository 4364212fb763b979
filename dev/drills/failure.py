"""How a drill fails. Every module of the drills may raise this; it imports none of them."""

from __future__ import annotations


class DrillFailed(Exception):
    """A property does not hold; the message says what was seen."""
