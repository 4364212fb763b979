"""The two kinds of rows of the outbox."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import assert_never
from uuid import UUID

from sqlalchemy import Connection, Table, delete

from leads import tables

# Columns that are not sent to the CRM, so that no claim reads them, and why. A test proves that every other one is.
NOT_SENT: dict[str, str] = {
    "marketing_version": "evidence of consent, stored here; sales staff need only Marketing_Opt_In",
    "idempotency_key": "distinguishes a repeated submission from a new enquiry, before delivery",
    "request_digest": "distinguishes a repeated submission from a misused key, before delivery",
    "held_reason": "why the row was suspected spam, before delivery",
}


class Kind(StrEnum):
    """What a row is: an enquiry, or a tap on a WhatsApp button."""

    LEAD = "lead"
    CLICK = "click"

    @property
    def table(self) -> Table:
        """The table of this kind's rows."""
        match self:
            case Kind.LEAD:
                return tables.leads
            case Kind.CLICK:
                return tables.whatsapp_clicks
        assert_never(self)

    @property
    def reference(self) -> str:
        """The column of this kind's table with what people name a row by."""
        match self:
            case Kind.LEAD:
                return "reference"
            case Kind.CLICK:
                return "unique_code"
        assert_never(self)


def delete_rows(connection: Connection, ids: Sequence[UUID]) -> None:
    """Delete leads and clicks with all that is owed for them, and their timelines."""
    owned = (tables.deliveries, tables.leads, tables.whatsapp_clicks)
    for column in (*(table.c.id for table in owned), tables.attempts.c.row_id):
        connection.execute(delete(column.table).where(column.in_(ids)))
