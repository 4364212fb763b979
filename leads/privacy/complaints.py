"""Data complaints: what somebody says about how their data is treated, and the register of it. SQL only.

A complaint is answered by people; nothing of it goes to the CRM.
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

# Days within which the complainer must have heard of us (UK Data Protection Act 2018, section 164A).
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
    """Store a complaint (name, email, text) and give its reference; `StoreUnavailable` when the database is away.

    `held`: suspected spam, which the register shows only when asked for all.
    """
    row = {**values, "id": uuid4(), "held": held}

    def store(connection: Connection) -> str:
        connection.execute(_STORE, row)
        return str(connection.execute(_REFERENCE, {"id": row["id"]}).scalar_one())

    return run_with_retry(engine, store)


def list_complaints(engine: Engine, *, limit: int, everything: bool = False) -> list[dict[str, Any]]:
    """The register, oldest first: what waits for an answer, or everything."""
    asked = {"days": ANSWER_DAYS, "all": everything, "limit": limit}
    with engine.connect() as connection:
        return [dict(row) for row in connection.execute(_LIST, asked).mappings()]


def answer_complaint(engine: Engine, reference: str, *, by: str) -> int:
    """Write down that a complaint was answered; gives how many that were, 0 when it was before or is not there."""
    with engine.connect() as connection:
        return len(connection.execute(_ANSWER, {"reference": reference, "by": by}).all())
