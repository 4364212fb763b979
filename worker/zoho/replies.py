"""Parser of replies to writes: one result per record, duplicates resolved. failures.py parses failed calls.

The HTTP status decides little: 200, 201, 202, 207 and 400 all carry results (Zoho CRM API v7: Upsert Records).
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import assert_never

from worker.crm.port import OVERWROTE, CallFailed, FailureClass, RowResult
from worker.http import Reply
from worker.zoho.errors import CODES, class_of_record
from worker.zoho.failures import Item, code_of, details_of, failure_of, items_of, safe_details, safe_name

LookUp = Callable[[Sequence[str]], Mapping[str, str]]


log = logging.getLogger(__name__)

_SUCCESS_CODES = ("", "SUCCESS", "SCHEDULED")  # SCHEDULED: the recycle bin is emptied in the background


def read_results(reply: Reply, rows: int, event_id_field: str, key: str = "data") -> list[RowResult]:
    """Read one result per row, in the order sent (reply order is input order: Zoho CRM API v8, Upsert Records).

    Rows are in doubt when one record id is named for several of them, or a refusal names another row's position.

    Args:
        reply: the reply to a write.
        rows: how many rows were sent.
        event_id_field: API name of the field with our event id.
        key: the body's list of results.

    Raises:
        CallFailed: the reply is about the whole call, cannot be read, or has another number of results.
    """
    items = items_of(reply.body, key)
    if not items or _is_call_wide(reply.status, items):
        raise failure_of(reply, event_id_field)
    if len(items) != rows:
        detail = f"{len(items)} results for {rows} rows"
        raise CallFailed(FailureClass.UNKNOWN, "WRONG_COUNT", http_status=reply.status, detail=detail)
    in_order = all(_position(item) in (None, position) for position, item in enumerate(items))
    results = [_result(item, reply.status, event_id_field) for item in items]
    times = Counter(result.record_id for result in results if result.ok)
    doubt = "REPEATED_ID" if in_order else "WRONG_ORDER"
    doubtful = [not in_order or (result.ok and times[result.record_id] > 1) for result in results]
    if any(doubtful):
        log.error("a reply contradicts itself (%s): %d of its record ids are looked up", doubt, sum(doubtful))
    return [
        _unreadable(doubt, reply.status) if is_doubtful else result
        for result, is_doubtful in zip(results, doubtful, strict=True)
    ]


def read_record_id(value: object) -> str | None:
    """A record's id as text: 17 to 19 digits, which the CRM sends as text on success and at times as a number."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    text = str(value)
    return text if re.fullmatch(r"[0-9]{1,30}", text, re.ASCII) else None


def _position(item: Item) -> int | None:
    """The row that a refusal is about, by its json_path: "$.data[3].Email"; None where the item does not say."""
    paths = (details.get("json_path") for details in _all_details(item))
    found = (re.match(r"\$\.\w+\[(\d{1,4})\]", path, re.ASCII) for path in paths if isinstance(path, str))
    return next((int(match[1]) for match in found if match), None)


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
_MAY_EXIST = frozenset({"REPEATED_ID", "WRONG_ORDER", "NO_PERMISSION"})


def settle_by_look_up(
    results: Sequence[RowResult], event_ids: Sequence[str], event_id_field: str, look_up: LookUp
) -> list[RowResult]:
    """Replace each result that leaves open whether our record exists by a success when a record holds our event id.

    A clash on the event id field is with our own record. Any other clash is looked up, because an earlier call
    whose reply was lost may have made the record; so is a row that the CRM would not update, and one whose record
    id cannot be right.

    Args:
        results: the results of one upsert.
        event_ids: the event ids, in the same order.
        event_id_field: API name of the field with our event id.
        look_up: finds records; takes event ids, and returns the record of each that has one.

    Returns:
        The results, in the same order.
    """
    doubtful = {
        event_id
        for result, event_id in zip(results, event_ids, strict=True)
        if _is_open(result) and not _is_own_clash(result, event_id_field)
    }
    found: Mapping[str, str] = {}
    trouble: CallFailed | None = None
    if doubtful:
        try:
            found = look_up([event_id for event_id in event_ids if event_id in doubtful])
        except CallFailed as failure:
            trouble = failure
    return [
        _looked_up(result, found.get(event_id), trouble, event_id_field)
        if event_id in doubtful
        else _success_of(result, result.record_id)
        if _is_open(result) and result.record_id is not None
        else result
        for result, event_id in zip(results, event_ids, strict=True)
    ]


def _is_open(result: RowResult) -> bool:
    return result.failure is FailureClass.DUPLICATE or result.code in _PROVES_RECORD | _MAY_EXIST


def _is_own_clash(result: RowResult, event_id_field: str) -> bool:
    is_clash = result.failure is FailureClass.DUPLICATE
    return is_clash and result.field == event_id_field and result.record_id is not None


def _looked_up(
    result: RowResult, record_id: str | None, trouble: CallFailed | None, event_id_field: str
) -> RowResult:
    if record_id is not None:
        return _success_of(result, record_id)
    is_ours = result.failure is FailureClass.DUPLICATE and result.field == event_id_field
    if result.failure is FailureClass.RECORD or is_ours:
        # Searches lag, or may not show it: the record that the CRM has just refused to update must be somewhere.
        return replace(result, failure=FailureClass.UNKNOWN, detail="not found yet")
    if trouble is None or trouble.failure is FailureClass.CONFIGURATION:
        return result  # nobody's record of ours, or this token is not allowed to search
    return replace(result, failure=FailureClass.UNKNOWN, detail=f"look-up failed: {trouble.code}")


def _success_of(result: RowResult, record_id: str) -> RowResult:
    return replace(result, ok=True, record_id=record_id, failure=None)
