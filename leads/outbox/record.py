"""Storing a lead: one INSERT, one durable commit, safe to repeat. Clicks are next door."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from sqlalchemy import bindparam, or_, select
from sqlalchemy import insert as plain_insert
from sqlalchemy.dialects.postgresql import insert

from leads.lifecycle import Status
from leads.models import acknowledgements, leads
from leads.outbox.commit import commit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection, Engine, Row, Select


# Made once: building the statement anew for every lead would cost more than the database takes to run it.
_STORE = insert(leads).on_conflict_do_nothing().returning(leads.c.id, leads.c.reference)
_PREFIX = "lead_"


@cache
def _store_and_acknowledge(columns: tuple[str, ...]) -> Select[tuple[UUID, str]]:
    """Both rows in one statement, so that neither can be there without the other. Parameters have a prefix."""
    values = {name: bindparam(_PREFIX + name, type_=leads.c[name].type) for name in columns}
    stored = _STORE.values(values).cte("stored")
    owed = plain_insert(acknowledgements).from_select(["lead_id"], select(stored.c.id))
    noted = owed.returning(acknowledgements.c.lead_id).cte("noted")
    return select(stored.c.id, stored.c.reference).add_cte(noted)


class IdempotencyConflict(Exception):
    """The idempotency key was used before with other data."""


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

    `values` are columns of `leads.models.leads`. The same key with the same digest gives the first receipt
    again; with another digest `IdempotencyConflict`. `StoreUnavailable` when the database is away.
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
        stored = _store(connection, row, acknowledge=acknowledge and not held)
        if stored is not None:
            return Receipt(stored.id, stored.reference)
        return _earlier_receipt(connection, lead_id, idempotency_key, request_digest)

    return commit(engine, store)


def _store(connection: Connection, row: Mapping[str, Any], *, acknowledge: bool) -> Row[tuple[UUID, str]] | None:
    if not acknowledge:
        return connection.execute(_STORE, row).one_or_none()
    prefixed = {_PREFIX + name: value for name, value in row.items()}
    return connection.execute(_store_and_acknowledge(tuple(row)), prefixed).one_or_none()


def _earlier_receipt(
    connection: Connection, lead_id: UUID, idempotency_key: str | None, request_digest: bytes | None
) -> Receipt:
    known = select(leads.c.id, leads.c.reference, leads.c.request_digest).where(
        or_(leads.c.id == lead_id, leads.c.idempotency_key == idempotency_key)
    )
    earlier = connection.execute(known).one()
    if earlier.id != lead_id and earlier.request_digest != request_digest:
        raise IdempotencyConflict
    return Receipt(earlier.id, earlier.reference, repeated=True)
