"""The question that retention asks the CRM before it removes rows: who became a customer. Reads only."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID, uuid4

from leads.outbox.permit import NotPermitted
from leads.privacy.retention import Ask, CannotAsk, Old
from worker.crm.access import CrmAccess
from worker.crm.port import CallFailed, Crm


def make_ask(access: CrmAccess) -> Ask:
    """The question for this CRM. A record that does not exist, or is in the recycle bin, is not a customer's."""

    def ask(rows: Sequence[Old]) -> set[UUID]:
        try:
            with access.permitted() as crm:
                return _find_converted(crm, rows)
        except NotPermitted as refusal:
            raise CannotAsk(str(refusal)) from refusal
        except CallFailed as failure:
            raise CannotAsk(f"{failure.code} ({failure.failure})") from failure

    return ask


def _find_converted(crm: Crm, rows: Sequence[Old]) -> set[UUID]:
    known = sorted({row.record_id for row in rows if row.record_id})
    converted: set[str | None] = set()
    if known:
        for page in crm.list_records(ids=known, converted=True):
            converted |= {record.id for record in page}
    found = {row.id for row in rows if row.record_id and row.record_id in converted}
    # A row without a record id, as after a lost reply, is found by its event id.
    lost = [row.id for row in rows if not row.record_id]
    return found | crm.find_all(lost, converted=True, call_id=uuid4().hex).keys()
