"""What a visitor adds to an enquiry, for its record in the CRM: an update of that record alone, last words last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import Engine

from leads.destinations import DETAILS
from leads.lifecycle import LOST_CALL_WAIT, Delivered
from leads.outbox.details import choose_details, hurry_changed, read_details
from leads.outbox.permit import CallLimits
from leads.outbox.rows import Claimed, Lane
from worker.crm.fields import MappingConfig
from worker.crm.mapping import details_record
from worker.crm.port import CallFailed, Crm, FailureClass, RowResult
from worker.crm.send import Item, Reply
from worker.destinations.outcomes import answer_of
from worker.destinations.port import Answer, Call


@dataclass(frozen=True, slots=True)
class CrmDetails:
    """Updates records by their ids, one in a call, under the CRM's own gate and limits.

    An update makes no record, whatever becomes of its answer, and touches nothing that staff wrote.
    """

    engine: Engine
    crm: Crm
    mapping: MappingConfig
    limits: CallLimits
    lease_seconds: float
    name: str = DETAILS
    max_rows: int = 1
    # Marked at once, so that what is said until then is seen after the mark, and does not wait for the lease.
    is_repeatable: bool = False

    def choose(self, lane: Lane, rows: int) -> Sequence[UUID]:
        """Those whose records are in the CRM."""
        return choose_details(self.engine, lane, rows=rows)

    def send(self, rows: Sequence[Claimed], call: Call) -> Iterator[Answer]:
        """Send each."""
        call.take_slot()
        for row in rows:
            if not call.may_begin():
                continue
            if not call.begin([row]):
                hurry_changed(self.engine, row)
                continue
            latest = read_details(self.engine, row)
            item = Item(latest, details_record(latest.values, self.mapping))
            if not item.record:
                yield Answer([row], Delivered(""), call.id, answered=False)
                hurry_changed(self.engine, row)
                continue
            result = self._update(item, call.id)
            yield answer_of(Reply([item], call.id, result))
            is_lost = isinstance(result, CallFailed) and result.failure is FailureClass.UNKNOWN
            # What is newer must not overtake a call that may still be under way.
            hurry_changed(self.engine, row, wait=LOST_CALL_WAIT if is_lost else 0.0)

    def _update(self, item: Item, call_id: str) -> RowResult | CallFailed:
        record_id = str(item.row.values["crm_record_id"])
        try:
            (result,) = self.crm.update({record_id: item.record}, call_id=call_id)
        except CallFailed as failure:
            return _delay_lost(failure)
        return result


def _delay_lost(failure: CallFailed) -> CallFailed:
    """The failure; when the CRM may still work on the call, with a wait before the next attempt."""
    if failure.failure is not FailureClass.UNKNOWN:
        return failure
    return CallFailed(
        failure.failure,
        failure.code,
        http_status=failure.http_status,
        detail=failure.detail,
        retry_after_seconds=max(LOST_CALL_WAIT, failure.retry_after_seconds or 0.0),
    )
