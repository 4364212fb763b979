"""The work list of erasures: which erased rows have still to be looked for in the CRM, and what came of it. SQL."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from sqlalchemy import Engine

# Seconds that one worker has a row of the list to itself: longer than a look and its deletions take.
LOOK_LEASE = 120.0

_ANY_DUE = text("SELECT EXISTS (SELECT 1 FROM erased_rows WHERE done_at IS NULL AND check_at <= now())")
_TAKE = text("""
UPDATE erased_rows SET check_at = now() + make_interval(secs => :lease)
WHERE id = (
    SELECT id FROM erased_rows WHERE done_at IS NULL AND check_at <= now()
    ORDER BY check_at LIMIT 1 FOR UPDATE SKIP LOCKED
)
RETURNING id, kind, record_ids, now() >= watch_until AS last
""")
_REMEMBER = text("UPDATE erased_rows SET record_ids = cast(:found AS text[]) WHERE id = :id")
_SETTLE = text("""
UPDATE erased_rows SET records_deleted = records_deleted + :deleted, last_error = NULL, record_ids = '{}',
    done_at = CASE WHEN :last THEN now() END, check_at = greatest(watch_until, now())
WHERE id = :id
""")
_FAIL = text("""
UPDATE erased_rows SET records_deleted = records_deleted + :deleted, last_error = :error,
    check_at = now() + make_interval(secs => :wait)
WHERE id = :id
""")
_NOTE = text("""
INSERT INTO crm_attempts (kind, row_id, call_id, event, code, http_status, detail)
VALUES (:kind, :id, :call_id, :event, :code, :http_status, :detail)
""")
_LIST = text("""
SELECT erasures.id, erasures.at, erasures.by, erasures.leads, erasures.clicks,
       coalesce(sum(r.records_deleted), 0)::int AS records_deleted,
       count(r.id) FILTER (WHERE r.done_at IS NULL)::int AS open,
       max(r.watch_until) FILTER (WHERE r.done_at IS NULL) AS watched_until,
       max(r.done_at) FILTER (WHERE r.done_at IS NOT NULL) AS last_done_at, max(r.last_error) AS last_error
FROM erasures LEFT JOIN erased_rows AS r ON r.erasure_id = erasures.id
WHERE cast(:hashed AS bool) IS NOT TRUE OR erasures.email_hash = :email_hash OR erasures.phone_hash = :phone_hash
GROUP BY erasures.id ORDER BY erasures.id DESC LIMIT :most
""")
_KNOWN = text("SELECT id FROM erased_rows WHERE id = ANY(cast(:ids AS uuid[]))")
_REOPEN = text("""
UPDATE erased_rows SET done_at = NULL, check_at = now() WHERE id = ANY(cast(:ids AS uuid[])) RETURNING id
""")


@dataclass(frozen=True, slots=True)
class Erased:
    """A row of the list, for one look. `last`: a look that begins now sees everything there can be."""

    id: UUID
    kind: str
    record_ids: Sequence[str]
    last: bool


def any_due(engine: Engine) -> bool:
    """Whether anything has to be looked for now."""
    with engine.connect() as connection:
        return bool(connection.execute(_ANY_DUE).scalar_one())


def take_erased(engine: Engine) -> Erased | None:
    """Take the row that has been due longest, for LOOK_LEASE seconds; None when nothing is due."""
    with engine.connect() as connection:
        row = connection.execute(_TAKE, {"lease": LOOK_LEASE}).mappings().one_or_none()
        return None if row is None else Erased(**row)


def remember_records(engine: Engine, erased: Erased, found: Sequence[str]) -> None:
    """Write down which records hold the row before they are deleted: no search finds what is in the recycle bin."""
    with engine.connect() as connection:
        connection.execute(_REMEMBER, {"id": erased.id, "found": list(found)})


def settle_erased(engine: Engine, erased: Erased, *, deleted: int) -> None:
    """A look ended well: `deleted` records are gone. The last look ends the watch."""
    with engine.connect() as connection:
        connection.execute(_SETTLE, {"id": erased.id, "deleted": deleted, "last": erased.last})


def fail_erased(engine: Engine, erased: Erased, error: str, *, deleted: int, wait: float) -> None:
    """A look did not end well: again in `wait` seconds, for as long as it takes."""
    with engine.connect() as connection:
        connection.execute(_FAIL, {"id": erased.id, "error": error, "deleted": deleted, "wait": wait})


def note_call(  # noqa: PLR0913 - one for each column
    engine: Engine,
    erased: Erased,
    *,
    event: str,
    call_id: str,
    code: str | None = None,
    http_status: int | None = None,
    detail: str | None = None,
) -> None:
    """Write a call of an erasure into the log of attempts, like any other call."""
    values = {"event": event, "call_id": call_id, "code": code, "http_status": http_status, "detail": detail}
    with engine.connect() as connection:
        connection.execute(_NOTE, {"kind": erased.kind, "id": erased.id, **values})


def list_erasures(
    engine: Engine, *, most: int, hashes: tuple[bytes | None, bytes | None] | None = None
) -> list[dict[str, Any]]:
    """The newest erasures and how far they are; with `hashes`, those of one person."""
    email_hash, phone_hash = hashes or (None, None)
    parameters = {"hashed": hashes is not None, "email_hash": email_hash, "phone_hash": phone_hash, "most": most}
    with engine.connect() as connection:
        return [dict(row) for row in connection.execute(_LIST, parameters).mappings()]


def known_erased(engine: Engine, ids: Sequence[UUID]) -> set[UUID]:
    """Those of the ids that were erased."""
    with engine.connect() as connection:
        return set(connection.execute(_KNOWN, {"ids": list(ids)}).scalars())


def look_again(engine: Engine, ids: Sequence[UUID]) -> int:
    """Have these erased rows looked for once more, at once; gives how many there are."""
    with engine.connect() as connection:
        return len(connection.execute(_REOPEN, {"ids": list(ids)}).all())
