"""Comparing our sent rows with the CRM's records, by event id, both ways; and mending what can be mended.

The comparison itself changes nothing on either side.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar
from uuid import UUID

from leads.outbox.reconcile import SentRow, read_clock, read_sent, read_states, requeue_missing
from leads.outbox.redrive import redrive
from leads.outbox.rows import Kind  # noqa: TC001 - a field of a dataclass
from leads.privacy.erasure import known_erased, look_again
from worker.context import MODULE
from worker.zoho.replies import record_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from worker.context import Crm
    from worker.zoho.failures import Item

CLOCKS = timedelta(hours=1)  # by which our clock and the CRM's may differ, and a record be older than its mark
IDS_A_CALL = 100
UNDER_WAY = frozenset({"pending", "sending", "retrying"})


T = TypeVar("T")


class Gap(StrEnum):
    """How the two sides can differ."""

    MISSING = "missing"  # sent here, and there is no such record there
    UNSENT = "unsent"  # the record is there, and here the row is dead or held
    UNKNOWN = "unknown"  # the record is there, and there is no such row here
    ERASED = "erased"  # the record is there, and the person was erased here
    DOUBLED = "doubled"  # two records there hold one event id


@dataclass(frozen=True, slots=True)
class Difference:
    """One gap: the row's id, which is the event id, and the record where there is one."""

    gap: Gap
    id: UUID
    kind: Kind | None = None
    record_id: str | None = None


@dataclass(slots=True)
class Comparison:
    """What was compared and what differs. `deleted`: rows whose record somebody deleted in the CRM, no gap.

    `under_way`: records of rows that are still on their way here, as after a lost reply; no gap either.
    """

    since: datetime
    until: datetime
    rows: int = 0
    records: int = 0
    deleted: int = 0
    under_way: int = 0
    gaps: list[Difference] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Record:
    id: str
    event_id: UUID
    created_at: datetime


def compare(crm: Crm, since: datetime) -> Comparison:
    """Compare what was sent, and what came to be in the CRM, since then. Raises `CallFailed`."""
    found = Comparison(since, read_clock(crm.engine))
    records = _read_records(crm, found)
    _look_for_rows(crm, found, records)
    _look_for_records(crm, found, records)
    return found


def mend(crm: Crm, found: Comparison, *, by: str) -> dict[Gap, int]:
    """Send missing rows again, dead ones whose record is there too, and delete what was erased; gives how many."""
    missing = [(gap.kind, gap.id) for gap in found.gaps if gap.gap is Gap.MISSING and gap.kind is not None]
    unsent = [gap.id for gap in found.gaps if gap.gap is Gap.UNSENT]
    erased = [gap.id for gap in found.gaps if gap.gap is Gap.ERASED]
    return {
        Gap.MISSING: requeue_missing(crm.engine, missing, by=by),
        Gap.UNSENT: redrive(crm.engine, by=by, ids=unsent),
        Gap.ERASED: look_again(crm.engine, erased),
    }


def _read_records(crm: Crm, found: Comparison) -> dict[UUID, _Record]:
    """The CRM's records of ours since an hour before, by event id; newest come first, so the rest is not read."""
    records: dict[UUID, _Record] = {}
    field_name = crm.settings.zoho_event_id_field
    for page in crm.client.list_records(MODULE, ["id", field_name, "Created_Time"]):
        for item in page:
            record = _record(item, field_name)
            if record is None:
                continue
            if record.event_id in records:
                found.gaps.append(Difference(Gap.DOUBLED, record.event_id, record_id=record.id))
            records[record.event_id] = record
        if page and _moment(page[-1]) < found.since - CLOCKS:
            break
    return records


def _record(item: Item, field_name: str) -> _Record | None:
    """The record, when it carries an event id of our shape."""
    found_id = record_id(item.get("id"))
    try:
        event_id = UUID(str(item.get(field_name)))
    except ValueError:
        return None
    return None if found_id is None else _Record(found_id, event_id, _moment(item))


def _moment(item: Item) -> datetime:
    return datetime.fromisoformat(str(item.get("Created_Time")))


def _look_for_rows(crm: Crm, found: Comparison, records: dict[UUID, _Record]) -> None:
    """There, but here?"""
    recent = [record for record in records.values() if record.created_at >= found.since]
    found.records = len(recent)
    for some in _portions(recent, 1000):
        ids = [record.event_id for record in some]
        states, erased = read_states(crm.engine, ids), known_erased(crm.engine, ids)
        for record in some:
            kind, status = states.get(record.event_id, (None, None))
            if status in UNDER_WAY:
                found.under_way += 1
            elif status != "sent":
                gap = Gap.UNSENT if status else Gap.ERASED if record.event_id in erased else Gap.UNKNOWN
                found.gaps.append(Difference(gap, record.event_id, kind, record.id))


def _look_for_records(crm: Crm, found: Comparison, records: dict[UUID, _Record]) -> None:
    """Here, but there?"""
    doubtful: list[SentRow] = []
    for rows in read_sent(crm.engine, since=found.since, until=found.until):
        found.rows += len(rows)
        doubtful += [row for row in rows if row.merged or row.id not in records]
    # Records older than what was read, and those that took an enquiry as a note, are asked for by their ids.
    there = _read_by_id(crm, [row.record_id for row in doubtful if row.record_id])
    doubtful = [
        row for row in doubtful if not (row.record_id in there and (row.merged or there[row.record_id] == row.id))
    ]
    if not doubtful:
        return
    deleted = {record_id(item.get("id")) for page in crm.client.list_deleted(MODULE) for item in page}
    for row in doubtful:
        if row.record_id in deleted:
            found.deleted += 1
        else:
            found.gaps.append(Difference(Gap.MISSING, row.id, row.kind, row.record_id))


def _read_by_id(crm: Crm, ids: list[str]) -> dict[str, UUID | None]:
    """Those of the records that are there, with the event id they hold."""
    field_name, there = crm.settings.zoho_event_id_field, dict[str, UUID | None]()
    for some in _portions(sorted(set(ids)), IDS_A_CALL):
        for page in crm.client.list_records(MODULE, ["id", field_name, "Created_Time"], ids=some):
            for item in page:
                record = _record(item, field_name)
                there[str(item.get("id"))] = record.event_id if record else None
    return there


def _portions(items: Sequence[T], size: int) -> Iterable[Sequence[T]]:
    return (items[start : start + size] for start in range(0, len(items), size))
