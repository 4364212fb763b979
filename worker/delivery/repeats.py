"""Repeat enquirers on their way to the CRM: marked, or added to the earlier record as a note, once."""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from leads.db import AWAY
from leads.outbox.repeats import choose_merges, find_earlier
from leads.outbox.rows import Kind
from worker.context import MODULE
from worker.delivery.mapping import note_of
from worker.zoho.errors import CallFailed, FailureClass, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leads.outbox.rows import Claimed
    from worker.context import Crm

log = logging.getLogger(__name__)

# Seconds before a note whose reply was lost is looked for: longer than any call the CRM may still be working on.
LOST_NOTE_WAIT = 120.0


def know_repeats(crm: Crm, claimed: Sequence[Claimed], call_id: str) -> list[Claimed]:
    """The claimed rows, and with each lead of a repeat enquirer when they wrote before.

    A database that is away now costs the mark, not the delivery.
    """
    if claimed[0].kind is not Kind.LEAD:
        return list(claimed)
    ids = [row.id for row in claimed]
    try:
        merged = choose_merges(crm.engine, ids, call_id=call_id) if crm.settings.crm_repeat == "merge" else {}
        earlier = find_earlier(crm.engine, ids)
    except (*AWAY, PoolTimeoutError) as error:
        why = type(getattr(error, "orig", error)).__name__
        log.warning("repeat enquirers are not known (%s); leads go unmarked", why)
        return list(claimed)
    return [
        replace(row, values={**row.values, **_told(earlier.get(row.id)), **_merged(merged.get(row.id))})
        for row in claimed
    ]


def _told(earlier: object) -> dict[str, object]:
    return {} if earlier is None else {"repeat_enquiry": True, "earlier_enquiry_at": earlier}


def _merged(record_id: str | None) -> dict[str, object]:
    return {} if record_id is None else {"merged_into": record_id}


def put_note(crm: Crm, row: Claimed, record: dict[str, object], *, call_id: str, deadline: float) -> Verdict | None:
    """Add the lead to the earlier record as a note, unless it stands there; None when `deadline` came first.

    Notes have no unique key, so the title holds the event id and is looked for before every try. Raises
    `CallFailed`; where a note may have been stored, the failure asks for time before the next look.
    """
    target = str(row.values["merged_into"])
    if time.monotonic() > deadline:
        return None
    pages = crm.client.list_notes(MODULE, target, call_id=f"{call_id}-look")
    if any(str(row.id) in str(note.get("Note_Title")) for page in pages for note in page):
        return Verdict(ok=True, code="SUCCESS", record_id=target, action="note")
    if time.monotonic() > deadline:
        return None
    verdict = _add(crm, row, record, call_id)
    return replace(verdict, record_id=target, action="note") if verdict.ok else verdict


def _add(crm: Crm, row: Claimed, record: dict[str, object], call_id: str) -> Verdict:
    title, content = note_of(row.values, record, crm.mapping)
    try:
        return crm.client.add_note(MODULE, str(row.values["merged_into"]), title, content, call_id=call_id)
    except CallFailed as failure:
        if failure.failure is not FailureClass.UNKNOWN:
            raise
        raise CallFailed(
            failure.failure,
            failure.code,
            http_status=failure.http_status,
            detail=failure.detail,
            retry_after_seconds=max(LOST_NOTE_WAIT, failure.retry_after_seconds or 0.0),
        ) from failure
