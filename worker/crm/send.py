"""Sending of a batch: one upsert, split when the CRM refuses it whole.

Makes the calls and yields the replies as they arrive. outcomes.py decides what a reply means.
"""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from uuid import UUID

from leads.outbox.rows import Claimed
from worker.crm.fields import MappingConfig
from worker.crm.mapping import move_to_description, record_of
from worker.crm.port import FOUND, CallFailed, Crm, FailureClass, RowResult

log = logging.getLogger(__name__)

# Optional fields that a row may lose one by one, each moved to Description, before the row becomes dead.
MAX_REPAIRS = 3
REPAIRABLE = frozenset({FailureClass.RECORD, FailureClass.DUPLICATE})


@dataclass(frozen=True, slots=True)
class Item:
    """A claimed row, its record, and the fields that were moved to Description because the CRM refused them."""

    row: Claimed
    record: dict[str, object]
    moved: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """The result of the call `call_id` for these rows; None: not made, because too little of the lease was left.

    A `RowResult` is about one row; a `CallFailed` is about all rows of the call.
    """

    items: Sequence[Item]
    call_id: str
    result: RowResult | CallFailed | None


def prepare(rows: Sequence[Claimed], mapping: MappingConfig) -> tuple[list[Item], list[tuple[Claimed, str]]]:
    """Return the rows with their records, ready to be sent; and those that our own mapping fails on, with where."""
    items, broken = [], []
    for row in rows:
        try:
            items.append(Item(row, record_of(row, mapping)))
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one row must not hold up the others
            # Not its message: it may quote what a person wrote.
            frame = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{type(error).__name__} in {frame.name}, line {frame.lineno}"
            log.error("%s %s cannot be mapped: %s", row.kind, row.id, where)  # noqa: TRY400
            broken.append((row, where))
    return items, broken


def send(
    crm: Crm, items: Sequence[Item], mapping: MappingConfig, *, call_id: str, deadline: float
) -> Iterator[Reply]:
    """Send rows; yield exactly one reply for each, before the next call is made.

    Args:
        crm: the CRM, under a permit.
        items: rows of one kind.
        mapping: how rows become records; used for fields that the CRM refuses.
        call_id: id of the first call; further calls get it with a suffix.
        deadline: monotonic seconds after which no call starts, because the lease could run out.

    Yields:
        The replies, as they arrive. Failed calls are replies, not exceptions.
    """
    there = _find_tried(crm, items, f"{call_id}-look")
    for item in items:
        if (record_id := there.get(item.row.id)) is not None:
            yield Reply([item], call_id, RowResult(ok=True, code=FOUND, record_id=record_id))
    upserts = _Upserts(crm, mapping, deadline)
    others = [item for item in items if item.row.id not in there]
    yield from upserts.send(others, f"{call_id}.c" if there else call_id)


def _find_tried(crm: Crm, items: Sequence[Item], call_id: str) -> Mapping[UUID, str]:
    """The records of these rows that are there, as after a lost reply.

    An upsert would undo what staff have changed since, and finds no record that became a customer.
    """
    doubtful = [item.row.id for item in items if item.row.values.get("was_tried")]
    if not doubtful:
        return {}
    try:
        return crm.find_all(doubtful, call_id=call_id)
    except CallFailed as failure:
        # A second record of a customer's enquiry is better than none of a lead's.
        log.warning("%d rows are sent though they could not be looked for: %s", len(doubtful), failure)
        return {}


@dataclass(frozen=True, slots=True)
class _Upserts:
    """Upserts of one claim; see `send`."""

    crm: Crm
    mapping: MappingConfig
    deadline: float

    def send(self, items: Sequence[Item], call_id: str) -> Iterator[Reply]:
        calls = [(items, call_id)] if items else []
        # As many failed calls in a row as it takes to find one row by halving; more of them is an outage.
        failures_left = len(items).bit_length() + 1
        while calls:
            items, part_id = calls.pop()
            if time.monotonic() > self.deadline:
                yield Reply(items, part_id, None)
                continue
            try:
                results = self.crm.upsert([item.record for item in items], call_id=part_id)
            except CallFailed as failure:
                failures_left -= 1
                if _is_worth_halving(failure, items, failures_left):
                    middle = len(items) // 2
                    calls += [(items[:middle], f"{part_id}.a"), (items[middle:], f"{part_id}.b")]
                else:
                    yield Reply(items, part_id, failure)
                continue
            failures_left = len(items).bit_length() + 1
            repaired = []
            for item, result in zip(items, results, strict=True):
                repaired_item = _repair(item, result, self.mapping)
                if repaired_item is not None:
                    repaired.append(repaired_item)
                else:
                    yield Reply([item], part_id, result)
            if repaired:
                calls.append((repaired, f"{part_id}.r"))


def _is_worth_halving(failure: CallFailed, items: Sequence[Item], failures_left: int) -> bool:
    """Whether one of the rows may be what makes the call fail.

    The CRM refuses the whole request; or it breaks on rows that have broken a call before (else it is an outage).
    """
    if len(items) == 1:
        return False
    if failure.failure is FailureClass.REQUEST:
        return True
    status = failure.http_status or 0
    breaks = failure.failure is FailureClass.UNKNOWN and status >= HTTPStatus.INTERNAL_SERVER_ERROR
    return breaks and failures_left > 0 and any(item.row.sync.retry_count for item in items)


def _repair(item: Item, result: RowResult, mapping: MappingConfig) -> Item | None:
    """The row without the optional field that the CRM refused; None when there is no such field.

    An e-mail address or a phone number that the CRM keeps unique is such a field: the second enquiry of the same
    person must arrive.
    """
    if result.ok or result.failure not in REPAIRABLE or result.field is None or len(item.moved) >= MAX_REPAIRS:
        return None
    record = move_to_description(item.record, result.field, mapping)
    if record is None:
        return None
    log.warning("%s %s is sent without %s (%s)", item.row.kind, item.row.id, result.field, result.code)
    return Item(item.row, record, (*item.moved, result.field))
