"""What is sent of a row: its columns, what came before it, and where its record is. SQL only.

Both enquiries of a person are kept; the worker's mapping decides how the CRM shows it. A row names the others of
its visit that are in the CRM already, so whichever of two is sent second names the first.
"""

from collections.abc import Mapping
from datetime import timedelta
from functools import cache
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, Connection, Select, String, Subquery, bindparam, case, func, null, or_, select, tuple_

from leads.destinations import CRM
from leads.tables import Kind, deliveries, leads

# Columns that are not sent to the CRM, so that no claim reads them, and why. A test proves that every other one is.
NOT_SENT: dict[str, str] = {
    "marketing_version": "evidence of consent, stored here; sales staff need only Marketing_Opt_In",
    "idempotency_key": "distinguishes a repeated submission from a new enquiry, before delivery",
    "request_digest": "distinguishes a repeated submission from a misused key, before delivery",
    "held_reason": "why the row was suspected spam, before delivery",
}
MAX_NAMED = 5  # of one visit, the newest
REPEAT = timedelta(days=90)  # an enquiry after a longer gap counts as a new one


def read_values(connection: Connection, kind: Kind, row_id: UUID) -> dict[str, Any] | None:
    """Return what is sent of a row, None if it is gone: its columns but for NOT_SENT, and these.

    `earlier_enquiry_at`: when the person enquired before, within REPEAT, by the e-mail, ignoring case, or the phone
    number in E.164; None for a click. `repeat_enquiry`: whether they did, and then `earlier_reference` and
    `earlier_record_id`, what to find that enquiry by. `same_visit`: the codes of the visit's
    taps or the references of its enquiries, newest first. For messages: `crm_record_id`, and `crm_refusal`, the
    code with which the CRM refuses the row.
    """
    row = connection.execute(_query(kind), {"row_id": row_id}).one_or_none()
    if row is None:
        return None
    values: dict[str, Any] = row._asdict() | {"repeat_enquiry": row.earlier_enquiry_at is not None}
    if values["repeat_enquiry"]:
        values |= connection.execute(_earlier(values)).one()._asdict()
    return values


@cache  # putting it together takes longer than the database needs for it
def _query(kind: Kind) -> Select[Any]:
    this, crm = kind.table, _crm("crm")
    code = func.split_part(crm.c.last_error, ":", 1)
    refusal = case((or_(crm.c.status == "dead", crm.c.refused_at.is_not(None)), code))
    return (
        select(*(column for column in this.c if column.name not in NOT_SENT))
        .add_columns((_last() if kind is Kind.LEAD else null()).label("earlier_enquiry_at"))
        .add_columns(_same_visit(kind).label("same_visit"))
        .add_columns(crm.c.record_id.label("crm_record_id"), refusal.label("crm_refusal"))
        .select_from(this.outerjoin(crm, crm.c.id == this.c.id))
        .where(this.c.id == bindparam("row_id"))
    )


def _crm(name: str) -> Subquery:
    """What is owed to the CRM."""
    return select(deliveries).where(deliveries.c.destination == CRM).subquery(name)


def _last() -> Any:
    """When the newest enquiry before a lead's came. A held one (suspected spam) never counts."""
    earlier, state = leads.alias("earlier"), _crm("state")
    found = (
        select(earlier.c.created_at)
        .join(state, state.c.id == earlier.c.id)
        .where(tuple_(earlier.c.created_at, earlier.c.id) < tuple_(leads.c.created_at, leads.c.id))
        .where(earlier.c.created_at >= leads.c.created_at - REPEAT, state.c.status != "held")
        .order_by(earlier.c.created_at.desc())
        .limit(1)
        .correlate(leads)
    )
    # Each is one look-up in an index.
    by_email = found.where(func.lower(earlier.c.email) == func.lower(leads.c.email))
    by_phone = found.where(earlier.c.phone_e164 == leads.c.phone_e164)
    return func.greatest(by_email.scalar_subquery(), by_phone.scalar_subquery())


def _earlier(row: Mapping[str, Any]) -> Select[Any]:
    """What the enquiry before a lead is found by: its reference, and its record in the CRM where it has one."""
    crm, is_same = _crm("crm"), func.lower(leads.c.email) == func.lower(row["email"])
    found = select(leads.c.reference.label("earlier_reference"), crm.c.record_id.label("earlier_record_id"))
    found = found.select_from(leads.outerjoin(crm, crm.c.id == leads.c.id))
    is_same |= leads.c.phone_e164 == row["phone_e164"]
    return found.where(is_same, leads.c.created_at == row["earlier_enquiry_at"]).limit(1)


def _same_visit(kind: Kind) -> Any:
    this, other = kind.table, (Kind.CLICK if kind is Kind.LEAD else Kind.LEAD)
    rows, state = other.table, _crm("named")
    named = (
        select(rows.c[other.reference])
        .join(state, state.c.id == rows.c.id)
        .where(rows.c.session_id == this.c.session_id, rows.c.session_id != "", state.c.record_id.is_not(None))
        .order_by(rows.c.created_at.desc())
        .limit(MAX_NAMED)
        .correlate(this)
    )
    return func.array(named.scalar_subquery(), type_=ARRAY(String))
