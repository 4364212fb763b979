"""Parser of replies to writes of one record, duplicates resolved. failures.py parses failed calls.

The HTTP status decides little: 200, 201, 202, 207 and 400 all carry a result (Zoho CRM API v7: Upsert Records).
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from dataclasses import replace
from http import HTTPStatus
from typing import assert_never

from worker.crm.port import OVERWROTE, CallFailed, FailureClass, RowResult
from worker.http import Reply
from worker.zoho.errors import CODES, class_of_record
from worker.zoho.failures import Item, code_of, details_of, failure_of, items_of, safe_details, safe_name

log = logging.getLogger(__name__)

_SUCCESS_CODES = ("", "SUCCESS", "SCHEDULED")  # SCHEDULED: the recycle bin is emptied in the background


def read_result(reply: Reply, event_id_field: str, key: str = "data") -> RowResult:
    """Read the result of the one record that was sent.

    Args:
        reply: the reply to a write.
        event_id_field: API name of the field with our event id.
        key: the body's list of results.

    Raises:
        CallFailed: the reply is about the whole call, cannot be read, or has another number of results.
    """
    items = items_of(reply.body, key)
    if not items or _is_call_wide(reply.status, items):
        raise failure_of(reply, event_id_field)
    if len(items) != 1:
        detail = f"{len(items)} results for one row"
        raise CallFailed(FailureClass.UNKNOWN, "WRONG_COUNT", http_status=reply.status, detail=detail)
    return _result(items[0], reply.status, event_id_field)


def read_record_id(value: object) -> str | None:
    """A record's id as text: 17 to 19 digits, which the CRM sends as text on success and at times as a number."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    text = str(value)
    return text if re.fullmatch(r"[0-9]{1,30}", text, re.ASCII) else None


def _is_call_wide(status: int, items: list[Item]) -> bool:
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.TOO_MANY_REQUESTS):
        return True
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return True
    codes = (code_of(item) for item in items)
    return all(code in CODES and _is_of_the_call(CODES[code].request) for code in codes)


def _is_of_the_call(failure: FailureClass) -> bool:
    """Whether no record can be at fault for it."""
    match failure:
        case FailureClass.AUTH | FailureClass.CONFIGURATION | FailureClass.RATE | FailureClass.CREDITS:
            return True
        case (
            FailureClass.RECORD
            | FailureClass.REQUEST
            | FailureClass.TRANSIENT
            | FailureClass.UNKNOWN
            | FailureClass.DUPLICATE
            | FailureClass.GONE
        ):
            return False
    assert_never(failure)


def _result(item: Item, status: int, event_id_field: str) -> RowResult:
    code = code_of(item)
    if item.get("status") == "success" and code in _SUCCESS_CODES:
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
    if action == "update" and matched is not None and matched != event_id_field:
        # duplicate_check_fields sets the order of the check and excludes no unique field (Zoho CRM API v7: Upsert
        # Records).
        log.error("record %s was matched on %s, not on %s: check unique fields", found, matched, event_id_field)
        return RowResult(
            ok=False,
            code=OVERWROTE,
            failure=FailureClass.CONFIGURATION,
            field=matched,
            detail=f"another enquiry was matched on {matched}: allow duplicate values of it, then resume",
            http_status=status,
        )
    return RowResult(
        ok=True,
        code="SUCCESS",
        record_id=found,
        action=action if action in ("insert", "update") else None,
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
    """Id of the record that holds the unique value; of several clashes the event id's comes first."""
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


# Only a record that exists can be refused so: the row's own, unless a unique value was looked up.
_PROVES_RECORD = frozenset({"NOT_APPROVED", "RECORD_IN_BLUEPRINT", "RECORD_LOCKED"})
# NO_PERMISSION of one row: its record may belong to an owner whose records the API's user may not write.
_MAY_EXIST = frozenset({"NO_PERMISSION"})


def settle_by_look_up(result: RowResult, event_id_field: str, look_up: Callable[[], str | None]) -> RowResult:
    """Replace a result that leaves open whether our record exists by a success when a record holds our event id.

    A clash on the event id field is with our own record. Any other clash is looked up, because an earlier call
    whose reply was lost may have made the record; so is a row that the CRM would not update.

    Args:
        result: the result of an upsert.
        event_id_field: API name of the field with our event id.
        look_up: returns the record that holds the event id, if there is one.
    """
    is_clash = result.failure is FailureClass.DUPLICATE
    is_ours = is_clash and result.field == event_id_field
    if not is_clash and result.code not in _PROVES_RECORD | _MAY_EXIST:
        return result
    if is_ours and result.record_id is not None:
        return _success_of(result, result.record_id)
    return _looked_up(result, look_up, exists=is_ours or result.failure is FailureClass.RECORD)


def _looked_up(result: RowResult, look_up: Callable[[], str | None], *, exists: bool) -> RowResult:
    try:
        found = look_up()
    except CallFailed as failure:
        if failure.failure is FailureClass.CONFIGURATION and not exists:
            return result  # this token is not allowed to search
        return replace(result, failure=FailureClass.UNKNOWN, detail=f"look-up failed: {failure.code}")
    if found is not None:
        return _success_of(result, found)
    # Searches lag, or may not show it: the record that the CRM has just refused to update must be somewhere.
    return replace(result, failure=FailureClass.UNKNOWN, detail="not found yet") if exists else result


def _success_of(result: RowResult, record_id: str) -> RowResult:
    return replace(result, ok=True, record_id=record_id, failure=None)
