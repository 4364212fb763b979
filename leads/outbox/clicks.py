"""Storing a WhatsApp click: the same code from the same session is one click, another session's is kept too."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from sqlalchemy import or_, select
from sqlalchemy.dialects.postgresql import insert

from leads.models import whatsapp_clicks
from leads.outbox.commit import commit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection, Engine

# Made once; see record.py.
_STORE = insert(whatsapp_clicks).on_conflict_do_nothing().returning(whatsapp_clicks.c.id)


def record_click(engine: Engine, values: Mapping[str, Any]) -> UUID:
    """Store a click, due at once, and give its id; `StoreUnavailable` when the database is away.

    `values` are columns of `leads.models.whatsapp_clicks`. Five characters can collide: the code of
    another session's click gets a suffix that keeps the column unique and the code findable.
    """
    row = {**values, "id": uuid4()}

    def store(connection: Connection) -> UUID:
        for code in _codes(row["unique_code"], row.get("session_id"), row["id"]):
            stored = _insert(connection, {**row, "unique_code": code}) or _same_click(connection, row, code)
            if stored is not None:
                return stored
        raise AssertionError("a code that holds the click's own id was taken by another click")

    return commit(engine, store)


def _codes(code: str, session_id: str | None, click_id: UUID) -> tuple[str, ...]:
    """The code as sent, then with the session's mark (repeats find themselves), then with the click's id."""
    own = f"{code}-{click_id.hex}"
    if not session_id:
        return code, own
    return code, f"{code}-{hashlib.sha256(session_id.encode()).hexdigest()[:8]}", own


def _insert(connection: Connection, row: Mapping[str, Any]) -> UUID | None:
    return connection.execute(_STORE, row).scalar_one_or_none()


def _same_click(connection: Connection, row: Mapping[str, Any], code: str) -> UUID | None:
    """The stored click that this one repeats; None when the code belongs to another session."""
    table = whatsapp_clicks.c
    known = select(table.id, table.session_id).where(or_(table.id == row["id"], table.unique_code == code))
    for click in connection.execute(known):
        same_session = row.get("session_id") is not None and click.session_id == row["session_id"]
        if click.id == row["id"] or same_session:
            return UUID(str(click.id))
    return None
