"""Finding rows by what people have of them: the beginning of an id, a reference, a code, an address, a number."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import Engine, text

from leads.outbox.rows import Kind

MAX_FOUND = 50
_ROWS = """
SELECT kind, id, {reference} AS reference, zoho_status, zoho_record_id, zoho_sent_at, retry_count,
       lost_leases, last_retry_at,
       CASE WHEN zoho_status IN ('pending', 'sending', 'retrying') THEN next_retry_at END AS next_retry_at,
       last_error, held_reason, queued_at, created_at,
       (SELECT json_object_agg(message.destination, message.status ORDER BY message.destination)
        FROM deliveries AS message WHERE message.id = found.id AND message.destination <> 'zoho') AS messages
FROM (SELECT * FROM {rows} WHERE {condition}) AS found ORDER BY created_at DESC LIMIT :limit
"""
_TIMELINE = text("""
SELECT at, destination, event, code, http_status, detail, call_id, next_retry_at FROM attempts
WHERE row_id = :id ORDER BY id
""")
_BY_ID = "id >= cast(:low AS uuid) AND id <= cast(:high AS uuid)"


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to find rows of a kind: a condition and its values."""

    kind: Kind
    condition: str
    values: dict[str, object]


def find_rows(engine: Engine, word: str) -> list[dict[str, Any]]:
    """Return the leads and clicks that a word means, the newest first, MAX_FOUND of each at most; no personal data.

    Each has the state of its delivery to the CRM, and as `messages` the status of each message by destination.

    A word is the beginning of an id (four characters or more), a lead's six-digit reference, the code of a WhatsApp
    message, the id of a record in the CRM, an e-mail address, or a phone number with its country code (+44…).
    """
    found: dict[UUID, dict[str, Any]] = {}
    with engine.connect() as connection:
        for way in _ways(word.strip()):
            query = _ROWS.format(rows=way.kind.with_crm, reference=way.kind.reference, condition=way.condition)
            for row in connection.execute(text(query), {**way.values, "limit": MAX_FOUND}).mappings():
                found[row["id"]] = dict(row)
    return sorted(found.values(), key=lambda row: row["created_at"], reverse=True)


def read_timeline(engine: Engine, row_id: UUID) -> list[dict[str, Any]]:
    """Return every recorded event of a row's deliveries, oldest first."""
    with engine.connect() as connection:
        return [dict(row) for row in connection.execute(_TIMELINE, {"id": row_id}).mappings()]


def _ways(word: str) -> list[_Way]:
    if "@" in word:
        return [_Way(Kind.LEAD, "lower(email) = lower(:word)", {"word": word})]
    if word.startswith("+"):
        return [_Way(Kind.LEAD, "phone_e164 = :word", {"word": "+" + re.sub(r"\D", "", word)})]
    ways = []
    digits = word.lower().replace("-", "")
    if re.fullmatch(r"[0-9a-f]{4,32}", digits):
        ends: dict[str, object] = {
            "low": str(UUID(digits.ljust(32, "0"))),
            "high": str(UUID(digits.ljust(32, "f"))),
        }
        ways += [_Way(kind, _BY_ID, ends) for kind in Kind]
    if re.fullmatch(r"[0-9]{6}", word):
        ways.append(_Way(Kind.LEAD, "reference = :word", {"word": word}))
    if re.fullmatch(r"[0-9]{10,64}", word):
        ways += [_Way(kind, "zoho_record_id = :word", {"word": word}) for kind in Kind]
    if re.fullmatch(r"[0-9A-Za-z-]{4,80}", word):
        ways.append(_Way(Kind.CLICK, "unique_code = :word", {"word": word}))
    return ways
