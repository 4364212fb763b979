"""Storing leads and WhatsApp clicks: one durable commit, safe to repeat. Leads that arrive together share it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any
from uuid import UUID

import orjson
from sqlalchemy import Connection, Engine, literal, or_, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.dialects.postgresql.psycopg import dialect
from sqlalchemy.exc import SQLAlchemyError

from leads.call_times import CallTime, call_of
from leads.db import StoreUnavailable, error_name, run_with_retry
from leads.destinations import CRM
from leads.ids import new_id, new_reference
from leads.lifecycle import Status
from leads.outbox.holds import Held
from leads.outbox.rows import Kind
from leads.revision import find_lag
from leads.tables import deliveries, leads, whatsapp_clicks

# The rows are one parameter, so that one prepared statement stores any number of them. Nothing is stored under the
# key of an erased lead.
_STORE_LEADS = """
WITH given AS (
    SELECT * FROM ROWS FROM (jsonb_to_recordset(%(rows)s::jsonb) AS (
        {types}, status text, destinations text[], waits float8[]
    )) WITH ORDINALITY
), stored AS (
    INSERT INTO leads ({columns}) SELECT {columns} FROM given
    WHERE NOT EXISTS (SELECT FROM erased_keys WHERE key_hash = sha256(convert_to(given.idempotency_key, 'UTF8')))
    ORDER BY ordinality ON CONFLICT DO NOTHING RETURNING id
), due AS (
    INSERT INTO deliveries (id, destination, kind, status, next_retry_at)
    SELECT id, owed.destination, 'lead', status, now() + make_interval(secs => owed.wait)
    FROM stored JOIN given USING (id), unnest(destinations, waits) AS owed(destination, wait)
)
SELECT id FROM stored
"""
_TO_THE_CRM = {CRM: 0.0}


@cache
def _statement(columns: tuple[str, ...]) -> str:
    """Return the statement that stores leads with these columns, and what is owed for them: all or nothing."""
    types = ", ".join(f"{name} {leads.c[name].type.compile(dialect=dialect())}" for name in columns)  # type: ignore[no-untyped-call]
    return _STORE_LEADS.format(types=types, columns=", ".join(columns))


class IdempotencyConflict(Exception):
    """The idempotency key was used before with different data."""


class KeyErased(Exception):
    """The idempotency key belongs to an erased lead: a late repeat must not bring the person's data back."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The receipt of a stored lead.

    call: when the clinic calls; None: not known. accepted_at: when the lead was stored first. interest: the
    treatment that it is about; None: not known. repeated: the submission was stored before, and this is its
    receipt.
    """

    id: UUID
    reference: str
    call: CallTime | None
    accepted_at: datetime
    interest: str | None
    repeated: bool


@dataclass(frozen=True, slots=True)
class Submission:
    """A lead to store: its row, and what is owed for it. Its repr is short, because it may be logged."""

    row: Mapping[str, Any]
    owed: Mapping[str, Any]
    status: Status = Status.PENDING

    def __repr__(self) -> str:
        """Name the lead by its id."""
        return f"Submission({self.row['id']})"

    def as_json(self) -> dict[str, Any]:
        """Return it as the statement reads it."""
        return {**self.row, **self.owed, "status": self.status}


def record_leads(engine: Engine, submissions: Sequence[Submission]) -> list[Receipt | Exception]:
    """Store leads together, in one durable commit; when that fails for a reason of one of them, each alone.

    Returns:
        For each its receipt (for a key that was used before with the same digest, the first one), or why it was not
        stored: IdempotencyConflict, KeyErased.

    Raises:
        StoreUnavailable: The database is unavailable.
    """
    try:
        return run_with_retry(engine, lambda connection: _store(connection, submissions))
    except StoreUnavailable:
        raise
    except Exception as error:  # noqa: BLE001 - its caller gets it
        if len(submissions) == 1:
            return [error]
        return [outcome for each in submissions for outcome in record_leads(engine, [each])]


def submission(
    values: Mapping[str, Any],
    *,
    idempotency_key: str | None = None,
    request_digest: bytes | None = None,
    held: Held | None = None,
    owed: Mapping[str, float] = _TO_THE_CRM,
) -> Submission:
    """Return a lead to store.

    Args:
        values: Columns of `leads.tables.leads`.
        idempotency_key: The submission's key, None without one.
        request_digest: What distinguishes a repeat of the submission from a misused key.
        held: Why the lead is suspected spam; it is not sent unless it is released.
        owed: The destinations that are owed something for it, and after how many seconds; when held, from its
            release on.
    """
    key = {"idempotency_key": idempotency_key, "request_digest": request_digest}
    more = {"destinations": list(owed), "waits": list(owed.values())}
    row = {**values, "id": new_id(), "reference": new_reference(), **key, "held_reason": held}
    return Submission(row, more, Status.HELD if held else Status.PENDING)


def _store(connection: Connection, submissions: Sequence[Submission]) -> list[Receipt | Exception]:
    """Store all of one shape with one statement; what it left out was stored before, or must not be."""
    shapes: dict[tuple[str, ...], list[Submission]] = {}
    for each in submissions:
        shapes.setdefault(tuple(each.row), []).append(each)
    stored: set[UUID] = set()
    for columns, alike in shapes.items():
        rows = orjson.dumps([each.as_json() for each in alike], default=_as_bytea).decode()
        stored.update(connection.exec_driver_sql(_statement(columns), {"rows": rows}).scalars())
    return [
        _receipt(each.row, datetime.now(UTC)) if each.row["id"] in stored else _earlier(connection, each)
        for each in submissions
    ]


def _receipt(row: Mapping[str, Any], accepted_at: datetime, *, repeated: bool = False) -> Receipt:
    return Receipt(row["id"], row["reference"], call_of(row), accepted_at, row.get("interest"), repeated)


def _as_bytea(value: bytes) -> str:
    """Bytes as text that PostgreSQL reads as a bytea."""
    return f"\\x{value.hex()}"


def _earlier(connection: Connection, submission: Submission) -> Receipt | Exception:
    """Return the receipt of a submission that was stored before, or why there is none."""
    lead_id, key = submission.row["id"], submission.row["idempotency_key"]
    is_same = leads.c.id == lead_id
    if key is not None:
        is_same = or_(is_same, leads.c.idempotency_key == key)
    told = (leads.c.reference, leads.c.call_from, leads.c.call_until, leads.c.created_at, leads.c.interest)
    same_submission = select(leads.c.id, *told, leads.c.request_digest).where(is_same)
    earlier = connection.execute(same_submission).one_or_none()
    if earlier is None:
        return KeyErased()
    if earlier.request_digest != submission.row["request_digest"]:
        return IdempotencyConflict()
    return _receipt(dict(earlier._mapping), earlier.created_at, repeated=True)  # noqa: SLF001 - a public name


# As long as most enquiries are, so that it needs as much room.
_TRIAL = {
    **dict.fromkeys(("name", "surname", "email", "country_code", "phone", "phone_e164"), "trial"),
    "message": "trial " * 50,
}


def storage_problem(engine: Engine) -> str:
    """Return why no lead can be stored, "" when one can: tried without a commit, so that nothing remains."""
    try:
        if lag := find_lag(engine):
            return lag
        with engine.connect().execution_options(isolation_level="READ COMMITTED") as connection:
            lead_id = new_id()
            connection.execute(insert(leads), {**_TRIAL, "id": lead_id})
            # Sent, so that it is in no index of rows that wait.
            trial = {"id": lead_id, "destination": CRM, "kind": Kind.LEAD, "status": Status.SENT}
            connection.execute(insert(deliveries), trial)
    except SQLAlchemyError as error:
        return error_name(error)
    return ""


def record_click(engine: Engine, values: Mapping[str, Any], *, held: Held | None = None) -> UUID:
    """Store a click, due to the CRM at once (or held), and return its id; `StoreUnavailable` as for leads.

    `values` are columns of `leads.tables.whatsapp_clicks`. Codes of five characters can collide: a code that
    another session has used gets a suffix, which keeps the column unique and the code findable.
    """
    row = {**values, "id": new_id(), "held_reason": held}
    status = Status.HELD if held else Status.PENDING

    def store(connection: Connection) -> UUID:
        for code in _codes(row["unique_code"], row.get("session_id"), row["id"]):
            given = insert(whatsapp_clicks).values({**row, "unique_code": code}).on_conflict_do_nothing()
            stored = given.returning(whatsapp_clicks.c.id).cte("stored")
            due = select(stored.c.id, literal(Kind.CLICK.value), literal(status.value))
            both = insert(deliveries).from_select(["id", "kind", "status"], due).returning(deliveries.c.id)
            found = connection.execute(both).scalars().first() or _same_click(connection, row, code)
            if found is not None:
                return found
        raise AssertionError("another click has the code that contains this click's id")

    return run_with_retry(engine, store)


def _codes(code: str, session_id: str | None, click_id: UUID) -> tuple[str, ...]:
    """Return the code as sent, then with a hash of the session (so a repeat finds its click), then with the id."""
    with_id = f"{code}-{click_id.hex}"
    if not session_id:
        return code, with_id
    return code, f"{code}-{hashlib.sha256(session_id.encode()).hexdigest()[:8]}", with_id


def _same_click(connection: Connection, row: Mapping[str, Any], code: str) -> UUID | None:
    """Return the stored click that this one repeats; None when the code belongs to another session."""
    table = whatsapp_clicks.c
    candidates = select(table.id, table.session_id).where(or_(table.id == row["id"], table.unique_code == code))
    for click in connection.execute(candidates):
        same_session = row.get("session_id") is not None and click.session_id == row["session_id"]
        if click.id == row["id"] or same_session:
            return UUID(str(click.id))
    return None
