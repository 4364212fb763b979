"""The two kinds of rows that owe the CRM a call, and their tables."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any
from uuid import UUID  # noqa: TC003 - a field of a dataclass

from leads import tables
from leads.tables import columns

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy import Table

    from leads.lifecycle import Sync


class Kind(StrEnum):
    """What a row is: an enquiry, or a tap on WhatsApp."""

    LEAD = "lead"
    CLICK = "click"

    @property
    def table(self) -> Table:
        """Where rows of this kind live."""
        return tables.leads if self is Kind.LEAD else tables.whatsapp_clicks


class Lane(StrEnum):
    """Fresh rows never wait behind a retry storm: each lane has its own queue and its own claims."""

    FRESH = "fresh"
    RETRY = "retry"

    @property
    def piles(self) -> tuple[str, ...]:
        """Where this lane's rows wait, as SQL conditions: the first is empty before the next is looked at.

        What a person queued again stands behind what comes by itself, however much it is.
        """
        return (columns.NEW, columns.REQUEUED) if self is Lane.FRESH else ("zoho_status = 'retrying'",)


@dataclass(frozen=True, slots=True)
class Claimed:
    """A row that this worker alone may send until `lease` (its own `next_retry_at`, the fence of every mark)."""

    kind: Kind
    id: UUID
    lease: datetime
    sync: Sync
    values: Mapping[str, Any]
