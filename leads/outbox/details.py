"""What a visitor adds to an enquiry after it was sent: stored with the lead, and due to its record in the CRM."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Engine, func, insert, or_, select, update

from leads.db import run_with_retry
from leads.destinations import CRM
from leads.lifecycle import LOST_CALL_SECONDS, Status
from leads.outbox.rows import Kind
from leads.tables import attempts, deliveries, leads

COLUMNS = ("interest", "already_has", "call_from", "call_until", "call_chosen")


def change_details(engine: Engine, lead_id: UUID, values: Mapping[str, Any]) -> bool:
    """Store what a visitor adds (some of COLUMNS), and owe it to the CRM, in one durable commit; safe to repeat.

    Returns whether there is such a lead; raises `StoreUnavailable` when the database is.
    """
    given = {name: values[name] for name in COLUMNS if name in values}
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
            due = connection.execute(
                update(deliveries).where(this).values(_due(row)).returning(deliveries.c.next_retry_at)
            )
            line = {"destination": CRM, "kind": Kind.LEAD, "row_id": lead_id, "event": "changed"}
            connection.execute(insert(attempts), {**line, "next_retry_at": due.scalar_one()})
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
