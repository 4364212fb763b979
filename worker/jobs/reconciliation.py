"""Reconciliation: comparison of our sent rows with the CRM's records, by event id, in both directions, and repair.

The comparison itself changes nothing on either side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import TypeVar
from uuid import UUID, uuid4

from sqlalchemy import Engine

from leads.destinations import CRM
from leads.outbox.reconcile import (
    SentRow,
    read_clock,
    read_record_ids,
    read_sample,
    read_sent,
    read_states,
    requeue_missing,
)
from leads.outbox.rows import Kind
from leads.outbox.selection import redrive
from leads.privacy.erasure import known_erased, look_again
from worker.crm.access import CrmAccess
from worker.crm.port import EVENT_IDS_A_CALL, CallFailed, Crm, CrmRecord, FailureClass

# How far our clock and the CRM's may differ, and how much older than its mark a record may be.
MAX_CLOCK_SKEW = timedelta(hours=1)
# Seconds to wait for a free call slot: a comparison is not urgent, and deliveries hold a slot for one call only.
SLOT_PATIENCE = 30.0
IDS_A_CALL = 100
# More are looked for in the list of all records: it has 200 in a call.
EVENT_IDS_SEARCHED = 500
UNDER_WAY = frozenset({"pending", "sending", "retrying"})

T = TypeVar("T")


class Gap(StrEnum):
    """How the two sides can differ."""

    MISSING = "missing"  # the row is sent, but the CRM has no such record
    UNSENT = "unsent"  # the CRM has the record, but the row is dead or held
    UNKNOWN = "unknown"  # the CRM has the record, but there is no such row
    ERASED = "erased"  # the CRM has the record, but the person was erased
    DOUBLED = "doubled"  # two records in the CRM hold one event id


@dataclass(frozen=True, slots=True)
class Difference:
    """One gap: the row's id, which is the event id, and the record where there is one."""

    gap: Gap
    id: UUID
    kind: Kind | None = None
    record_id: str | None = None


@dataclass(slots=True)
class Comparison:
    """What was compared, and the gaps.

    deleted: rows whose record was deleted or merged in the CRM, or that another record holds, which is no gap.
    under_way: records of rows that are not yet
    marked as sent, as after a lost reply; no gap either.
    """

    since: datetime
    until: datetime
    rows: int = 0
    records: int = 0
    deleted: int = 0
    under_way: int = 0
    gaps: list[Difference] = field(default_factory=list)


def compare(engine: Engine, access: CrmAccess, since: datetime) -> Comparison:
    """Compare the rows sent and the records created since then. Raises `CallFailed`, `NotPermitted`."""
    found = Comparison(since, read_clock(engine))
    records = _read_records(access, found)
    _find_missing_rows(engine, found, records)
    _find_missing_records(engine, access, found, records)
    return found


def find_missing_of_sample(engine: Engine, access: CrmAccess) -> list[UUID]:
    """Return those of a sample of a day's sent rows that have no record, in one call if all have.

    Raises `CallFailed`, `NotPermitted`.
    """
    missing, _ = _without_record(access, read_sample(engine, rows=IDS_A_CALL))
    return [row.id for row in missing]


def mend(engine: Engine, found: Comparison, *, by: str) -> dict[Gap, int]:
    """Requeue missing rows and dead ones whose record exists, and queue erased persons' records for deletion.

    Returns how many of each.
    """
    missing = [gap.id for gap in found.gaps if gap.gap is Gap.MISSING]
    unsent = [gap.id for gap in found.gaps if gap.gap is Gap.UNSENT]
    erased = [gap.id for gap in found.gaps if gap.gap is Gap.ERASED]
    return {
        Gap.MISSING: requeue_missing(engine, missing, by=by),
        Gap.UNSENT: redrive(engine, by=by, ids=unsent, destination=CRM),
        Gap.ERASED: look_again(engine, erased),
    }


def _read_records(access: CrmAccess, found: Comparison) -> dict[UUID, CrmRecord]:
    """Our records in the CRM since an hour before `since`, by event id. Newest come first; the rest is not read."""
    records: dict[UUID, CrmRecord] = {}
    for page in access.pages(lambda crm: crm.list_records(), patience=SLOT_PATIENCE):
        for record in page:
            if record.event_id is None:
                continue
            if record.event_id in records:
                found.gaps.append(Difference(Gap.DOUBLED, record.event_id, record_id=record.id))
            records[record.event_id] = record
        if page and page[-1].created_at < found.since - MAX_CLOCK_SKEW:
            break
    return records


def _find_missing_rows(engine: Engine, found: Comparison, records: dict[UUID, CrmRecord]) -> None:
    """Add the gaps of records in the CRM that belong to no sent row."""
    recent = {event_id: record for event_id, record in records.items() if record.created_at >= found.since}
    found.records = len(recent)
    for ids in _chunks(list(recent), 1000):
        states, erased = read_states(engine, ids), known_erased(engine, ids)
        for event_id in ids:
            kind, status = states.get(event_id, (None, None))
            if status in UNDER_WAY:
                found.under_way += 1
            elif status != "sent":
                gap = Gap.UNSENT if status else Gap.ERASED if event_id in erased else Gap.UNKNOWN
                found.gaps.append(Difference(gap, event_id, kind, recent[event_id].id))


def _find_missing_records(
    engine: Engine, access: CrmAccess, found: Comparison, records: dict[UUID, CrmRecord]
) -> None:
    """Add the gaps of sent rows without a record in the CRM."""
    doubtful: list[SentRow] = []
    for rows in read_sent(engine, since=found.since, until=found.until):
        found.rows += len(rows)
        doubtful += [row for row in rows if row.id not in records]
    # Records older than what was read, and those that got an enquiry as a note, are read by their ids.
    missing, found.deleted = _without_record(access, doubtful)
    found.gaps += [Difference(Gap.MISSING, row.id, row.kind, row.record_id) for row in missing]


def _without_record(access: CrmAccess, rows: Sequence[SentRow]) -> tuple[list[SentRow], int]:
    """Those of the rows that have no record in the CRM, and how many were deleted or merged there.

    The record of a row is the one that it got, or any other that holds its event id: staff may have merged records.
    """
    found_by_id = _read_by_id(access, [row.record_id for row in rows if row.record_id])
    doubtful = [row for row in rows if row.record_id not in found_by_id or found_by_id[row.record_id] != row.id]
    if not doubtful:
        return [], 0
    pages = access.pages(lambda crm: crm.list_deleted(), patience=SLOT_PATIENCE)
    deleted = {record_id for page in pages for record_id in page}
    left = [row for row in doubtful if row.record_id not in deleted]
    moved = find_records(access, [row.id for row in left]) if left else set()
    merged = _merged(access.engine, left, found_by_id)
    missing = [row for row in left if row.id not in moved | merged]
    return missing, len(doubtful) - len(missing)


def _merged(engine: Engine, rows: Sequence[SentRow], found_by_id: Mapping[str, UUID | None]) -> set[UUID]:
    """Those of the rows whose record was merged with another row's, whose event id it holds now.

    A row that had no record of its own, but got this one, has overwritten it.
    """
    holders = {
        row.id: holder for row in rows if row.record_id and (holder := found_by_id.get(row.record_id)) is not None
    }
    own = read_record_ids(engine, [*holders.values()])
    return {
        row.id for row in rows if row.id in holders and own.get(holders[row.id], row.record_id) != row.record_id
    }


def find_records(access: CrmAccess, ids: Sequence[UUID]) -> set[UUID]:
    """Which of these event ids the records in the CRM hold, those that became a customer too.

    Raises `CallFailed`, `NotPermitted`.
    """
    found: set[UUID] = set()
    if len(ids) <= EVENT_IDS_SEARCHED:
        try:
            for chunk in _chunks(ids, EVENT_IDS_A_CALL):
                with access.permitted(patience=SLOT_PATIENCE) as crm:
                    found |= crm.find_all(chunk, call_id=uuid4().hex).keys()
        except CallFailed as failure:
            if failure.failure is not FailureClass.CONFIGURATION:
                raise
        else:
            return found
    # Many, or this edition or token may not search.
    pages = access.pages(lambda crm: crm.list_records(), patience=SLOT_PATIENCE)
    return {record.event_id for page in pages for record in page if record.event_id} & set(ids)


def _read_by_id(access: CrmAccess, ids: list[str]) -> dict[str, UUID | None]:
    """The records that exist, with the event id that each holds."""
    event_ids: dict[str, UUID | None] = {}
    for chunk in _chunks(sorted(set(ids)), IDS_A_CALL):
        for page in access.pages(partial(_list_by_id, chunk), patience=SLOT_PATIENCE):
            event_ids |= {record.id: record.event_id for record in page}
    return event_ids


def _list_by_id(ids: Sequence[str], crm: Crm) -> Iterator[list[CrmRecord]]:
    return crm.list_records(ids=ids)


def _chunks(items: Sequence[T], size: int) -> Iterable[Sequence[T]]:
    return (items[start : start + size] for start in range(0, len(items), size))
