"""Erasure in the CRM: each erased row's records are found, deleted, and watched until no call can restore them."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from sqlalchemy import Engine

from leads.outbox.pause import Paused
from leads.privacy import erasure
from leads.privacy.erasure import Erased
from worker.crm.access import CrmAccess
from worker.crm.port import CallFailed, Crm, FailureClass

log = logging.getLogger(__name__)

# Seconds until the next attempt after a failure.
RETRY_SECONDS, OPERATOR_RETRY_SECONDS = 60.0, 3600.0


@dataclass(slots=True)
class ErasureProgress:
    """The progress through the work list."""

    rows_checked: int = 0  # whose records were found and deleted
    deleted: int = 0
    stopped: str | None = None  # why the run ended before the list did


def process_erasures(
    engine: Engine, access: CrmAccess, may_continue: Callable[[], bool] = lambda: True
) -> ErasureProgress:
    """Process the due rows one after the other, while `may_continue()`; stop at the first failure.

    Safe to run anywhere, concurrently, and to interrupt: a row that was not settled is processed again.
    """
    progress = ErasureProgress()
    try:
        while may_continue() and erasure.any_due(engine):
            with access.permitted() as crm:
                if (erased := erasure.take_erased(engine)) is not None:
                    _erase_row(engine, crm, erased, progress)
    except (Paused, CallFailed) as error:
        progress.stopped = str(error)
    return progress


def _erase_row(engine: Engine, crm: Crm, erased: Erased, progress: ErasureProgress) -> None:
    """Find and delete one row's records, and write the result or the failure down."""
    deleted = 0
    try:
        for record_id in _find_records(engine, crm, erased):
            deleted += _remove(engine, erased, "erase_delete", record_id, crm.delete)
            _remove(engine, erased, "erase_purge", record_id, crm.purge)
    except CallFailed as error:
        log.warning("erasing %s %s in the CRM failed: %s", erased.kind, erased.id, error)
        # An operator must act first on a scope that was not granted.
        wait = OPERATOR_RETRY_SECONDS if error.failure is FailureClass.CONFIGURATION else RETRY_SECONDS
        erasure.fail_erased(engine, erased, str(error), deleted=deleted, wait=wait)
        raise
    finally:
        progress.deleted += deleted
    erasure.settle_erased(engine, erased, deleted=deleted)
    progress.rows_checked += 1


@contextmanager
def _noted(engine: Engine, erased: Erased, event: str) -> Iterator[dict[str, Any]]:
    """Yield a call's columns; they are noted in the log of attempts, like any other's, with what became of it."""
    call = dict[str, Any](call_id=uuid4().hex, code=None, http_status=None, detail=None)
    try:
        yield call
    except CallFailed as failure:
        call |= {"code": failure.code, "http_status": failure.http_status}
        raise
    finally:
        erasure.note_call(engine, erased, event=event, **call)


def _find_records(engine: Engine, crm: Crm, erased: Erased) -> list[str]:
    """The known records, and every one that holds the event id, because a reply may have been lost.

    A known record that holds another enquiry's event id is not the person's: a reply may have named the wrong one.
    """
    with _noted(engine, erased, "erase_look") as call:
        held = crm.find([erased.id], call_id=call["call_id"], customers=False)
        found = [record_id for _, record_id in held]
        call["detail"] = f"{len(found)} found"
    others = _others(engine, crm, erased) if erased.record_ids else set()
    ids = list(dict.fromkeys([record_id for record_id in [*erased.record_ids, *found] if record_id not in others]))
    if ids:
        # Before they are deleted: no search finds a record in the recycle bin.
        erasure.write_erased(engine, erased, record_ids=ids)
    return ids


def _others(engine: Engine, crm: Crm, erased: Erased) -> set[str]:
    """The known records that belong to others, who are not erased."""
    with _noted(engine, erased, "erase_look") as call:
        pages = crm.list_records(ids=erased.record_ids, call_id=call["call_id"])
        holders = {record.id: record.event_id for page in pages for record in page}
        strange = {event_id for event_id in holders.values() if event_id not in (None, erased.id)}
        alive = strange - erasure.known_erased(engine, list(strange))
        others = {record_id for record_id, event_id in holders.items() if event_id in alive}
        call["detail"] = f"{len(others)} belong to others"
    if others:
        log.error("erasing %s %s: %d known records belong to others, and stay", erased.kind, erased.id, len(others))
    return others


def _remove(engine: Engine, erased: Erased, event: str, record_id: str, remove: Callable[..., None]) -> int:
    """Remove a record: 1 when it existed, 0 when it did not; raises when it still exists."""
    try:
        with _noted(engine, erased, event) as call:
            call["detail"] = f"record {record_id}"
            remove(record_id, call_id=call["call_id"])
    except CallFailed as failure:
        if failure.failure is not FailureClass.GONE:
            raise
        return 0
    return 1
