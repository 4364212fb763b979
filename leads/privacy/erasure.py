"""Erasure of a person here, in one commit, and the work list of what may still be in the CRM. SQL only.

Only keyed hashes of the person remain. The worker processes the work list.
"""

import hashlib
import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Engine, delete, func, insert, or_, select, text, update

from leads.db import begin, run, seconds
from leads.tables import attempts, deliveries, erased_rows, erasures, leads, whatsapp_clicks

# How many seconds the CRM is watched beyond the lease of a call in flight: it may store a record late, and its
# search index lags behind its writes.
GRACE_SECONDS = 120.0
ROW = erased_rows.c

# A row that was never claimed was never sent, so there is nothing to search for in the CRM.
_WATCH = text("""
INSERT INTO erased_rows (id, erasure_id, kind, record_ids, watch_until, done_at)
SELECT gone.id, :erasure, gone.kind, array_remove(ARRAY[gone.zoho_record_id], NULL),
       greatest(now(), CASE WHEN gone.zoho_status = 'sending' THEN gone.next_retry_at END)
           + make_interval(secs => :grace),
       CASE WHEN gone.zoho_record_id IS NULL AND NOT EXISTS (
           SELECT 1 FROM crm_attempts WHERE row_id = gone.id AND event = 'claimed'
       ) THEN now() END
FROM crm_deliveries AS gone WHERE gone.id = ANY(cast(:ids AS uuid[]))
ON CONFLICT (id) DO UPDATE SET done_at = NULL, check_at = now(), watch_until = excluded.watch_until,
    record_ids = excluded.record_ids
""")
# The store compares the same hash.
_KEYS = text("""
INSERT INTO erased_keys (key_hash)
SELECT sha256(convert_to(idempotency_key, 'UTF8')) FROM leads
WHERE id = ANY(cast(:ids AS uuid[])) AND idempotency_key IS NOT NULL
ON CONFLICT DO NOTHING
""")
# What a restored backup brought back, of the rows that were erased after it was made.
_REOPEN_RETURNED = text("""
UPDATE erased_rows SET done_at = NULL, check_at = now(), watch_until = now() + make_interval(secs => :grace),
    record_ids = array_remove(ARRAY[back.zoho_record_id], NULL)
FROM crm_deliveries AS back WHERE back.id = erased_rows.id
""")
_TABLES = (leads, whatsapp_clicks, deliveries)


@dataclass(frozen=True, slots=True)
class Person:
    """Whom to erase: an e-mail (case is ignored), a phone number in E.164, or both. Its repr hides them."""

    email: str | None = field(default=None, repr=False)
    phone: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Raise ValueError, which never quotes the input, when both are missing or one is malformed."""
        if not self.email and not self.phone:
            raise ValueError("name an e-mail or a phone number")
        if self.email is not None and "@" not in self.email:
            raise ValueError("that is not an e-mail address")
        if self.phone is not None and not re.fullmatch(r"\+[1-9][0-9]{4,14}", self.phone, re.ASCII):
            raise ValueError("give the phone number with its country code: +44 7911 123456")


@dataclass(frozen=True, slots=True)
class Found:
    """What is stored about a person: the ids of leads and clicks."""

    leads: tuple[UUID, ...]
    clicks: tuple[UUID, ...]

    def __bool__(self) -> bool:
        """True when anything is stored about the person."""
        return bool(self.leads or self.clicks)


def find_person(engine: Engine, person: Person) -> Found:
    """Return what an erasure would erase, without changing anything."""
    with engine.connect() as connection:
        return _find(connection, person)


def erase_person(
    engine: Engine, person: Person, *, by: str, key: str, grace_seconds: float = GRACE_SECONDS
) -> Found:
    """Erase everything that is stored here about a person, in one commit.

    From the commit on none of it can be claimed, and a worker that is processing one of the rows marks nothing.
    What is in the CRM, or may still get there, is on the work list. A second call finds and changes nothing.
    `key` is ERASURE_KEY; when it is empty, the record of the erasure does not identify the person.
    """
    with engine.connect() as connection:
        # Committed before the rows are deleted: a repeat that arrives in between finds either its row or its key.
        connection.execute(_KEYS, {"ids": list(_find(connection, person).leads)})
    with begin(engine) as connection:
        found = _find(connection, person)
        if not found:
            return found
        # Claims and marks in progress end first; the statements after this one see what they wrote.
        ids = [*found.leads, *found.clicks]
        owed = select(deliveries.c.id).where(deliveries.c.id.in_(ids))
        connection.execute(owed.order_by(deliveries.c.id, deliveries.c.destination).with_for_update())
        connection.execute(_KEYS, {"ids": list(found.leads)})
        email_hash, phone_hash = hashes_of(person, key)
        counts = {"leads": len(found.leads), "clicks": len(found.clicks)}
        record = insert(erasures).values(by=by, email_hash=email_hash, phone_hash=phone_hash, **counts)
        erasure = connection.execute(record.returning(erasures.c.id)).scalar_one()
        connection.execute(_WATCH, {"erasure": erasure, "grace": grace_seconds, "ids": ids})
        for table in _TABLES:
            connection.execute(delete(table).where(table.c.id.in_(ids)))
    return found


def erase_again(engine: Engine, *, grace_seconds: float = GRACE_SECONDS) -> Found:
    """Erase what a restored backup brought back: every row that the register names, in one commit.

    The CRM is searched for it again, because the backup may know of a record that the erasure did not. A second
    call finds and changes nothing.
    """
    with begin(engine) as connection:
        connection.execute(_REOPEN_RETURNED, {"grace": grace_seconds})
        returned = [delete(table).where(table.c.id.in_(select(ROW.id))).returning(table.c.id) for table in _TABLES]
        of_leads, of_clicks, _ = (tuple(connection.execute(each).scalars()) for each in returned)
    return Found(of_leads, of_clicks)


def hashes_of(person: Person, key: str) -> tuple[bytes | None, bytes | None]:
    """Return the keyed hashes of e-mail and phone under which this person's erasures are recorded."""
    return _hash(key, "email", person.email), _hash(key, "phone", person.phone)


def _find(connection: Connection, person: Person) -> Found:
    """A click has no name: it is this person's when it came from the browser session of one of their enquiries."""
    is_theirs = or_(func.lower(leads.c.email) == func.lower(person.email), leads.c.phone_e164 == person.phone)
    matches = connection.execute(select(leads.c.id, leads.c.session_id).where(is_theirs)).all()
    sessions = [row.session_id for row in matches if row.session_id]
    taps = select(whatsapp_clicks.c.id).where(whatsapp_clicks.c.session_id.in_(sessions))
    return Found(tuple(row.id for row in matches), tuple(connection.execute(taps).scalars()))


def _hash(key: str, label: str, value: str | None) -> bytes | None:
    if not key or not value:
        return None
    return hmac.new(key.encode(), f"{label}:{value.strip().lower()}".encode(), hashlib.sha256).digest()


# How many seconds a row of the work list belongs to one worker: longer than a check and its deletions take.
CHECK_LEASE_SECONDS = 120.0
_IS_DUE = ROW.done_at.is_(None) & (ROW.check_at <= func.now())

_LIST = text("""
SELECT erasures.id, erasures.at, erasures.by, erasures.leads, erasures.clicks,
       coalesce(sum(r.records_deleted), 0)::int AS records_deleted,
       count(r.id) FILTER (WHERE r.done_at IS NULL)::int AS open,
       max(r.watch_until) FILTER (WHERE r.done_at IS NULL) AS watched_until,
       max(r.done_at) FILTER (WHERE r.done_at IS NOT NULL) AS last_done_at, max(r.last_error) AS last_error
FROM erasures LEFT JOIN erased_rows AS r ON r.erasure_id = erasures.id
WHERE cast(:hashed AS bool) IS NOT TRUE OR erasures.email_hash = :email_hash OR erasures.phone_hash = :phone_hash
GROUP BY erasures.id ORDER BY erasures.id DESC LIMIT :limit
""")


@dataclass(frozen=True, slots=True)
class Erased:
    """A row of the work list, taken for one check. `last`: the watch is over, so this check sees every record."""

    id: UUID
    kind: str
    record_ids: Sequence[str]
    last: bool


def any_due(engine: Engine) -> bool:
    """Return whether a row of the work list is due now."""
    return bool(run(engine, select(ROW.id).where(_IS_DUE).limit(1)))


def take_erased(engine: Engine) -> Erased | None:
    """Take the row that has been due longest, for CHECK_LEASE_SECONDS; None when none is due."""
    first = select(ROW.id).where(_IS_DUE).order_by(ROW.check_at).limit(1).with_for_update(skip_locked=True)
    taken = update(erased_rows).where(ROW.id == first.scalar_subquery())
    taken = taken.values(check_at=func.now() + seconds(CHECK_LEASE_SECONDS))
    rows = run(engine, taken.returning(ROW.id, ROW.kind, ROW.record_ids, func.now() >= ROW.watch_until))
    return Erased(*rows[0]) if rows else None


def settle_erased(engine: Engine, erased: Erased, *, deleted: int) -> None:
    """Record a successful check, which deleted `deleted` records. The last check ends the watch."""
    end = {"done_at": func.now()} if erased.last else {"check_at": func.greatest(ROW.watch_until, func.now())}
    write_erased(
        engine, erased, records_deleted=ROW.records_deleted + deleted, last_error=None, record_ids=[], **end
    )


def fail_erased(engine: Engine, erased: Erased, error: str, *, deleted: int, wait: float) -> None:
    """Record a failed check, which is repeated after `wait` seconds. `error` holds no personal data."""
    again = func.now() + seconds(wait)
    write_erased(engine, erased, records_deleted=ROW.records_deleted + deleted, last_error=error, check_at=again)


def write_erased(engine: Engine, erased: Erased, **values: Any) -> None:
    """Write columns of the work list's row."""
    run(engine, update(erased_rows).where(ROW.id == erased.id).values(values))


def note_call(engine: Engine, erased: Erased, **values: str | int | None) -> None:
    """Record a call in the log of attempts, by its columns event, call_id, code, http_status and detail."""
    run(engine, insert(attempts), {"kind": erased.kind, "row_id": erased.id, **values})


def list_erasures(
    engine: Engine, *, limit: int, hashes: tuple[bytes | None, bytes | None] | None = None
) -> list[dict[str, Any]]:
    """Return the newest erasures and their progress; with `hashes`, those of one person."""
    email_hash, phone_hash = hashes or (None, None)
    parameters = {"hashed": hashes is not None, "email_hash": email_hash, "phone_hash": phone_hash, "limit": limit}
    return [row._asdict() for row in run(engine, _LIST, parameters)]


def count_late_rows(engine: Engine) -> int:
    """Return how many erased rows the CRM may still have, days after their last check was due."""
    is_late = ROW.done_at.is_(None) & (ROW.watch_until < func.now() - timedelta(days=2))
    return int(run(engine, select(func.count()).where(is_late))[0][0])


def known_erased(engine: Engine, ids: Sequence[UUID]) -> set[UUID]:
    """Return those of the ids that were erased."""
    return {row.id for row in run(engine, select(ROW.id).where(ROW.id.in_(ids)))}
