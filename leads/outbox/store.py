"""Storing leads, WhatsApp clicks, and what visitors add: one durable commit, safe to repeat.

Leads that arrive together share it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any
from uuid import UUID

import orjson
from sqlalchemy import Connection, Engine, func, literal, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.dialects.postgresql.psycopg import dialect
from sqlalchemy.exc import SQLAlchemyError

from leads.call_times import CallTime, call_of
from leads.db import StoreUnavailable, error_name, find_lag, run_on_driver, run_with_retry
from leads.destinations import CRM
from leads.ids import new_id, new_reference
from leads.lifecycle import LOST_CALL_SECONDS, Status
from leads.outbox.holds import Held
from leads.tables import Kind, attempts, deliveries, leads, whatsapp_clicks

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
    """The receipt of a stored lead."""

    id: UUID
    reference: str
    call: CallTime | None  # when the clinic calls; None: not known
    accepted_at: datetime  # when the lead was stored first
    interest: str | None  # the treatment that it is about; None: not known
    repeated: bool  # the submission was stored before, and this is its receipt


@dataclass(frozen=True, slots=True)
class Submission:
    """A lead to store: its row, and what is owed for it. Its repr is short, because it may be logged."""

    row: Mapping[str, Any]
    owed: Mapping[str, Any]
    status: Status = Status.PENDING

    def __repr__(self) -> str:
        """Name the lead by its id."""
        return f"Submission({self.row['id']})"


def record_leads(engine: Engine, submissions: Sequence[Submission]) -> list[Receipt | Exception]:
    """Store leads together, in one durable commit; when that fails for a reason of one of them, each alone.

    Returns for each its receipt (for a key that was used before with the same digest, the first one), or why it was
    not stored: IdempotencyConflict, KeyErased. Raises StoreUnavailable when the database is.
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
    """Return a lead to store, of columns of `leads.tables.leads`.

    request_digest: what distinguishes a repeat of the submission from a misused key. held: why the lead is
    suspected spam; it is not sent unless it is released. owed: the destinations that are owed something for it, and
    after how many seconds; when held, from its release on.
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
        given = [{**each.row, **each.owed, "status": each.status} for each in alike]
        # Bytes as text that PostgreSQL reads as a bytea.
        rows = orjson.dumps(given, default=lambda value: f"\\x{value.hex()}").decode()
        stored.update(lead_id for (lead_id,) in run_on_driver(connection, _statement(columns), {"rows": rows}))
    return [
        _receipt(each.row, datetime.now(UTC)) if each.row["id"] in stored else _earlier(connection, each)
        for each in submissions
    ]


def _receipt(row: Mapping[str, Any], accepted_at: datetime, *, repeated: bool = False) -> Receipt:
    return Receipt(row["id"], row["reference"], call_of(row), accepted_at, row.get("interest"), repeated)


def _earlier(connection: Connection, submission: Submission) -> Receipt | Exception:
    """Return the receipt of a submission that was stored before, or why there is none."""
    lead_id, key = submission.row["id"], submission.row["idempotency_key"]
    is_same = leads.c.id == lead_id
    if key is not None:
        is_same |= leads.c.idempotency_key == key
    told = (leads.c.reference, leads.c.call_from, leads.c.call_until, leads.c.created_at, leads.c.interest)
    same_submission = select(leads.c.id, *told, leads.c.request_digest).where(is_same)
    earlier = connection.execute(same_submission).one_or_none()
    if earlier is None:
        return KeyErased()
    if earlier.request_digest != submission.row["request_digest"]:
        return IdempotencyConflict()
    return _receipt(dict(earlier._mapping), earlier.created_at, repeated=True)  # noqa: SLF001 - a public name


# It is as long as most enquiries, so that it needs as much room.
_SAMPLE = {
    **dict.fromkeys(("name", "surname", "email", "country_code", "phone", "phone_e164"), "sample"),
    "message": "sample " * 43,
}


def storage_problem(engine: Engine) -> str:
    """Return why no lead can be stored, "" when one can: tried without a commit, so that nothing remains."""
    try:
        if lag := find_lag(engine):
            return lag
        with engine.connect().execution_options(isolation_level="READ COMMITTED") as connection:
            lead_id = new_id()
            connection.execute(insert(leads), {**_SAMPLE, "id": lead_id})
            # Sent, so that it is in no index of rows that wait.
            owed = {"id": lead_id, "destination": CRM, "kind": Kind.LEAD, "status": Status.SENT}
            connection.execute(insert(deliveries), owed)
    except SQLAlchemyError as error:
        return error_name(error)
    return ""


def record_click(engine: Engine, values: Mapping[str, Any], *, held: Held | None = None) -> UUID:
    """Store a click (columns of `leads.tables.whatsapp_clicks`), due to the CRM at once unless it is held.

    Returns its id; raises `StoreUnavailable` as for leads. Codes of five characters can collide: one that another
    session has used gets a suffix, which keeps the column unique and the code findable.
    """
    row = {**values, "id": new_id(), "held_reason": held}
    status = Status.HELD if held else Status.PENDING

    def store(connection: Connection) -> UUID:
        for code in (row["unique_code"], f"{row['unique_code']}-{row['id'].hex}"):
            given = insert(whatsapp_clicks).values({**row, "unique_code": code}).on_conflict_do_nothing()
            stored = given.returning(whatsapp_clicks.c.id).cte("stored")
            due = select(stored.c.id, literal(Kind.CLICK.value), literal(status.value))
            both = insert(deliveries).from_select(["id", "kind", "status"], due).returning(deliveries.c.id)
            found = connection.execute(both).scalars().first() or _same_click(connection, row)
            if found is not None:
                return found
        raise AssertionError("another click has the code that contains this click's id")

    return run_with_retry(engine, store)


def _same_click(connection: Connection, row: Mapping[str, Any]) -> UUID | None:
    """Return the stored click that this one repeats; None when the code belongs to another session."""
    table, code = whatsapp_clicks.c, row["unique_code"]
    is_same = table.id == row["id"]
    if row.get("session_id") is not None:
        has_code = or_(table.unique_code == code, table.unique_code.startswith(f"{code}-", autoescape=True))
        is_same |= has_code & (table.session_id == row["session_id"])
    return connection.execute(select(table.id).where(is_same)).scalars().first()


# What a visitor may add to an enquiry after it was sent: stored with the lead, and due to its record in the CRM.
DETAILS = ("interest", "already_has", "call_from", "call_until", "call_chosen")


def change_details(engine: Engine, lead_id: UUID, values: Mapping[str, Any]) -> bool:
    """Store what a visitor adds (some of DETAILS), and owe it to the CRM, in one durable commit; safe to repeat.

    Returns whether there is such a lead; raises `StoreUnavailable` when the database is.
    """
    given = {name: values[name] for name in DETAILS if name in values}
    return run_with_retry(engine, lambda connection: _change(connection, lead_id, given))


def _change(connection: Connection, lead_id: UUID, values: Mapping[str, Any]) -> bool:
    connection = connection.execution_options(isolation_level="READ COMMITTED")
    this = (deliveries.c.id == lead_id) & (deliveries.c.destination == CRM)
    with connection.begin():
        # The lock comes first, as an erasure's and a settlement's do.
        row = connection.execute(select(deliveries).where(this).with_for_update()).one_or_none()
        if row is None:
            return False
        differs = or_(*(leads.c[name].is_distinct_from(value) for name, value in values.items()))
        if connection.execute(update(leads).where(leads.c.id == lead_id, differs).values(values)).rowcount:
            changed = update(deliveries).where(this).values(_due(row)).returning(deliveries.c.next_retry_at)
            line = {"destination": CRM, "kind": Kind.LEAD, "row_id": lead_id, "event": "changed"}
            line["next_retry_at"] = connection.execute(changed).scalar_one()
            connection.execute(insert(attempts), line)
    return True


def _due(row: Any) -> dict[str, Any]:
    """A row without a record carries it with its own call; one in a call is due again when the call ends."""
    values: dict[str, Any] = {"changed_at": func.clock_timestamp()}
    if row.status == Status.SENT:
        values |= {"status": Status.PENDING, "next_retry_at": func.now(), "queued_at": func.now()}
    elif row.status == Status.RETRYING and row.record_id is not None:
        # What is newer must not overtake a call that may still be under way.
        under_way = func.now() + timedelta(seconds=LOST_CALL_SECONDS)
        values["next_retry_at"] = func.least(deliveries.c.next_retry_at, under_way)
    return values
