"""Ids of rows: UUIDv7, in the order of their creation; references of leads, six digits of that time.

Rows that are written together then touch the same pages of an index, however many rows there are; random ids touch
a page each. An id shows when its row was created.
"""

from __future__ import annotations

from uuid import UUID

from uuid_utils.compat import uuid7

new_id = uuid7


def short_id(row_id: object) -> str:
    """Return an id's beginning as people are shown it: its millisecond, "019a8c3e-7f21"."""
    return str(row_id)[:13]


def created_at(row_id: UUID) -> float:
    """Return when an id of ours was made, in seconds since 1970."""
    return (row_id.int >> 80) / 1000


def reference_of(row_id: UUID) -> str:
    """Return what people name a lead by: the last six digits of the millisecond in which its id was made."""
    return f"{(row_id.int >> 80) % 1_000_000:06}"
