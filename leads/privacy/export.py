"""Everything stored about one person, for that person: the rows as they are, and each row's history. SQL only.

It covers the rows that an erasure would erase; `leads.privacy.erasure` finds them.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Engine, text

from leads.privacy.erasure import Person, find_person, hashes_of, list_erasures

_ROWS = """
SELECT * FROM {table} JOIN crm_deliveries USING (id) WHERE id = ANY(cast(:ids AS uuid[])) ORDER BY created_at, id
"""
_ATTEMPTS = text("""
SELECT destination, kind, row_id, at, event, code, http_status, detail, next_retry_at FROM attempts
WHERE row_id = ANY(cast(:ids AS uuid[])) ORDER BY id
""")
_MESSAGES = text("""
SELECT * FROM deliveries WHERE id = ANY(cast(:ids AS uuid[])) AND destination <> 'zoho'
ORDER BY queued_at, destination
""")


def export_person(engine: Engine, person: Person, *, key: str) -> dict[str, Any]:
    """Return lists by name: leads, whatsapp_clicks, attempts, messages, erasures.

    Erasures can only be found with `key` (ERASURE_KEY); without one that list is None, which means unknown.
    """
    found = find_person(engine, person)
    with engine.connect() as connection:
        exported: dict[str, Any] = {
            "leads": _rows(connection, "leads", found.leads),
            "whatsapp_clicks": _rows(connection, "whatsapp_clicks", found.clicks),
            "attempts": _read(connection, _ATTEMPTS, (*found.leads, *found.clicks)),
            "messages": _read(connection, _MESSAGES, found.leads),
        }
    hashes = hashes_of(person, key)
    exported["erasures"] = list_erasures(engine, limit=1000, hashes=hashes) if key else None
    return exported


def _rows(connection: Connection, table: str, ids: tuple[UUID, ...]) -> list[dict[str, Any]]:
    return _read(connection, text(_ROWS.format(table=table)), ids)


def _read(connection: Connection, statement: Any, ids: tuple[UUID, ...]) -> list[dict[str, Any]]:
    rows = [dict(row) for row in connection.execute(statement, {"ids": list(ids)}).mappings()]
    for row in rows:
        row.pop("request_digest", None)  # a checksum of the other columns
    return rows
