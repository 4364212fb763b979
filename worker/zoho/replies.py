"""Reads the reply to a write: a verdict per record, duplicates resolved. Failures of a whole call: failures.py.

HTTP status decides little: 200, 201, 202, 207 and 400 all carry verdicts (Zoho CRM API v7: Upsert Records).
"""

from __future__ import annotations

import logging
import re
from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING

from worker.zoho.errors import CODES, CallFailed, FailureClass, Verdict, class_of_record
from worker.zoho.failures import code_of, details_of, failure_of, items_of, safe_name, told

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from worker.zoho.failures import Item
    from worker.zoho.transport import Reply

    LookUp = Callable[[str, str], list[Item]]


log = logging.getLogger(__name__)

_DONE = ("", "SUCCESS", "SCHEDULED")  # the recycle bin is emptied in the background
_CALL_WIDE = (FailureClass.AUTH, FailureClass.CONFIGURATION, FailureClass.RATE, FailureClass.CREDITS)


def read_verdicts(reply: Reply, rows: int, event_id_field: str, key: str = "data") -> list[Verdict]:
    """One verdict per row, in the order sent (reply order is input order: Zoho CRM API v8, Upsert Records).

    CallFailed when the reply is about the whole call, cannot be read, or has another number of verdicts.
    """
    items = items_of(reply.body, key)
    if not items or _is_call_wide(reply.status, items):
        raise failure_of(reply, event_id_field)
    if len(items) != rows:
        detail = f"{len(items)} verdicts for {rows} rows"
        raise CallFailed(FailureClass.UNKNOWN, "WRONG_COUNT", http_status=reply.status, detail=detail)
    return [_verdict(item, reply.status, event_id_field) for item in items]


def record_id(value: object) -> str | None:
    """A record's id as text: 17 to 19 digits that the CRM sends as text on success and at times as a number."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    text = str(value)
    return text if re.fullmatch(r"[0-9]{1,30}", text, re.ASCII) else None


def _is_call_wide(status: int, items: list[Item]) -> bool:
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.TOO_MANY_REQUESTS):
        return True
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return True
    codes = {code_of(item) for item in items}
    return all(code in CODES and CODES[code].request in _CALL_WIDE for code in codes)


def _verdict(item: Item, status: int, event_id_field: str) -> Verdict:
    code = code_of(item)
    if item.get("status") == "success" and code in _DONE:
        return _success(item, status, event_id_field)
    if code in ("", "SUCCESS"):
        return _unreadable("UNREADABLE_VERDICT", status)
    details = details_of(item)
    failure = class_of_record(code)
    return Verdict(
        ok=False,
        code=code,
        record_id=_clashing_id(item, event_id_field) if failure is FailureClass.DUPLICATE else None,
        failure=failure,
        field=_field(item, event_id_field),
        detail=told(details),
        http_status=status,
    )


def _success(item: Item, status: int, event_id_field: str) -> Verdict:
    found = record_id(details_of(item).get("id"))
    if found is None:
        return _unreadable("NO_RECORD_ID", status)
    action = item.get("action")
    matched = safe_name(item.get("duplicate_field"))
    detail = ""
    if action == "update" and matched is not None and matched != event_id_field:
        # Naming one unique field orders the check, it does not narrow it (Zoho CRM API v7: Upsert Records).
        log.error("record %s was matched on %s, not on %s: check unique fields", found, matched, event_id_field)
        detail = f"matched on {matched}"
    return Verdict(
        ok=True,
        code="SUCCESS",
        record_id=found,
        action=action if action in ("insert", "update") else None,
        detail=detail,
        http_status=status,
    )


def _unreadable(code: str, status: int) -> Verdict:
    return Verdict(ok=False, code=code, failure=FailureClass.UNKNOWN, http_status=status)


def _field(item: Item, event_id_field: str) -> str | None:
    found = (safe_name(details.get("api_name")) for details in _all_details(item))
    names = [name for name in found if name is not None]
    if event_id_field in names:
        return event_id_field
    return names[0] if names else None


def _clashing_id(item: Item, event_id_field: str) -> str | None:
    """Id of the record that holds the unique value, of the event id's clash first where there are several."""
    clashes = sorted(_all_details(item), key=lambda details: details.get("api_name") != event_id_field)
    for details in clashes:
        other = details.get("duplicate_record")
        found = record_id(details.get("id")) or record_id(other.get("id") if isinstance(other, dict) else None)
        if found is not None:
            return found
    return None


def _all_details(item: Item) -> list[Item]:
    """Details of an item and of each of its errors[] (MULTIPLE_OR_MULTI_ERRORS)."""
    errors = item.get("errors")
    inner = [error for error in errors if isinstance(error, dict)] if isinstance(errors, list) else []
    return [details_of(item), *(details_of(error) for error in inner)]


# Each look-up is a call inside the same wall clock; rows beyond them are in doubt and come again.
MOST_LOOK_UPS = 5


def settle_duplicates(
    verdicts: Sequence[Verdict], event_ids: Sequence[str], event_id_field: str, call_id: str, look_up: LookUp
) -> list[Verdict]:
    """Replaces each DUPLICATE verdict whose record turns out to hold our event id by a success.

    look_up takes an event id and the id of the call to make. A clash on the event id field is ours by what the
    verdict says; any other is looked up, because an earlier call whose reply was lost may have made it.
    """
    made = 0
    settled: list[Verdict] = []
    for verdict, event_id in zip(verdicts, event_ids, strict=True):
        if verdict.failure is not FailureClass.DUPLICATE:
            settled.append(verdict)
        elif verdict.field == event_id_field and verdict.record_id is not None:
            settled.append(_ours(verdict, verdict.record_id))
        elif made < MOST_LOOK_UPS:
            made += 1
            settled.append(_looked_up(verdict, event_id, f"{call_id}-d{made}", look_up))
        else:
            settled.append(replace(verdict, failure=FailureClass.UNKNOWN, detail="not looked up yet"))
    return settled


def _looked_up(verdict: Verdict, event_id: str, wire_id: str, look_up: LookUp) -> Verdict:
    try:
        found = look_up(event_id, wire_id)
    except CallFailed as failure:
        if failure.failure is FailureClass.CONFIGURATION:
            return verdict  # this token may not search, now or later
        return replace(verdict, failure=FailureClass.UNKNOWN, detail=f"look-up failed: {failure.code}")
    ids = [found_id for item in found if (found_id := record_id(item.get("id"))) is not None]
    return _ours(verdict, ids[0]) if ids else verdict


def _ours(verdict: Verdict, found_id: str) -> Verdict:
    return replace(verdict, ok=True, record_id=found_id, failure=None)
