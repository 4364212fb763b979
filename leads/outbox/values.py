"""What is sent of a row: its columns, what came before it, and where its record is. SQL only.

Both enquiries of a person are kept; the worker's mapping decides how the CRM shows it. A row names the others of
its visit that are in the CRM already, so whichever of two is sent second names the first.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import sqlalchemy as sa

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


def add_history(connection: sa.Connection, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a row (`value_columns`), and what came before it.

    `repeat_enquiry`: whether the person enquired before; then `earlier_reference` and `earlier_record_id`, what to
    find that enquiry by.
    """
    found = connection.execute(_earlier(values)).one_or_none() if values["earlier_enquiry_at"] else None
    if found is None:  # there was none, or it was erased just now
        return {**values, "earlier_enquiry_at": None, "repeat_enquiry": False}
    return {**values, "repeat_enquiry": True, **found._asdict()}


def value_columns(kind: Kind) -> tuple[sa.Join, dict[str, sa.ColumnElement[Any]]]:
    """Return from where to select what is sent of rows, and the columns: the table's but for NOT_SENT, and these.

    `earlier_enquiry_at`: when the person enquired before, within REPEAT, by the e-mail, ignoring case, or the phone
    number in E.164; NULL for a click. `same_visit`: the codes of the visit's taps or the references of its
    enquiries, newest first. For messages: `crm_record_id`, and `crm_refusal`, the code with which the CRM refuses
    the row.
    """
    # A short name: the driver keeps no statement parsed that is longer than 4,096 characters.
    this, crm = kind.table.alias("it"), deliveries.alias("crm")
    code = sa.func.split_part(crm.c.last_error, ":", 1)
    refusal = sa.case((sa.or_(crm.c.status == "dead", crm.c.refused_at.is_not(None)), code))
    more: dict[str, sa.ColumnElement[Any]] = {
        "earlier_enquiry_at": _last(this) if kind is Kind.LEAD else sa.null(),
        "same_visit": _same_visit(kind, this),
        "crm_record_id": crm.c.record_id,
        "crm_refusal": refusal,
    }
    columns = {column.name: column for column in this.c if column.name not in NOT_SENT}
    return this.outerjoin(crm, _is_of(crm, this)), columns | more


def _is_of(owed: sa.FromClause, row: sa.FromClause) -> sa.ColumnElement[bool]:
    """Whether it is what is owed to the CRM for a row."""
    return (owed.c.id == row.c.id) & (owed.c.destination == sa.literal_column(f"'{CRM}'"))


def _last(this: sa.FromClause) -> Any:
    """When the newest enquiry before a lead's came. A held one (suspected spam) never counts."""
    earlier, state = leads.alias("earlier"), deliveries.alias("state")
    found = (
        sa.select(earlier.c.created_at)
        .join_from(earlier, state, _is_of(state, earlier))
        .where(sa.tuple_(earlier.c.created_at, earlier.c.id) < sa.tuple_(this.c.created_at, this.c.id))
        .where(earlier.c.created_at >= this.c.created_at - REPEAT, state.c.status != "held")
        .order_by(earlier.c.created_at.desc())
        .limit(1)
        .correlate(this)
    )
    # Each is one look-up in an index.
    by_email = found.where(sa.func.lower(earlier.c.email) == sa.func.lower(this.c.email))
    by_phone = found.where(earlier.c.phone_e164 == this.c.phone_e164)
    return sa.func.greatest(by_email.scalar_subquery(), by_phone.scalar_subquery())


def _earlier(row: Mapping[str, Any]) -> sa.Select[Any]:
    """What the enquiry before a lead is found by: its reference, and its record in the CRM where it has one."""
    crm, is_same = deliveries.alias("crm"), sa.func.lower(leads.c.email) == sa.func.lower(row["email"])
    found = sa.select(leads.c.reference.label("earlier_reference"), crm.c.record_id.label("earlier_record_id"))
    found = found.select_from(leads.outerjoin(crm, _is_of(crm, leads)))
    is_same |= leads.c.phone_e164 == row["phone_e164"]
    return found.where(is_same, leads.c.created_at == row["earlier_enquiry_at"]).limit(1)


def _same_visit(kind: Kind, this: sa.FromClause) -> Any:
    other = Kind.CLICK if kind is Kind.LEAD else Kind.LEAD
    rows, state = other.table, deliveries.alias("named")
    named = (
        sa.select(rows.c[other.reference])
        .join_from(rows, state, _is_of(state, rows))
        .where(rows.c.session_id == this.c.session_id, rows.c.session_id != "", state.c.record_id.is_not(None))
        .order_by(rows.c.created_at.desc())
        .limit(MAX_NAMED)
        .correlate(this)
    )
    return sa.func.array(named.scalar_subquery(), type_=sa.ARRAY(sa.String))
