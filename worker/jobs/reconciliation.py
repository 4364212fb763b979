"""Comparing our sent rows with the CRM's records, by event id, both ways; and mending what can be mended.

The comparison itself changes nothing on either side.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from leads.outbox.reconcile import SentRow, read_clock, read_sent, read_states, requeue_missing
from leads.outbox.redrive import redrive
from leads.outbox.rows import Kind  # noqa: TC001 - a field of a dataclass
from leads.privacy.erasure import known_erased, look_again

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from uuid import UUID

    from sqlalchemy import Engine

    from worker.crm.permit import CrmAccess
    from worker.crm.port import Crm, CrmRecord

# By which our clock and the CRM's may differ, and a record be older than its mark.
MAX_CLOCK_SKEW = timedelta(hours=1)
# Seconds to wait for a free call slot: a comparison is not urgent, and deliveries hold slots only for a call.
SLOT_PATIENCE = 30.0
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


def compare(engine: Engine, access: CrmAccess, since: datetime) -> Comparison:
    """Compare what was sent, and what came to be in the CRM, since then. Raises `CallFailed`, `NotPermitted`."""
    found = Comparison(since, read_clock(engine))
    records = _read_records(access, found)
    _find_missing_rows(engine, found, records)
    _find_missing_records(engine, access, found, records)
    return found


def mend(engine: Engine, found: Comparison, *, by: str) -> dict[Gap, int]:
    """Send missing rows again, dead ones whose record is there too, and delete what was erased; gives how many."""
    missing = [(gap.kind, gap.id) for gap in found.gaps if gap.gap is Gap.MISSING and gap.kind is not None]
    unsent = [gap.id for gap in found.gaps if gap.gap is Gap.UNSENT]
    erased = [gap.id for gap in found.gaps if gap.gap is Gap.ERASED]
    return {
        Gap.MISSING: requeue_missing(engine, missing, by=by),
        Gap.UNSENT: redrive(engine, by=by, ids=unsent),
        Gap.ERASED: look_again(engine, erased),
    }


def _read_records(access: CrmAccess, found: Comparison) -> dict[UUID, CrmRecord]:
    """The CRM's records of ours since an hour before, by event id; newest come first, so the rest is not read."""
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
    """Records in the CRM that do not belong to a sent row of ours."""
    recent = {event_id: record for event_id, record in records.items() if record.created_at >= found.since}
    found.records = len(recent)
    for ids in _portions(list(recent), 1000):
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
    """Sent rows of ours without a record in the CRM."""
    doubtful: list[SentRow] = []
    for rows in read_sent(engine, since=found.since, until=found.until):
        found.rows += len(rows)
        doubtful += [row for row in rows if row.merged or row.id not in records]
    # Records older than what was read, and those that took an enquiry as a note, are asked for by their ids.
    there = _read_by_id(access, [row.record_id for row in doubtful if row.record_id])
    doubtful = [
        row for row in doubtful if not (row.record_id in there and (row.merged or there[row.record_id] == row.id))
    ]
    if not doubtful:
        return
    pages = access.pages(lambda crm: crm.list_deleted(), patience=SLOT_PATIENCE)
    deleted = {record_id for page in pages for record_id in page}
    for row in doubtful:
        if row.record_id in deleted:
            found.deleted += 1
        else:
            found.gaps.append(Difference(Gap.MISSING, row.id, row.kind, row.record_id))


def _read_by_id(access: CrmAccess, ids: list[str]) -> dict[str, UUID | None]:
    """Those of the records that are there, with the event id they hold."""
    there: dict[str, UUID | None] = {}
    for some in _portions(sorted(set(ids)), IDS_A_CALL):
        for page in access.pages(partial(_list_some, some), patience=SLOT_PATIENCE):
            there |= {record.id: record.event_id for record in page}
    return there


def _list_some(ids: Sequence[str], crm: Crm) -> Iterator[list[CrmRecord]]:
    return crm.list_records(ids=ids)


def _portions(items: Sequence[T], size: int) -> Iterable[Sequence[T]]:
    return (items[start : start + size] for start in range(0, len(items), size))
