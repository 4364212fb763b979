"""The look for the first person who answered each enquiry, as the CRM shows it, and the figures of each day.

Two calls: one for a hundred records says whether anything happened to them, and only of those where something did
the timeline is read. All of it within the credits' reserve; while the CRM does not answer, nothing is known.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from uuid import uuid4

from leads.clinic import opening_hours
from leads.outbox.permit import NotPermitted
from leads.settings import Settings
from leads.speed import LOOK, Watched, count_days, note_seen, read_watched, watch_new
from leads.turns import end_turn, fail_turn, forget_turn, take_turn
from worker.crm.access import CrmAccess
from worker.crm.port import CallFailed, Crm, CrmRecord

log = logging.getLogger(__name__)

LOOK_MINUTES = 5.0
IDS_A_CALL = 100


def look_for_answers(access: CrmAccess, settings: Settings, *, may_continue: Callable[[], bool]) -> None:
    """Look, if it is due and no other worker does; what `may_continue()` cuts off is looked at in a few minutes."""
    engine = access.engine
    if not settings.speed_target_minutes:
        forget_turn(engine, LOOK)
        return
    now = datetime.now(UTC)
    if take_turn(engine, LOOK, first=now + timedelta(minutes=LOOK_MINUTES)) is None:
        return
    watch_new(engine, opening_hours(settings.frontend_dir), settings.speed_target_minutes)
    try:
        if _look(access, read_watched(engine), may_continue):
            end_turn(engine, LOOK, due=now + timedelta(minutes=LOOK_MINUTES))
    except (NotPermitted, CallFailed) as error:
        log.warning("who was answered could not be read back: %s", error)
        fail_turn(engine, LOOK, str(error))
    count_days(engine)


def _look(access: CrmAccess, watched: Sequence[Watched], may_continue: Callable[[], bool]) -> bool:
    """Look at all of them, the oldest first; False: not at all."""
    for start in range(0, len(watched), IDS_A_CALL):
        chunk = watched[start : start + IDS_A_CALL]
        ids = sorted({each.record_id for each in chunk})
        records: dict[str, CrmRecord] = {}
        for page in access.pages(partial(_list, ids)):
            records |= {record.id: record for record in page}
        for each in chunk:
            if not may_continue():
                return False
            _look_at(access, each, records.get(each.record_id))
    return True


def _list(ids: Sequence[str], crm: Crm) -> Iterator[list[CrmRecord]]:
    return crm.list_records(ids=ids, touched=True)


def _look_at(access: CrmAccess, watched: Watched, record: CrmRecord | None) -> None:
    if record is None:
        note_seen(access.engine, watched, touched_at=watched.touched_at, answered_at=None, gone=True)
    elif record.touched_at and record.touched_at > (watched.touched_at or record.created_at):
        answered_at = _first_answer(access, watched)
        note_seen(access.engine, watched, touched_at=record.touched_at, answered_at=answered_at)


def _first_answer(access: CrmAccess, watched: Watched) -> datetime | None:
    """The first answer. The record of an earlier enquiry has answers to that one too; clocks may differ."""
    pages = access.pages(partial(_answers, watched.record_id))
    times = (at for page in pages for at in page)
    first = next(times, None)
    return None if first is None else max(first, watched.created_at)


def _answers(record_id: str, crm: Crm) -> Iterator[list[datetime]]:
    return crm.list_answers(record_id, call_id=uuid4().hex)
