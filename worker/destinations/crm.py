"""The CRM as a destination: batches by upsert on our event id, so that a row sent twice is still one record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import Engine

from leads.destinations import CRM
from leads.lifecycle import Retryable
from leads.outbox.permit import CallLimits
from leads.outbox.rows import Claimed, Lane
from worker.crm.fields import MappingConfig
from worker.crm.port import Crm
from worker.crm.send import prepare, send
from worker.destinations.outcomes import answer_of
from worker.destinations.port import Answer, Call


@dataclass(frozen=True, slots=True)
class CrmDestination:
    """Sends leads and clicks as records."""

    engine: Engine
    crm: Crm
    mapping: MappingConfig
    limits: CallLimits
    max_rows: int
    lease_seconds: float
    name: str = CRM
    is_repeatable: bool = True

    def choose(self, lane: Lane, rows: int) -> Sequence[UUID] | None:  # noqa: ARG002 - the port's signature
        """Any row may be sent."""
        return None

    def send(self, rows: Sequence[Claimed], call: Call) -> Iterator[Answer]:
        """Send rows; a row that our own mapping fails on is tried again by itself, and holds no other up."""
        # Before the mapping: a row that kills its worker there is charged for it.
        items, broken = prepare(call.begin(rows), self.mapping)
        for row, where in broken:
            yield Answer([row], Retryable("MAPPING_FAILED", where), call.id, answered=False)
        if not items:
            return
        call.take_slot()
        for reply in send(self.crm, items, self.mapping, call_id=call.id, deadline=call.deadline):
            yield answer_of(reply)
