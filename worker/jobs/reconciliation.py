"""Comparison of our sent rows with the CRM's records, by event id: which are missing there, and which are twice.

And the daily check of a sample of them, and of the CRM's fields. Nothing is changed on either side.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from operator import methodcaller
from typing import TypeVar
from uuid import UUID, uuid4

from sqlalchemy import Engine

from leads.crm_state import begin_field_check, record_field_check, record_missing_records
from leads.ids import short_id
from leads.outbox.pause import Paused
from leads.outbox.reconcile import SentRow, read_record_ids, read_sample, read_sent
from worker.crm.access import CrmAccess
from worker.crm.port import EVENT_IDS_A_CALL, CallFailed, CustomField, FailureClass

log = logging.getLogger(__name__)

# How far our clock and the CRM's may differ, and how much older than its mark a record may be.
MAX_CLOCK_SKEW = timedelta(hours=1)
IDS_A_CALL = 100

T = TypeVar("T")


@dataclass(slots=True)
class Comparison:
    """What was compared, and what is wrong."""

    since: datetime
    rows: int = 0
    missing: list[SentRow] = field(default_factory=list)  # sent, but the CRM has no such record
    doubled: list[SentRow] = field(default_factory=list)  # of records whose event id a newer one holds too


def compare(engine: Engine, access: CrmAccess, since: datetime) -> Comparison:
    """Compare the rows sent since then with the CRM's records. Raises `CallFailed`, `Paused`."""
    # The rows first: what is sent meanwhile may not be in the list.
    rows = read_sent(engine, since=since)
    found = Comparison(since, rows=len(rows))
    listed = _list_event_ids(access, found)
    # Records older than what was listed are read by their ids.
    found.missing = _without_record(access, [row for row in rows if row.id not in listed])
    return found


def find_missing_of_sample(engine: Engine, access: CrmAccess) -> list[UUID]:
    """Return those of a sample of a day's sent rows that have no record, in one call if all have."""
    return [row.id for row in _without_record(access, read_sample(engine, rows=IDS_A_CALL))]


def check_fields(access: CrmAccess, fields: Sequence[CustomField]) -> str | None:
    """Make the check if it is due and no other worker makes it; one that fails is due again in an hour.

    Returns what came of it, None where it was not due.

    Do the fields still fit? The CRM takes a record with an unknown field and drops the value, and overwrites the
    record that has a unique value. And has a sample of the day's rows its records? Nothing else reads them back.
    """
    if not begin_field_check(access.engine):
        return None
    try:
        with access.permitted() as crm:
            unfit = crm.unfit_fields(fields)
        record_field_check(access.engine, unfit)
        missing = find_missing_of_sample(access.engine, access)
        record_missing_records(access.engine, len(missing))
    except (Paused, CallFailed) as error:
        log.warning("the CRM's fields or records could not be checked: %s", error)
        return f"FAILED: {error}"
    if unfit:
        words = "%d fields are missing in the CRM or do not fit; `check` says why: %s"
        log.error(words, len(unfit), ", ".join(unfit))
    if missing:
        ids = " ".join(short_id(row) for row in missing)
        log.error("%d sent rows have no record in the CRM; see `reconcile`: %s", len(missing), ids)
    return f"{len(unfit)} fields missing or unfit, {len(missing)} rows without a record"


def _list_event_ids(access: CrmAccess, found: Comparison) -> set[UUID]:
    """The event ids of our records since an hour before `since`. Newest come first; the rest is not read."""
    event_ids: set[UUID] = set()
    for page in access.pages(lambda crm: crm.list_records()):
        for record in page:
            if record.event_id is None:
                continue
            if record.event_id in event_ids:
                found.doubled.append(SentRow(record.event_id, record.id))
            event_ids.add(record.event_id)
        if page and page[-1].created_at < found.since - MAX_CLOCK_SKEW:
            break
    return event_ids


def _without_record(access: CrmAccess, rows: Sequence[SentRow]) -> list[SentRow]:
    """The rows that have no record in the CRM, and none that was deleted or merged there.

    The record of a row is the one that it got, or any other that holds its event id: staff may have merged records.
    """
    found_by_id = _read_by_id(access, [row.record_id for row in rows if row.record_id])
    unconfirmed = [row for row in rows if row.record_id not in found_by_id or found_by_id[row.record_id] != row.id]
    if not unconfirmed:
        return []
    pages = access.pages(lambda crm: crm.list_deleted())
    deleted = {record_id for page in pages for record_id in page}
    left = [row for row in unconfirmed if row.record_id not in deleted]
    moved = _find_records(access, [row.id for row in left]) if left else set()
    merged = _merged(access.engine, left, found_by_id)
    return [row for row in left if row.id not in moved | merged]


def _merged(engine: Engine, rows: Sequence[SentRow], found_by_id: Mapping[str, UUID | None]) -> set[UUID]:
    """The rows whose record was merged with another row's, whose event id it holds now.

    A row that had no record of its own, but got this one, has overwritten it.
    """
    held = [(row, holder) for row in rows if (holder := found_by_id.get(row.record_id or "")) is not None]
    own = read_record_ids(engine, [holder for _, holder in held])
    return {row.id for row, holder in held if own.get(holder, row.record_id) != row.record_id}


def _find_records(access: CrmAccess, ids: Sequence[UUID]) -> set[UUID]:
    """Which of these event ids the records in the CRM hold, those that became a customer too."""
    found: set[UUID] = set()
    try:
        for chunk in _chunks(ids, EVENT_IDS_A_CALL):
            with access.permitted() as crm:
                found |= dict(crm.find(chunk, call_id=uuid4().hex)).keys()
    except CallFailed as failure:
        if failure.failure is not FailureClass.CONFIGURATION:
            raise
        # This edition or token may not search.
        pages = access.pages(lambda crm: crm.list_records())
        return {record.event_id for page in pages for record in page if record.event_id} & set(ids)
    return found


def _read_by_id(access: CrmAccess, ids: list[str]) -> dict[str, UUID | None]:
    """The records that exist, with the event id that each holds."""
    event_ids: dict[str, UUID | None] = {}
    for chunk in _chunks(sorted(set(ids)), IDS_A_CALL):
        for page in access.pages(methodcaller("list_records", ids=chunk)):
            event_ids |= {record.id: record.event_id for record in page}
    return event_ids


def _chunks(items: Sequence[T], size: int) -> Iterable[Sequence[T]]:
    return (items[start : start + size] for start in range(0, len(items), size))
