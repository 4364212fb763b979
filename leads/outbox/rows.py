"""Rows of the outbox: their two kinds, the two lanes they wait in, and a claimed row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, assert_never
from uuid import UUID

from sqlalchemy import Table

from leads import tables
from leads.lifecycle import Sync
from leads.tables.delivery import NEW, REQUEUED

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

    @property
    def sent_columns(self) -> str:
        """SQL for the columns of this kind's table that a claim reads beside the id."""
        return ", ".join(column.name for column in self.table.columns if column.name not in ("id", *NOT_SENT))

    @property
    def with_delivery(self) -> str:
        """SQL for this kind's rows together with the state of their deliveries, one row for each destination."""
        return f"{self.table.name} JOIN deliveries USING (id)"

    @property
    def with_crm(self) -> str:
        """SQL for this kind's rows together with the state of their delivery to the CRM."""
        return f"{self.table.name} JOIN crm_deliveries USING (id)"


class Lane(StrEnum):
    """A lane has its own queue and its own claims, so that fresh rows never wait behind a retry storm."""

    FRESH = "fresh"
    RETRY = "retry"

    @property
    def piles(self) -> tuple[str, ...]:
        """SQL conditions that select this lane's rows; a pile is searched only when the one before it is empty.

        Rows that an operator requeued come after new rows, however many there are.
        """
        match self:
            case Lane.FRESH:
                return (NEW, REQUEUED)
            case Lane.RETRY:
                return ("status = 'retrying'",)
        assert_never(self)


@dataclass(frozen=True, slots=True)
class Claimed:
    """A row that only this worker may send until `lease` (its own `next_retry_at`, which fences every mark).

    Its repr hides the values, which are a person's.
    """

    destination: str
    kind: Kind
    id: UUID
    lease: datetime
    sync: Sync
    values: Mapping[str, Any] = field(repr=False)

    def with_values(self, **more: object) -> Claimed:
        """The row with further values."""
        return replace(self, values={**self.values, **more})
