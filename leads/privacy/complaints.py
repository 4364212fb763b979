"""Complaints about how personal data is handled, and their register. SQL only.

People answer complaints; no part of a complaint is sent to the CRM.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from sqlalchemy import text
from sqlalchemy.dialects.postgresql import insert

from leads.db import run_with_retry
from leads.tables import complaints

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection, Engine

# Days within which the complainant must have heard from us (UK Data Protection Act 2018, section 164A).
ANSWER_DAYS = 30

_STORE = insert(complaints).on_conflict_do_nothing()
_REFERENCE = text("SELECT reference FROM complaints WHERE id = :id")
_LIST = text("""
SELECT reference, created_at, created_at + make_interval(days => :days) AS answer_by, answered_at, answered_by,
       name, email, text, held
FROM complaints WHERE cast(:all AS bool) OR (answered_at IS NULL AND NOT held) ORDER BY number LIMIT :limit
""")
_ANSWER = text("""
UPDATE complaints SET answered_at = now(), answered_by = :by WHERE reference = :reference AND answered_at IS NULL
RETURNING id
""")


def record_complaint(engine: Engine, values: Mapping[str, Any], *, held: bool = False) -> str:
    """Store a complaint (name, email, text) and return its reference.

    `held`: suspected spam, which the register lists only when everything is requested. Raises `StoreUnavailable`
    when the database is unavailable.
    """
    row = {**values, "id": uuid4(), "held": held}

    def store(connection: Connection) -> str:
        connection.execute(_STORE, row)
        return str(connection.execute(_REFERENCE, {"id": row["id"]}).scalar_one())

    return run_with_retry(engine, store)


def list_complaints(engine: Engine, *, limit: int, everything: bool = False) -> list[dict[str, Any]]:
    """Return the register, oldest first: the complaints that wait for an answer, or everything."""
    parameters = {"days": ANSWER_DAYS, "all": everything, "limit": limit}
    with engine.connect() as connection:
        return [dict(row) for row in connection.execute(_LIST, parameters).mappings()]


def answer_complaint(engine: Engine, reference: str, *, by: str) -> int:
    """Record that a complaint was answered; return 1, or 0 when it was answered before or does not exist."""
    with engine.connect() as connection:
        return len(connection.execute(_ANSWER, {"reference": reference, "by": by}).all())
