"""Erasures in the CRM: each erased row is looked for, deleted, and watched until no call can bring it back."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import uuid4

from leads.crm_state.concurrency import take_slot
from leads.crm_state.gate import read_gate
from leads.outbox.rows import Lane
from leads.privacy.erasure import (
    Erased,
    any_due,
    fail_erased,
    note_call,
    remember_records,
    settle_erased,
    take_erased,
)
from worker.context import MODULE
from worker.zoho.errors import CallFailed, FailureClass
from worker.zoho.replies import record_id

if TYPE_CHECKING:
    from collections.abc import Callable

    from worker.context import Crm
    from worker.zoho.errors import Verdict
    from worker.zoho.failures import Item

log = logging.getLogger(__name__)

TRY_AGAIN, TRY_LATER = (
    60.0,
    3600.0,
)  # seconds after a look that did not end well; later when somebody must act first
GONE = "INVALID_DATA"  # what deleting a record that is not there answers (Zoho CRM API v8: Delete Records)


@dataclass(slots=True)
class Worked:
    """What was done of the list. `stopped`: why it stopped before the end, when it did."""

    looked: int = 0
    deleted: int = 0
    stopped: str | None = None


class NotDeleted(Exception):
    """The CRM did not delete a record; the message is its code, no personal data."""


def work_off_erasures(crm: Crm, *, go_on: Callable[[], bool]) -> Worked:
    """Look for everything that is due, one row after the other, while `go_on()`; stops at the first failure.

    Safe to run anywhere, doubled or interrupted: what was not written down as done is looked for again.
    """
    worked = Worked()
    while go_on() and any_due(crm.engine):
        gate = read_gate(crm.engine)
        if not gate.is_open:
            worked.stopped = f"the gate is shut ({gate.reason})"
            break
        cap = min(crm.settings.crm_calls_in_flight, gate.concurrency or crm.settings.crm_calls_in_flight)
        with take_slot(crm.engine, Lane.RETRY, cap=cap) as free:
            erased = take_erased(crm.engine) if free else None
            if erased is None:
                worked.stopped = None if free else "every slot is busy"
                break
            error = _look(crm, erased, worked)
        if error is not None:
            worked.stopped = error
            break
    return worked


def _look(crm: Crm, erased: Erased, worked: Worked) -> str | None:
    """One look: find, delete, write down. Gives what went wrong, if anything did."""
    deleted = 0
    try:
        for found_id in _records_of(crm, erased):
            deleted += _remove(crm, erased, found_id, crm.client.delete, MODULE)
            _remove(crm, erased, found_id, crm.client.purge)
    except (CallFailed, NotDeleted) as error:
        log.warning("erasing %s %s in the CRM did not end: %s", erased.kind, erased.id, error)
        wait = TRY_LATER if _is_for_people(error) else TRY_AGAIN
        fail_erased(crm.engine, erased, str(error), deleted=deleted, wait=wait)
        return str(error)
    finally:
        worked.deleted += deleted
    settle_erased(crm.engine, erased, deleted=deleted)
    worked.looked += 1
    return None


def _is_for_people(error: Exception) -> bool:
    """Whether somebody must change something first, as for a scope that was not granted."""
    return isinstance(error, CallFailed) and error.failure is FailureClass.CONFIGURATION


def _records_of(crm: Crm, erased: Erased) -> list[str]:
    """The record that was known, and every one that holds the event id: a reply may have been lost."""
    call_id, field = uuid4().hex, crm.settings.zoho_event_id_field
    try:
        found: list[Item] = crm.client.find(MODULE, field, str(erased.id), call_id=call_id)
    except CallFailed as failure:
        _note(crm, erased, "erase_look", call_id, failure.code, failure.http_status)
        raise
    # A search may match loosely; nobody else's record is touched.
    own = [record_id(item.get("id")) for item in found if str(item.get(field)).lower() == str(erased.id)]
    _note(crm, erased, "erase_look", call_id, None, None, f"{len(own)} found")
    ids = list(dict.fromkeys([*erased.record_ids, *(found_id for found_id in own if found_id)]))
    if ids:
        remember_records(crm.engine, erased, ids)
    return ids


def _remove(crm: Crm, erased: Erased, found_id: str, remove: Callable[..., Verdict], *where: str) -> int:
    """1 when the record was there and is removed, 0 when it was gone already; raises when it stays."""
    call_id, event = uuid4().hex, "erase_delete" if where else "erase_purge"
    try:
        verdict = remove(*where, found_id, call_id=call_id)
    except CallFailed as failure:
        _note(crm, erased, event, call_id, failure.code, failure.http_status)
        if failure.code == GONE:
            return 0
        raise
    _note(crm, erased, event, call_id, verdict.code, verdict.http_status, f"record {found_id}")
    if verdict.ok:
        return 1
    if verdict.code == GONE:
        return 0
    raise NotDeleted(f"{verdict.code} {verdict.detail}".strip())


def _note(  # noqa: PLR0913, PLR0917 - one for each column
    crm: Crm,
    erased: Erased,
    event: str,
    call_id: str,
    code: str | None,
    http_status: int | None,
    detail: str | None = None,
) -> None:
    note_call(crm.engine, erased, event=event, call_id=call_id, code=code, http_status=http_status, detail=detail)
