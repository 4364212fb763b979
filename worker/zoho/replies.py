"""Reads the reply to a write: a result per record, duplicates resolved. Failures of a whole call: failures.py.

HTTP status decides little: 200, 201, 202, 207 and 400 all carry results (Zoho CRM API v7: Upsert Records).
"""

from __future__ import annotations

import logging
import re
from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING

from worker.crm.port import CallFailed, FailureClass, RowResult
from worker.zoho.errors import CODES, class_of_record
from worker.zoho.failures import code_of, details_of, failure_of, items_of, safe_details, safe_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from worker.zoho.failures import Item
    from worker.zoho.transport import Reply

    LookUp = Callable[[str, str], list[Item]]


log = logging.getLogger(__name__)

_DONE = ("", "SUCCESS", "SCHEDULED")  # the recycle bin is emptied in the background
_CALL_WIDE = (FailureClass.AUTH, FailureClass.CONFIGURATION, FailureClass.RATE, FailureClass.CREDITS)


def read_results(reply: Reply, rows: int, event_id_field: str, key: str = "data") -> list[RowResult]:
    """One result per row, in the order sent (reply order is input order: Zoho CRM API v8, Upsert Records).

    CallFailed when the reply is about the whole call, cannot be read, or has another number of results.
    """
    items = items_of(reply.body, key)
    if not items or _is_call_wide(reply.status, items):
        raise failure_of(reply, event_id_field)
    if len(items) != rows:
        detail = f"{len(items)} results for {rows} rows"
        raise CallFailed(FailureClass.UNKNOWN, "WRONG_COUNT", http_status=reply.status, detail=detail)
    return [_result(item, reply.status, event_id_field) for item in items]


def read_record_id(value: object) -> str | None:
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


def _result(item: Item, status: int, event_id_field: str) -> RowResult:
    code = code_of(item)
    if item.get("status") == "success" and code in _DONE:
        return _success(item, status, event_id_field)
    if code in ("", "SUCCESS"):
        return _unreadable("UNREADABLE_VERDICT", status)
    details = details_of(item)
    failure = class_of_record(code)
    return RowResult(
        ok=False,
        code=code,
        record_id=_clashing_id(item, event_id_field) if failure is FailureClass.DUPLICATE else None,
        failure=failure,
        field=_field(item, event_id_field),
        detail=safe_details(details),
        http_status=status,
    )


def _success(item: Item, status: int, event_id_field: str) -> RowResult:
    found = read_record_id(details_of(item).get("id"))
    if found is None:
        return _unreadable("NO_RECORD_ID", status)
    action = item.get("action")
    matched = safe_name(item.get("duplicate_field"))
    detail = ""
    if action == "update" and matched is not None and matched != event_id_field:
        # Naming one unique field orders the check, it does not narrow it (Zoho CRM API v7: Upsert Records).
        log.error("record %s was matched on %s, not on %s: check unique fields", found, matched, event_id_field)
        detail = f"matched on {matched}"
    return RowResult(
        ok=True,
        code="SUCCESS",
        record_id=found,
        action=action if action in ("insert", "update") else None,
        detail=detail,
        http_status=status,
    )


def _unreadable(code: str, status: int) -> RowResult:
    return RowResult(ok=False, code=code, failure=FailureClass.UNKNOWN, http_status=status)


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
        found = read_record_id(details.get("id")) or read_record_id(
            other.get("id") if isinstance(other, dict) else None
        )
        if found is not None:
            return found
    return None


def _all_details(item: Item) -> list[Item]:
    """Details of an item and of each of its errors[] (MULTIPLE_OR_MULTI_ERRORS)."""
    errors = item.get("errors")
    inner = [error for error in errors if isinstance(error, dict)] if isinstance(errors, list) else []
    return [details_of(item), *(details_of(error) for error in inner)]


# Each look-up is a call inside the same wall clock; rows beyond them are in doubt and come again.
MAX_LOOK_UPS = 5


def settle_duplicates(
    results: Sequence[RowResult], event_ids: Sequence[str], event_id_field: str, call_id: str, look_up: LookUp
) -> list[RowResult]:
    """Replaces each DUPLICATE result whose record turns out to hold our event id by a success.

    look_up takes an event id and the id of the call to make. A clash on the event id field is ours by what the
    result says; any other is looked up, because an earlier call whose reply was lost may have made it.
    """
    made = 0
    settled: list[RowResult] = []
    for result, event_id in zip(results, event_ids, strict=True):
        if result.failure is not FailureClass.DUPLICATE:
            settled.append(result)
        elif result.field == event_id_field and result.record_id is not None:
            settled.append(_ours(result, result.record_id))
        elif made < MAX_LOOK_UPS:
            made += 1
            settled.append(_looked_up(result, event_id, f"{call_id}-d{made}", look_up))
        else:
            settled.append(replace(result, failure=FailureClass.UNKNOWN, detail="not looked up yet"))
    return settled


def _looked_up(result: RowResult, event_id: str, request_id: str, look_up: LookUp) -> RowResult:
    try:
        found = look_up(event_id, request_id)
    except CallFailed as failure:
        if failure.failure is FailureClass.CONFIGURATION:
            return result  # this token may not search, now or later
        return replace(result, failure=FailureClass.UNKNOWN, detail=f"look-up failed: {failure.code}")
    ids = [found_id for item in found if (found_id := read_record_id(item.get("id"))) is not None]
    return _ours(result, ids[0]) if ids else result


def _ours(result: RowResult, found_id: str) -> RowResult:
    return replace(result, ok=True, record_id=found_id, failure=None)
