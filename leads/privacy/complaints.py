"""Complaints about how personal data is handled, and their register. SQL only.

People answer complaints; no part of a complaint is sent to the CRM.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple
from uuid import uuid4

from sqlalchemy import Connection, Engine, text
from sqlalchemy.dialects.postgresql import insert

from leads.db import run_with_retry
from leads.mail.mailbox import mailbox_of
from leads.tables import complaints

# Days within which the complainant must have heard from us (UK Data Protection Act 2018, section 164A).
ANSWER_DAYS = 30

_STORE = insert(complaints).on_conflict_do_nothing()
_SAME = text("""
SELECT reference FROM complaints
WHERE id = :id OR (request_digest = :digest AND created_at > now() - interval '1 day') ORDER BY number LIMIT 1
""")
_LIST = text("""
SELECT reference, created_at, created_at + make_interval(days => :days) AS answer_by, answered_at, answered_by,
       name, email, text, held
FROM complaints WHERE cast(:all AS bool) OR answered_at IS NULL ORDER BY held, number LIMIT :limit
""")
_COUNT = text("""
SELECT count(*) FILTER (WHERE NOT held), count(*) FILTER (WHERE held) FROM complaints WHERE answered_at IS NULL
""")
_ANSWER = text("""
UPDATE complaints SET answered_at = now(), answered_by = :by WHERE reference = :reference AND answered_at IS NULL
RETURNING id
""")


def record_complaint(engine: Engine, values: Mapping[str, Any], *, held: bool = False) -> str:
    """Store a complaint (name, email, text) and return its reference; a repeat within a day gets that of the first.

    `held`: suspected spam, which the register lists behind the others. Raises `StoreUnavailable` when the database
    is unavailable.
    """
    row = {**values, "id": uuid4(), "held": held, "request_digest": _digest(values["email"], values["text"])}
    known = {"id": row["id"], "digest": row["request_digest"]}

    def store(connection: Connection) -> str:
        earlier = connection.execute(_SAME, known).scalar_one_or_none()
        if earlier is None:
            connection.execute(_STORE, row)
            # One that came at the same moment may have been stored instead.
            earlier = connection.execute(_SAME, known).scalar_one()
        return str(earlier)

    return run_with_retry(engine, store)


def _digest(email: str, text: str) -> bytes:
    return hashlib.sha256("\0".join((mailbox_of(email), " ".join(text.split()))).encode()).digest()


def list_complaints(engine: Engine, *, limit: int, everything: bool = False) -> list[dict[str, Any]]:
    """Return the register, oldest first, held ones last: the complaints that wait for an answer, or everything."""
    parameters = {"days": ANSWER_DAYS, "all": everything, "limit": limit}
    with engine.connect() as connection:
        return [dict(row) for row in connection.execute(_LIST, parameters).mappings()]


class OpenComplaints(NamedTuple):
    """How many complaints wait for an answer, and how many more are held."""

    waiting: int
    held: int


def count_open_complaints(engine: Engine) -> OpenComplaints:
    """Count the complaints without an answer."""
    with engine.connect() as connection:
        return OpenComplaints(*connection.execute(_COUNT).one())


def answer_complaint(engine: Engine, reference: str, *, by: str) -> int:
    """Record that a complaint was answered; return 1, or 0 when it was answered before or does not exist."""
    with engine.connect() as connection:
        return len(connection.execute(_ANSWER, {"reference": reference, "by": by}).all())
