"""The CRM as a destination: an upsert on our event id, so that a row that is sent twice is still one record."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from leads.destinations import CRM
from leads.lifecycle import Outcome, Retry, Sent
from leads.outbox.claim import Claimed
from worker.crm.access import outcome_of
from worker.crm.fields import Fields
from worker.crm.mapping import details_record, move_to_description, record_of
from worker.crm.port import FOUND, CallFailed, Crm, FailureClass
from worker.destinations.port import Call

log = logging.getLogger(__name__)

MAX_MOVED = 3  # optional fields that the CRM refuses, each moved to the description, before the row is refused
UPDATED, NOTHING_TO_ADD, GONE = "UPDATED", "NOTHING_TO_ADD", "GONE"
# Failures that no later look-up would cure. The row is sent without one: a second record of a customer's enquiry is
# better than none of a lead's.
_NO_LOOK_UP = frozenset({FailureClass.CONFIGURATION, FailureClass.REFUSED})
_OF_A_FIELD = frozenset({FailureClass.REFUSED, FailureClass.DUPLICATE})


@dataclass(frozen=True, slots=True)
class CrmDestination:
    """Sends leads and clicks as records, and what a visitor adds as an update of the record."""

    crm: Crm
    mapping: Fields
    url_of: Callable[[str | None], str | None] = lambda _: None  # a record's address
    name: str = CRM
    calls: int | None = None

    def send(self, row: Claimed, call: Call) -> Outcome:
        """Send the row, or what was added to it."""
        try:
            if row.record_id is not None:
                return self._update(row, row.record_id, call)
            # After a lost reply: an upsert would undo what staff changed since, and finds no converted record.
            if row.was_tried and (found := self._find(row, call)) is not None:
                return Sent(record_id=found, code=FOUND)
            return self._upsert(row, call)
        except CallFailed as failure:
            return outcome_of(failure)

    def _update(self, row: Claimed, record_id: str, call: Call) -> Outcome:
        added = details_record(row.values, self.mapping)
        if not added:  # this organisation has no field for it
            return Sent(record_id=record_id, code=NOTHING_TO_ADD)
        try:
            self.crm.update(record_id, added, call_id=call.id)
        except CallFailed as failure:
            if failure.failure is not FailureClass.GONE:
                raise
            return Sent(record_id=record_id, code=GONE)  # staff deleted it
        return Sent(record_id=record_id, code=UPDATED)

    def _find(self, row: Claimed, call: Call) -> str | None:
        try:
            return dict(self.crm.find([row.id], call_id=f"{call.id}-look")).get(row.id)
        except CallFailed as failure:
            if failure.failure not in _NO_LOOK_UP:
                raise
            log.warning("%s %s is sent though it could not be looked for: %s", row.kind, row.id, failure)
            return None

    def _upsert(self, row: Claimed, call: Call) -> Outcome:
        record, moved = record_of(row, self.mapping, self.url_of), list[str]()
        while True:
            # Also after a look-up: the process may have been frozen in it.
            if not call.may_begin():
                return Retry(code="LEASE_SHORT", detail="too little of the lease was left")
            suffix = f".{len(moved)}" if moved else ""
            try:
                record_id = self.crm.upsert(record, call_id=f"{call.id}{suffix}")
            except CallFailed as failure:
                is_movable = failure.failure in _OF_A_FIELD and len(moved) < MAX_MOVED
                smaller = move_to_description(record, failure.field) if failure.field and is_movable else None
                if smaller is None or failure.field is None:
                    raise
                log.warning("%s %s is sent without %s (%s)", row.kind, row.id, failure.field, failure.code)
                record = smaller
                moved.append(failure.field)
                continue
            return Sent(detail=f"without {', '.join(moved)}" if moved else "", record_id=record_id)
