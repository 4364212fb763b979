"""Asking the CRM who became a customer, before retention removes what is here. Reads only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leads.crm_state.concurrency import take_slot
from leads.crm_state.gate import read_gate
from leads.outbox.rows import Lane
from leads.privacy.retention import CannotAsk
from worker.context import MODULE
from worker.zoho.errors import CallFailed
from worker.zoho.replies import record_id

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from leads.privacy.retention import Ask, Old
    from worker.context import Crm


def make_ask(crm: Crm) -> Ask:
    """The question to this CRM. A record that it does not have is nobody's, and so is one in its recycle bin."""

    def ask(rows: Sequence[Old]) -> set[UUID]:
        gate = read_gate(crm.engine)
        if not gate.is_open:
            raise CannotAsk(f"the gate is shut ({gate.reason})")
        cap = min(crm.settings.crm_calls_in_flight, gate.concurrency or crm.settings.crm_calls_in_flight)
        with take_slot(crm.engine, Lane.RETRY, cap=cap) as free:
            if not free:
                raise CannotAsk("every slot is busy")
            try:
                return _find_converted(crm, rows)
            except CallFailed as failure:
                raise CannotAsk(f"{failure.code} ({failure.failure})") from failure

    return ask


def _find_converted(crm: Crm, rows: Sequence[Old]) -> set[UUID]:
    known = sorted({row.record_id for row in rows if row.record_id})
    converted: set[str | None] = set()
    if known:
        for page in crm.client.list_records(MODULE, ["id"], ids=known, converted="true"):
            converted |= {record_id(item.get("id")) for item in page}
    found = {row.id for row in rows if row.record_id and row.record_id in converted}
    # Without a record's id, as after a lost reply, the event id leads to it.
    field = crm.settings.zoho_event_id_field
    for row in rows:
        if not row.record_id:
            items = crm.client.find(MODULE, field, str(row.id), converted="true")
            found |= {row.id for item in items if str(item.get(field)).lower() == str(row.id)}
    return found
