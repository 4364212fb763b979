"""Ids of rows: UUIDv7 (RFC 9562), in the order of their creation.

Rows that are written together then touch the same pages of an index, however many rows there are; random ids touch
a page each. An id shows when its row was created.
"""

from __future__ import annotations

import secrets
import time
from uuid import UUID

_NANOS, _STEPS = 1_000_000, 4096  # a millisecond, and the steps that the twelve bits below it can tell apart
_SHORT = 13


def short_id(row_id: object) -> str:
    """Return an id's beginning as people are shown it: its millisecond, "019a8c3e-7f21"."""
    return str(row_id)[:_SHORT]


def new_id() -> UUID:
    """Return an id that sorts after those made before, to a quarter of a microsecond."""
    millis, rest = divmod(time.time_ns(), _NANOS)
    low = 0b10 << 62 | secrets.randbits(62)
    return UUID(int=millis << 80 | 0x7 << 76 | rest * _STEPS // _NANOS << 64 | low)
