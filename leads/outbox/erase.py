"""Erasing a person here: their leads and clicks go in one commit, and what may be in the CRM becomes a work list.

Nothing of the person stays but keyed hashes. The work list is worked off by `leads.outbox.erased` and the worker.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from sqlalchemy import Connection, Engine, Row

# Seconds that the CRM is watched beyond the lease of a call in flight: for what it stores late, and for its search
# index, which lags behind its writes.
GRACE_SECONDS = 120.0

_LEADS = text("""
SELECT id, zoho_record_id, merged_into, session_id FROM leads
WHERE lower(email) = lower(cast(:email AS text)) OR phone_e164 = cast(:phone AS text)
""")
# Enquiries that share a record of the CRM are one person's, and lose it together.
_SHARING = text("""
SELECT id, session_id FROM leads
WHERE merged_into = ANY(cast(:records AS text[])) OR zoho_record_id = ANY(cast(:targets AS text[]))
""")
# A click has no name: it is this person's when it came from the same browser session as one of their enquiries.
_CLICKS = text("SELECT id FROM whatsapp_clicks WHERE session_id = ANY(cast(:sessions AS text[]))")
_LOCK = "SELECT id FROM {table} WHERE id = ANY(cast(:ids AS uuid[])) ORDER BY id FOR UPDATE"
_RECORD = text("""
INSERT INTO erasures (by, email_hash, phone_hash, leads, clicks)
VALUES (:by, :email_hash, :phone_hash, :leads, :clicks) RETURNING id
""")
# A row that was never claimed was never sent: there is nothing to look for.
_WATCH = """
INSERT INTO erased_rows (id, erasure_id, kind, record_ids, watch_until, done_at)
SELECT gone.id, :erasure, :kind, array_remove(ARRAY[gone.zoho_record_id], NULL),
       greatest(now(), CASE WHEN gone.zoho_status = 'sending' THEN gone.next_retry_at END)
           + make_interval(secs => :grace),
       CASE WHEN gone.zoho_record_id IS NULL AND NOT EXISTS (
           SELECT 1 FROM crm_attempts WHERE row_id = gone.id AND event = 'claimed'
       ) THEN now() END
FROM {table} AS gone WHERE gone.id = ANY(cast(:ids AS uuid[]))
ON CONFLICT (id) DO UPDATE SET done_at = NULL, check_at = now(), watch_until = excluded.watch_until,
    record_ids = excluded.record_ids
"""
_COMPLAINTS = text("SELECT count(*) FROM complaints WHERE lower(email) = lower(cast(:email AS text))")
# The register must go on telling how many complaints there were, and when each was answered.
_BLANK = text("""
UPDATE complaints SET name = NULL, email = NULL, text = NULL WHERE lower(email) = lower(cast(:email AS text))
""")
# As `hash_key` has it.
_KEYS = text("""
INSERT INTO erased_keys (key_hash)
SELECT sha256(convert_to(idempotency_key, 'UTF8')) FROM leads
WHERE id = ANY(cast(:ids AS uuid[])) AND idempotency_key IS NOT NULL
ON CONFLICT DO NOTHING
""")
_DELETE = "DELETE FROM {table} WHERE id = ANY(cast(:ids AS uuid[]))"
_KINDS = {"lead": "leads", "click": "whatsapp_clicks"}


@dataclass(frozen=True, slots=True)
class Person:
    """Whom to erase: an e-mail (any case), a phone number in E.164, or both. Does not show itself."""

    email: str | None = field(default=None, repr=False)
    phone: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """ValueError, which does not repeat what was typed, when neither is given or one cannot be."""
        if not self.email and not self.phone:
            raise ValueError("name an e-mail or a phone number")
        if self.email is not None and "@" not in self.email:
            raise ValueError("that is no e-mail address")
        if self.phone is not None and not re.fullmatch(r"\+[1-9][0-9]{4,14}", self.phone, re.ASCII):
            raise ValueError("give the phone number with its country code: +44 7911 123456")


@dataclass(frozen=True, slots=True)
class Found:
    """What is stored of a person: ids of leads and clicks, and how many complaints."""

    leads: tuple[UUID, ...]
    clicks: tuple[UUID, ...]
    complaints: int = 0

    def __bool__(self) -> bool:
        """Whether anything is."""
        return bool(self.leads or self.clicks or self.complaints)


def find_person(engine: Engine, person: Person) -> Found:
    """What would be erased; changes nothing."""
    with engine.connect() as connection:
        return _find(connection, person)


def erase_person(
    engine: Engine, person: Person, *, by: str, key: str, grace_seconds: float = GRACE_SECONDS
) -> Found:
    """Erase everything about a person here, in one commit; gives what it was.

    From the commit on nothing of it can be claimed, and a worker that has a row in hand marks nothing. What is or
    may still come to be in the CRM is on the work list. Again: finds nothing and changes nothing. `key` is
    ERASURE_KEY; without one the record of the erasure names nobody.
    """
    with engine.connect() as connection:
        # Committed before the rows go: a repeat that comes at this moment finds either its row or its key.
        connection.execute(_KEYS, {"ids": list(_find(connection, person).leads)})
    with engine.connect().execution_options(isolation_level="READ COMMITTED") as connection, connection.begin():
        found = _find(connection, person)
        if not found:
            return found
        # Claims and marks under way end first; what they wrote is seen by the statements after this one.
        for table, ids in _tables(found):
            connection.execute(text(_LOCK.format(table=table)), {"ids": list(ids)})
        connection.execute(_KEYS, {"ids": list(found.leads)})
        connection.execute(_BLANK, {"email": person.email})
        hashes = {"email_hash": _hash(key, "email", person.email), "phone_hash": _hash(key, "phone", person.phone)}
        counts = {"leads": len(found.leads), "clicks": len(found.clicks)}
        erasure = connection.execute(_RECORD, {"by": by, **hashes, **counts}).scalar_one()
        for kind, ids in (("lead", found.leads), ("click", found.clicks)):
            table = _KINDS[kind]
            watch = {"erasure": erasure, "kind": kind, "grace": grace_seconds, "ids": list(ids)}
            connection.execute(text(_WATCH.format(table=table)), watch)
            connection.execute(text(_DELETE.format(table=table)), {"ids": list(ids)})
    return found


def hash_key(idempotency_key: str) -> bytes:
    """What stays of an erased lead's idempotency key: its SHA-256, 32 bytes. Browsers make the key at random."""
    return hashlib.sha256(idempotency_key.encode()).digest()


def hashes_of(person: Person, key: str) -> tuple[bytes | None, bytes | None]:
    """The keyed hashes under which erasures of this person are on record: of the e-mail and of the phone."""
    return _hash(key, "email", person.email), _hash(key, "phone", person.phone)


def _tables(found: Found) -> tuple[tuple[str, Sequence[UUID]], ...]:
    return (("leads", found.leads), ("whatsapp_clicks", found.clicks))


def _find(connection: Connection, person: Person) -> Found:
    own = connection.execute(_LEADS, {"email": person.email, "phone": person.phone}).all()
    rows = {row.id: row.session_id for row in [*own, *_sharing(connection, own)]}
    sessions = [session for session in rows.values() if session]
    clicks = connection.execute(_CLICKS, {"sessions": sessions}).scalars() if sessions else ()
    complaints = connection.execute(_COMPLAINTS, {"email": person.email}).scalar_one()
    return Found(tuple(rows), tuple(clicks), complaints)


def _sharing(connection: Connection, own: Sequence[Row[tuple[object, ...]]]) -> Sequence[Row[tuple[object, ...]]]:
    records = [row.zoho_record_id for row in own if row.zoho_record_id]
    targets = [row.merged_into for row in own if row.merged_into]
    if not records and not targets:
        return ()
    # Only a merged enquiry leads back to the record's first one, and only then is the whole table read for it.
    found = connection.execute(_SHARING, {"records": [*records, *targets], "targets": targets})
    return found.all()


def _hash(key: str, what: str, value: str | None) -> bytes | None:
    if not key or not value:
        return None
    return hmac.new(key.encode(), f"{what}:{value.strip().lower()}".encode(), hashlib.sha256).digest()
