"""Everything stored about one person, for that person: the rows that an erasure would erase, and their history."""

from typing import Any
from uuid import UUID

from sqlalchemy import Engine, text

from leads.db import run
from leads.privacy.erasure import Person, find_person, hashes_of, list_erasures

_ROWS = """
SELECT * FROM {table} JOIN crm_deliveries USING (id) WHERE id = ANY(cast(:ids AS uuid[])) ORDER BY created_at, id
"""
_ATTEMPTS = """
SELECT destination, kind, row_id, at, event, code, http_status, detail, next_retry_at FROM attempts
WHERE row_id = ANY(cast(:ids AS uuid[])) ORDER BY id
"""
_MESSAGES = """
SELECT * FROM deliveries WHERE id = ANY(cast(:ids AS uuid[])) AND destination <> 'zoho'
ORDER BY queued_at, destination
"""


def export_person(engine: Engine, person: Person, *, key: str) -> dict[str, Any]:
    """Return lists by name: leads, whatsapp_clicks, attempts, messages, erasures.

    Erasures can only be found with `key` (ERASURE_KEY); without one that list is None, which means unknown.
    """
    found, hashes = find_person(engine, person), hashes_of(person, key)
    return {
        "leads": _read(engine, _ROWS.format(table="leads"), found.leads),
        "whatsapp_clicks": _read(engine, _ROWS.format(table="whatsapp_clicks"), found.clicks),
        "attempts": _read(engine, _ATTEMPTS, (*found.leads, *found.clicks)),
        "messages": _read(engine, _MESSAGES, found.leads),
        "erasures": list_erasures(engine, limit=1000, hashes=hashes) if key else None,
    }


def _read(engine: Engine, statement: str, ids: tuple[UUID, ...]) -> list[dict[str, Any]]:
    rows = [row._asdict() for row in run(engine, text(statement), {"ids": list(ids)})]
    for row in rows:
        row.pop("request_digest", None)  # a checksum of the other columns
    return rows
