"""Sending a batch: one upsert, split when the CRM refuses it whole; repeats go as notes where they are merged.

Makes the calls and yields the answers as they come. What an answer means is in outcomes.py.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from worker.crash import CrashPoint, crash
from worker.crm.port import CallFailed, FailureClass, RowResult
from worker.delivery.mapping import move_to_description, note_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from leads.outbox.rows import Claimed
    from worker.crm.port import Crm
    from worker.delivery.fields import MappingConfig

log = logging.getLogger(__name__)

# Optional fields a row may lose one after the other, each moved to Description, before it is given up as dead.
MAX_REPAIRS = 3
# What a record that was deleted, converted or locked away from us answers to a note.
NOTE_REFUSED = frozenset({FailureClass.RECORD, FailureClass.REQUEST})
# Seconds before a note whose reply was lost is looked for: longer than any call the CRM may still be working on.
LOST_NOTE_WAIT = 120.0


@dataclass(frozen=True, slots=True)
class Item:
    """A claimed row, its record, and the fields that were moved to Description because the CRM refused them."""

    row: Claimed
    record: dict[str, object]
    moved: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What the call `call_id` said about these rows; None: too little of the lease was left to make it.

    A `RowResult` is about one row; a `CallFailed` is about all rows of the call.
    """

    items: Sequence[Item]
    call_id: str
    result: RowResult | CallFailed | None


def send(
    crm: Crm, items: Sequence[Item], mapping: MappingConfig, *, call_id: str, deadline: float
) -> Iterator[Answer]:
    """Yield exactly one answer for each row, each before the next call is made.

    Args:
        crm: the CRM, under a permit.
        items: rows of one kind.
        mapping: where a refused field goes.
        call_id: id of the first call; further calls get it with a suffix.
        deadline: monotonic seconds after which no call starts, because the lease could run out.
    """
    records = [item for item in items if not item.row.values.get("merged_into")]
    notes = [item for item in items if item.row.values.get("merged_into")]
    yield from _upsert(crm, records, mapping, call_id, deadline)
    refused = []
    for number, item in enumerate(notes, 1):
        answer = _add_note(crm, item, mapping, f"{call_id}.n{number}", deadline)
        if _is_refused(answer.result):
            refused.append(item)
        else:
            yield answer
    # The earlier record is gone or may not be written: this enquiry becomes a record of its own.
    yield from _upsert(crm, refused, mapping, f"{call_id}.o", deadline)


def _upsert(
    crm: Crm, items: Sequence[Item], mapping: MappingConfig, call_id: str, deadline: float
) -> Iterator[Answer]:
    calls = [(items, call_id)] if items else []
    while calls:
        items, name = calls.pop()
        if time.monotonic() > deadline:
            yield Answer(items, name, None)
            continue
        crash(CrashPoint.REQUEST_SENT)
        try:
            results = crm.upsert([item.record for item in items], call_id=name)
        except CallFailed as failure:
            if failure.failure is FailureClass.REQUEST and len(items) > 1:
                middle = len(items) // 2
                calls += [(items[:middle], f"{name}.a"), (items[middle:], f"{name}.b")]
            else:
                yield Answer(items, name, failure)
            continue
        repaired = []
        for item, result in zip(items, results, strict=True):
            again = _repair(item, result, mapping)
            if again is not None:
                repaired.append(again)
            else:
                yield Answer([item], name, result)
        if repaired:
            calls.append((repaired, f"{name}.r"))


def _repair(item: Item, result: RowResult, mapping: MappingConfig) -> Item | None:
    """The row without the one optional field that the CRM refused; None when that is not what happened."""
    if result.ok or result.failure is not FailureClass.RECORD or result.field is None:
        return None
    if len(item.moved) >= MAX_REPAIRS:
        return None
    record = move_to_description(item.record, result.field, mapping)
    if record is None:
        return None
    log.warning("%s %s goes without %s (%s)", item.row.kind, item.row.id, result.field, result.code)
    return Item(item.row, record, (*item.moved, result.field))


def _add_note(crm: Crm, item: Item, mapping: MappingConfig, call_id: str, deadline: float) -> Answer:
    """Add a repeat enquiry to the earlier record as a note, unless the note is there already.

    Notes have no unique key, so the title holds the event id and is looked for before every try.
    """
    target, event_id = str(item.row.values["merged_into"]), str(item.row.id)
    try:
        if time.monotonic() > deadline:
            return Answer([item], call_id, None)
        titles = crm.list_notes(target, call_id=f"{call_id}-look")
        if any(event_id in title for page in titles for title in page):
            found = RowResult(ok=True, code="SUCCESS", record_id=target, action="note")
            return Answer([item], call_id, found)
        if time.monotonic() > deadline:
            return Answer([item], call_id, None)
        title, content = note_of(item.row.values, item.record, mapping)
        result = crm.add_note(target, title, content, call_id=call_id)
    except CallFailed as failure:
        return Answer([item], call_id, _after_lost_note(failure))
    return Answer([item], call_id, replace(result, record_id=target, action="note") if result.ok else result)


def _after_lost_note(failure: CallFailed) -> CallFailed:
    """The failure; where a note may have been stored, it asks for time before the next look."""
    if failure.failure is not FailureClass.UNKNOWN:
        return failure
    return CallFailed(
        failure.failure,
        failure.code,
        http_status=failure.http_status,
        detail=failure.detail,
        retry_after_seconds=max(LOST_NOTE_WAIT, failure.retry_after_seconds or 0.0),
    )


def _is_refused(result: RowResult | CallFailed | None) -> bool:
    if isinstance(result, RowResult) and result.ok:
        return False
    return result is not None and result.failure in NOTE_REFUSED
