"""Erasures in the CRM: each erased row is looked for, deleted, and watched until no call can bring it back."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import uuid4

from leads.privacy.erasure import (
    Erased,
    any_due,
    fail_erased,
    note_call,
    remember_records,
    settle_erased,
    take_erased,
)
from worker.crm.permit import NotPermitted
from worker.crm.port import CallFailed, FailureClass

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Engine

    from worker.crm.permit import CrmAccess
    from worker.crm.port import Crm, RowResult

log = logging.getLogger(__name__)

# Seconds after a look that failed; later where somebody must act first.
TRY_AGAIN, TRY_LATER = 60.0, 3600.0


@dataclass(slots=True)
class ErasureProgress:
    """What was done of the list. `stopped`: why it stopped before the end, when it did."""

    looked: int = 0
    deleted: int = 0
    stopped: str | None = None


class NotDeleted(Exception):
    """The CRM did not delete a record; the message is its code, no personal data."""


def process_erasures(engine: Engine, access: CrmAccess, *, go_on: Callable[[], bool]) -> ErasureProgress:
    """Look for everything that is due, one row after the other, while `go_on()`; stops at the first failure.

    Safe to run anywhere, doubled or interrupted: what was not written down as done is looked for again.
    """
    worked = ErasureProgress()
    while go_on() and worked.stopped is None and any_due(engine):
        try:
            with access.permit() as permit:
                erased = take_erased(engine)
                if erased is None:
                    break
                worked.stopped = _look(engine, permit.crm, erased, worked)
        except NotPermitted as refusal:
            worked.stopped = str(refusal)
    return worked


def _look(engine: Engine, crm: Crm, erased: Erased, worked: ErasureProgress) -> str | None:
    """One look: find, delete, write down. Gives what went wrong, if anything did."""
    deleted = 0
    try:
        for record_id in _find_records(engine, crm, erased):
            deleted += _remove(engine, erased, "erase_delete", record_id, crm.delete)
            if crm.capabilities.recycle_bin:
                _remove(engine, erased, "erase_purge", record_id, crm.purge)
    except (CallFailed, NotDeleted) as error:
        log.warning("erasing %s %s in the CRM failed: %s", erased.kind, erased.id, error)
        wait = TRY_LATER if _needs_a_person(error) else TRY_AGAIN
        fail_erased(engine, erased, str(error), deleted=deleted, wait=wait)
        return str(error)
    finally:
        worked.deleted += deleted
    settle_erased(engine, erased, deleted=deleted)
    worked.looked += 1
    return None


def _needs_a_person(error: Exception) -> bool:
    """Whether somebody must change something first, as for a scope that was not granted."""
    return isinstance(error, CallFailed) and error.failure is FailureClass.CONFIGURATION


def _find_records(engine: Engine, crm: Crm, erased: Erased) -> list[str]:
    """The record that was known, and every one that holds the event id: a reply may have been lost."""
    call_id = uuid4().hex
    try:
        found = crm.find(erased.id, call_id=call_id)
    except CallFailed as failure:
        note_call(
            engine, erased, event="erase_look", call_id=call_id, code=failure.code, http_status=failure.http_status
        )
        raise
    note_call(engine, erased, event="erase_look", call_id=call_id, detail=f"{len(found)} found")
    ids = list(dict.fromkeys([*erased.record_ids, *found]))
    if ids:
        remember_records(engine, erased, ids)
    return ids


def _remove(engine: Engine, erased: Erased, event: str, record_id: str, remove: Callable[..., RowResult]) -> int:
    """1 when the record was there and is removed, 0 when it was gone already; raises when it stays."""
    call_id = uuid4().hex
    try:
        result = remove(record_id, call_id=call_id)
    except CallFailed as failure:
        _note_failure(engine, erased, event, call_id, failure)
        raise
    note_call(
        engine,
        erased,
        event=event,
        call_id=call_id,
        code=result.code,
        http_status=result.http_status,
        detail=f"record {record_id}",
    )
    if not result.ok and result.failure is not FailureClass.GONE:
        raise NotDeleted(f"{result.code} {result.detail}".strip())
    return 1 if result.ok else 0


def _note_failure(engine: Engine, erased: Erased, event: str, call_id: str, failure: CallFailed) -> None:
    note_call(engine, erased, event=event, call_id=call_id, code=failure.code, http_status=failure.http_status)
