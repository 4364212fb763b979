"""Storing leads and WhatsApp clicks: one INSERT, one durable commit, safe to repeat."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from psycopg.types.json import Jsonb
from sqlalchemy import bindparam, exists, literal_column, or_, select
from sqlalchemy import insert as plain_insert
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.dialects.postgresql.psycopg import dialect

from leads.db import run_with_retry
from leads.idempotency import hash_key
from leads.lifecycle import Status
from leads.mail.mailbox import mailbox_of, paying_domain
from leads.tables import acknowledgements, erased_keys, leads, staff_notices, whatsapp_clicks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import ColumnClause, Connection, CursorResult, Engine, Select

    from leads.outbox.holds import Held


_PREFIX = "lead_"
# What the array `owed` holds: the status of the owed messages, what the budgets of e-mails count, and the channels
# of the staff notices. One array: psycopg converts a statement of more than 50 parameters anew each time, a fifth
# of a request.
_MAIL = ("status", "mailbox", "domain", "client")


@cache
def _statement(columns: tuple[str, ...], *, acknowledge: bool, notify: bool) -> str:
    """Return the statement that stores a lead and the messages owed for it: all or nothing.

    Compiled once, down to the driver's own text: compiling it for every lead would cost more than the database
    takes to run it. Nothing is stored under the key of an erased lead.
    """
    values = [bindparam(_PREFIX + name, type_=leads.c[name].type) for name in columns]
    erased = exists().where(erased_keys.c.key_hash == bindparam("key_hash", type_=erased_keys.c.key_hash.type))
    row = insert(leads).from_select(list(columns), select(*values).where(~erased))
    stored = row.on_conflict_do_nothing().returning(leads.c.id, leads.c.reference).cte("stored")
    receipt = select(stored.c.id, stored.c.reference)
    if acknowledge:
        places: list[ColumnClause[Any]] = [literal_column(f"owed[{place}]") for place, _ in enumerate(_MAIL, 1)]
        mail = plain_insert(acknowledgements).from_select(["lead_id", *_MAIL], select(stored.c.id, *places))
        receipt = receipt.add_cte(mail.returning(acknowledgements.c.lead_id).cte("acknowledged"))
    if notify:
        channel: ColumnClause[Any] = literal_column(f"unnest(owed[{len(_MAIL) + 1}:])")
        told = select(stored.c.id, literal_column("owed[1]"), channel)
        notices = plain_insert(staff_notices).from_select(["lead_id", "status", "channel"], told)
        receipt = receipt.add_cte(notices.returning(staff_notices.c.lead_id).cte("noted"))
    return _text(receipt).replace("owed[", "(%(owed)s::text[])[")


def _text(statement: Select[Any]) -> str:
    return str(statement.compile(dialect=dialect()))  # type: ignore[no-untyped-call]


class IdempotencyConflict(Exception):
    """The idempotency key was used before with different data."""


class KeyErased(Exception):
    """The idempotency key belongs to an erased lead: a late repeat must not bring the person's data back."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The receipt of a stored lead. `repeated`: the submission was stored before, and this is its receipt."""

    id: UUID
    reference: str
    repeated: bool = False


def record_lead(  # noqa: PLR0913 - keywords, one per property of the lead
    engine: Engine,
    values: Mapping[str, Any],
    *,
    idempotency_key: str | None = None,
    request_digest: bytes | None = None,
    held: Held | None = None,
    acknowledge: bool = False,
    notify: tuple[str, ...] = (),
    client: str | None = None,
) -> Receipt:
    """Store a lead, due at once (or held as suspected spam).

    Args:
        engine: The database.
        values: Columns of `leads.tables.leads`.
        idempotency_key: The submission's key, None without one.
        request_digest: What distinguishes a repeat of the submission from a misused key.
        held: Why the lead is suspected spam; it is not sent unless it is released.
        acknowledge: The person is owed an e-mail, which is stored with the lead; when held, from its release on.
        notify: The channels through which staff are told, likewise.
        client: A hash of the client's network address, which a budget of e-mails counts.

    Returns:
        The receipt; for a key that was used before with the same digest, the first receipt.

    Raises:
        IdempotencyConflict: The key was used before with another digest.
        KeyErased: The key belongs to an erased lead.
        StoreUnavailable: The database is unavailable.
    """
    lead_id = uuid4()
    row = {
        **values,
        "id": lead_id,
        "idempotency_key": idempotency_key,
        "request_digest": request_digest,
        **_held(held),
    }
    statement = _statement(tuple(row), acknowledge=acknowledge, notify=bool(notify))
    owed = [*_mail(row["email"], client, held), *notify] if acknowledge or notify else []

    def store(connection: Connection) -> Receipt:
        stored = _store(connection, statement, row, owed).one_or_none()
        if stored is not None:
            return Receipt(stored.id, stored.reference)
        return _earlier_receipt(connection, lead_id, idempotency_key, request_digest)

    return run_with_retry(engine, store)


# As long as most enquiries are, so that it needs as much room. Sent, so that it is in no index of rows that wait.
_TRIAL = {
    **dict.fromkeys(("name", "surname", "email", "country_code", "phone", "phone_e164"), "trial"),
    "message": "trial " * 50,
    "zoho_status": Status.SENT,
}


def try_storing(engine: Engine) -> None:
    """Store a lead and take it back, so that nothing remains; SQLAlchemy's error when it cannot be stored."""
    with engine.connect().execution_options(isolation_level="READ COMMITTED") as connection:
        connection.execute(plain_insert(leads), {**_TRIAL, "id": uuid4()})
        connection.rollback()


def _held(reason: Held | None) -> dict[str, str]:
    """The columns of a held row; other rows have their defaults, and fewer parameters."""
    return {"zoho_status": Status.HELD, "held_reason": reason} if reason else {}


def _mail(email: str, client: str | None, held: Held | None) -> list[str | None]:
    """The values of the columns `_MAIL`."""
    mailbox = mailbox_of(email)
    return ["held" if held else "pending", mailbox, paying_domain(mailbox), client]


def _store(
    connection: Connection, statement: str, row: Mapping[str, Any], owed: list[str | None]
) -> CursorResult[Any]:
    """Run the statement without SQLAlchemy's compiler, whose work on fifty values costs a tenth of a request."""
    key = row["idempotency_key"]
    values = {_PREFIX + name: Jsonb(value) if isinstance(value, dict) else value for name, value in row.items()}
    values["key_hash"] = None if key is None else hash_key(key)
    if owed:
        values["owed"] = owed
    return connection.exec_driver_sql(statement, values)


def _earlier_receipt(
    connection: Connection, lead_id: UUID, idempotency_key: str | None, request_digest: bytes | None
) -> Receipt:
    same_submission = select(leads.c.id, leads.c.reference, leads.c.request_digest).where(
        or_(leads.c.id == lead_id, leads.c.idempotency_key == idempotency_key)
    )
    earlier = connection.execute(same_submission).one_or_none()
    if earlier is None:
        raise KeyErased
    if earlier.id != lead_id and earlier.request_digest != request_digest:
        raise IdempotencyConflict
    return Receipt(earlier.id, earlier.reference, repeated=True)


# Built once, like the statement of a lead.
_STORE = insert(whatsapp_clicks).on_conflict_do_nothing().returning(whatsapp_clicks.c.id)


def record_click(engine: Engine, values: Mapping[str, Any], *, held: Held | None = None) -> UUID:
    """Store a click, due at once (or held), and return its id; `StoreUnavailable` when the database is unavailable.

    `values` are columns of `leads.tables.whatsapp_clicks`. Codes of five characters can collide: a code that
    another session has used gets a suffix, which keeps the column unique and the code findable.
    """
    row = {**values, "id": uuid4(), **_held(held)}

    def store(connection: Connection) -> UUID:
        for code in _codes(row["unique_code"], row.get("session_id"), row["id"]):
            stored = _insert(connection, {**row, "unique_code": code}) or _same_click(connection, row, code)
            if stored is not None:
                return stored
        raise AssertionError("another click has the code that contains this click's id")

    return run_with_retry(engine, store)


def _codes(code: str, session_id: str | None, click_id: UUID) -> tuple[str, ...]:
    """Return the code as sent, then with a hash of the session (so a repeat finds its click), then with the id."""
    with_id = f"{code}-{click_id.hex}"
    if not session_id:
        return code, with_id
    return code, f"{code}-{hashlib.sha256(session_id.encode()).hexdigest()[:8]}", with_id


def _insert(connection: Connection, row: Mapping[str, Any]) -> UUID | None:
    return connection.execute(_STORE, row).scalar_one_or_none()


def _same_click(connection: Connection, row: Mapping[str, Any], code: str) -> UUID | None:
    """Return the stored click that this one repeats; None when the code belongs to another session."""
    table = whatsapp_clicks.c
    candidates = select(table.id, table.session_id).where(or_(table.id == row["id"], table.unique_code == code))
    for click in connection.execute(candidates):
        same_session = row.get("session_id") is not None and click.session_id == row["session_id"]
        if click.id == row["id"] or same_session:
            return UUID(str(click.id))
    return None
