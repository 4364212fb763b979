"""Storing leads and WhatsApp clicks: one INSERT, one durable commit, safe to repeat."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from psycopg.types.json import Jsonb
from sqlalchemy import bindparam, exists, or_, select
from sqlalchemy import insert as plain_insert
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.dialects.postgresql.psycopg import dialect

from leads.db import run_with_retry
from leads.idempotency import hash_key
from leads.lifecycle import Status
from leads.mail.mailbox import mailbox_of
from leads.tables import acknowledgements, erased_keys, leads, whatsapp_clicks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection, CursorResult, Engine, Select


_PREFIX = "lead_"


@cache
def _statement(columns: tuple[str, ...], *, acknowledge: bool) -> str:
    """Lead and owed e-mail in one statement: neither can be there without the other.

    Made once, down to the driver's own text: for every lead anew that would cost more than the database takes to
    run it. Nothing is stored under the key of an erased lead.
    """
    values = [bindparam(_PREFIX + name, type_=leads.c[name].type) for name in columns]
    erased = exists().where(erased_keys.c.key_hash == bindparam("key_hash", type_=erased_keys.c.key_hash.type))
    row = insert(leads).from_select(list(columns), select(*values).where(~erased))
    stored = row.on_conflict_do_nothing().returning(leads.c.id, leads.c.reference).cte("stored")
    receipt = select(stored.c.id, stored.c.reference)
    if not acknowledge:
        return _text(receipt)
    mailbox = bindparam("mailbox", type_=acknowledgements.c.mailbox.type)
    owed = plain_insert(acknowledgements).from_select(["lead_id", "mailbox"], select(stored.c.id, mailbox))
    return _text(receipt.add_cte(owed.returning(acknowledgements.c.lead_id).cte("noted")))


def _text(statement: Select[Any]) -> str:
    return str(statement.compile(dialect=dialect()))  # type: ignore[no-untyped-call]


class IdempotencyConflict(Exception):
    """The idempotency key was used before with other data."""


class KeyErased(Exception):
    """The idempotency key is that of a lead that was erased: its press must not bring the person back."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a stored lead answers with. `repeated`: the same press was stored before; this is its receipt."""

    id: UUID
    reference: str
    repeated: bool = False


def record_lead(  # noqa: PLR0913 - each names one thing of the lead
    engine: Engine,
    values: Mapping[str, Any],
    *,
    idempotency_key: str | None = None,
    request_digest: bytes | None = None,
    held: bool = False,
    acknowledge: bool = False,
) -> Receipt:
    """Store a lead, due at once (or held as suspected spam), and give its receipt.

    `acknowledge` stores with it that the person is owed an e-mail; a held lead's never is.

    `values` are columns of `leads.tables.leads`. The same key with the same digest gives the first receipt
    again; with another digest `IdempotencyConflict`; the key of an erased lead is `KeyErased`.
    `StoreUnavailable` when the database is away.
    """
    lead_id = uuid4()
    row = {
        **values,
        "id": lead_id,
        "idempotency_key": idempotency_key,
        "request_digest": request_digest,
        "zoho_status": Status.HELD if held else Status.PENDING,
    }

    def store(connection: Connection) -> Receipt:
        stored = _store(connection, row, acknowledge=acknowledge and not held).one_or_none()
        if stored is not None:
            return Receipt(stored.id, stored.reference)
        return _earlier_receipt(connection, lead_id, idempotency_key, request_digest)

    return run_with_retry(engine, store)


def _store(connection: Connection, row: Mapping[str, Any], *, acknowledge: bool) -> CursorResult[Any]:
    """Run the statement past SQLAlchemy's compiler, whose work on fifty values costs a tenth of a request."""
    key = row["idempotency_key"]
    values = {_PREFIX + name: Jsonb(value) if isinstance(value, dict) else value for name, value in row.items()}
    values["key_hash"] = None if key is None else hash_key(key)
    if acknowledge:
        values["mailbox"] = mailbox_of(row["email"])
    return connection.exec_driver_sql(_statement(tuple(row), acknowledge=acknowledge), values)


def _earlier_receipt(
    connection: Connection, lead_id: UUID, idempotency_key: str | None, request_digest: bytes | None
) -> Receipt:
    known = select(leads.c.id, leads.c.reference, leads.c.request_digest).where(
        or_(leads.c.id == lead_id, leads.c.idempotency_key == idempotency_key)
    )
    earlier = connection.execute(known).one_or_none()
    if earlier is None:
        raise KeyErased
    if earlier.id != lead_id and earlier.request_digest != request_digest:
        raise IdempotencyConflict
    return Receipt(earlier.id, earlier.reference, repeated=True)


# Made once; see record.py.
_STORE = insert(whatsapp_clicks).on_conflict_do_nothing().returning(whatsapp_clicks.c.id)


def record_click(engine: Engine, values: Mapping[str, Any]) -> UUID:
    """Store a click, due at once, and give its id; `StoreUnavailable` when the database is away.

    `values` are columns of `leads.tables.whatsapp_clicks`. Five characters can collide: the code of
    another session's click gets a suffix that keeps the column unique and the code findable.
    """
    row = {**values, "id": uuid4()}

    def store(connection: Connection) -> UUID:
        for code in _codes(row["unique_code"], row.get("session_id"), row["id"]):
            stored = _insert(connection, {**row, "unique_code": code}) or _same_click(connection, row, code)
            if stored is not None:
                return stored
        raise AssertionError("a code that holds the click's own id was taken by another click")

    return run_with_retry(engine, store)


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
