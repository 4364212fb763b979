"""Parser of replies: the record that a write made, or the failure, its class, and how long to wait.

The HTTP status decides little: 200, 201, 202, 207 and 400 all carry a result (Zoho CRM API v7: Upsert Records).
Of a reply's text only codes, API names and limits are passed on, because messages may quote what was sent.
"""

import logging
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any

from worker.crm.port import EVENT_ID_FIELD, OVERWROTE, CallFailed, FailureClass
from worker.http import Reply
from worker.zoho.errors import CODES, class_of

log = logging.getLogger(__name__)

Item = dict[str, Any]

# A longer wait than a day is a mistake, which must not stop the queue for a year.
MAX_WAIT_SECONDS = 86_400.0
CREDITS_HEADER = "X-API-CREDITS-REMAINING"
# Both causes share one code (Zoho CRM API v8: status codes), so only the wording tells them apart.
_MENTIONS_CREDITS = re.compile(r"credit|24 hours?|per day|daily|api limit", re.IGNORECASE)
_SAFE = re.compile(r"[A-Za-z0-9_.$ -]{1,60}", re.ASCII)
# Keys of `details` whose values are names or limits, never what was sent.
_SAFE_KEYS = ("api_name", "param_name", "maximum_length", "limit", "expected_data_type")
_SUCCESS_CODES = ("", "SUCCESS", "SCHEDULED")  # SCHEDULED: the recycle bin is emptied in the background
_BY_STATUS: dict[int, FailureClass] = {
    HTTPStatus.UNAUTHORIZED: FailureClass.AUTH,
    HTTPStatus.REQUEST_TIMEOUT: FailureClass.UNKNOWN,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: FailureClass.REFUSED,
    # Refused before processing; other 5xx may come after the write.
    HTTPStatus.SERVICE_UNAVAILABLE: FailureClass.TRANSIENT,
}


def read_result(reply: Reply, key: str = "data") -> str:
    """Read the result of the one record, in the body's list `key`; return the record's id.

    Raises CallFailed: `answered` when the result is the record's, else the reply is about the whole call.
    """
    items = items_of(reply.body, key)
    is_call_wide = reply.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.TOO_MANY_REQUESTS)
    if not items or is_call_wide or reply.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        raise failure_of(reply)
    if len(items) != 1:
        detail = f"{len(items)} results for one row"
        raise CallFailed(FailureClass.UNKNOWN, "WRONG_COUNT", http_status=reply.status, detail=detail)
    (item,) = items
    code = code_of(item)
    if item.get("status") == "success" and code in _SUCCESS_CODES:
        return _written(item, reply.status)
    if code in ("", "SUCCESS"):
        raise _unreadable("UNREADABLE_VERDICT", reply.status)
    failure = failure_of(reply, item)
    if failure.failure is FailureClass.DUPLICATE and failure.field == EVENT_ID_FIELD:
        if (ours := _clashing_id(item)) is not None:
            return ours
        # It must be somewhere, though this user may not see it. The row's next try looks for it.
        failure.failure = FailureClass.UNKNOWN
    raise failure


def read_record_id(value: object) -> str | None:
    """A record's id as text: 17 to 19 digits, which the CRM sends as text on success and at times as a number."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    text = str(value)
    return text if re.fullmatch(r"[0-9]{1,30}", text, re.ASCII) else None


def failure_of(reply: Reply, result: Item | None = None) -> CallFailed:
    """The failure of a record whose result this is; without one, of the whole call."""
    item = top_of(reply.body) if result is None else result
    code = code_of(item)
    failure = _class_of(reply, item, code) if result is None else class_of(code)
    if failure is FailureClass.CREDITS:
        code = "CREDITS_EXHAUSTED"
    elif not code:
        unreadable = reply.status < HTTPStatus.MULTIPLE_CHOICES
        code = "UNREADABLE_REPLY" if unreadable else f"HTTP_{reply.status}"
    details = _details_of(item)
    pairs = ((key, str(details[key])) for key in _SAFE_KEYS if details.get(key) is not None)
    detail = " ".join(f"{key}={value}" for key, value in pairs if _SAFE.fullmatch(value))
    if failure is FailureClass.CONFIGURATION and code in CODES:
        # The pause shows it to the operator, who has to change something.
        detail = f"{detail} ({CODES[code].note})".strip()
    return CallFailed(
        failure,
        code,
        http_status=reply.status,
        detail=detail,
        retry_after_seconds=retry_after(reply.headers, reply.received_at),
        field=None if result is None else _field(result),
        answered=result is not None,
    )


def retry_after(headers: Mapping[str, str], received_at: datetime) -> float | None:
    """Seconds to wait by Retry-After, which holds whole seconds or an HTTP date; at most a day.

    None when absent, malformed or in the past. A date is compared with the reply's own Date where there is
    one, so that a wrong clock on this machine makes no call early or late.
    """
    value = headers.get("Retry-After", "").strip()
    if re.fullmatch(r"[0-9]+", value, re.ASCII):
        return min(float(value), MAX_WAIT_SECONDS)
    until = _http_date(value)
    if until is None:
        return None
    seconds = (until - (_http_date(headers.get("Date", "")) or received_at)).total_seconds()
    return min(seconds, MAX_WAIT_SECONDS) if seconds >= 0 else None


def limit_met(headers: Mapping[str, str], wording: str) -> FailureClass:
    """Which limit a 429 is about: CREDITS when its wording or the credits header shows it, else RATE."""
    has_none_left = re.fullmatch("0+", headers.get(CREDITS_HEADER, "").strip()) is not None
    return FailureClass.CREDITS if has_none_left or _MENTIONS_CREDITS.search(wording) else FailureClass.RATE


def items_of(body: object, key: str = "data") -> list[Item] | None:
    """The items of data[] or of another list; None when the body has no such list of objects."""
    data = body.get(key) if isinstance(body, dict) else None
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
        return None
    return data


def top_of(body: object) -> Item:
    """The object with the code: the body itself, or data[0], where Zoho's OpenAPI files place it."""
    if not isinstance(body, dict):
        return {}
    items = items_of(body) or items_of(body, "fields")
    return items[0] if items and not code_of(body) else body


def code_of(item: Item) -> str:
    """The code of a reply or an item, "" when there is none; the older 429 body has it in `error`."""
    return next((name for key in ("code", "error") if (name := safe_name(item.get(key)))), "")


def safe_name(value: object) -> str | None:
    """The value, if it has the form of a code or an API name."""
    return value if isinstance(value, str) and _SAFE.fullmatch(value) else None


def _class_of(reply: Reply, item: Item, code: str) -> FailureClass:
    """The class of a call's failure: by the code, where there is none by the status."""
    if reply.status == HTTPStatus.TOO_MANY_REQUESTS or code == "TOO_MANY_REQUESTS":
        return limit_met(reply.headers, f"{item.get('message', '')} {item.get('error_info', '')}")
    if code == "INVALID_DATA" and _details_of(item).get("api_name") in ("duplicate_check_fields", EVENT_ID_FIELD):
        return FailureClass.CONFIGURATION  # this organisation lacks the unique field
    if code in CODES:
        return class_of(code)
    return _BY_STATUS.get(reply.status) or _class_of_status(reply.status, code)


def _class_of_status(status: int, code: str) -> FailureClass:
    if status < HTTPStatus.MULTIPLE_CHOICES or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return FailureClass.UNKNOWN
    if code:
        return class_of(code)
    return FailureClass.REFUSED if status == HTTPStatus.BAD_REQUEST else FailureClass.TRANSIENT


def _written(item: Item, status: int) -> str:
    """The id of the record that was written, if it is the row's own."""
    found = read_record_id(_details_of(item).get("id"))
    if found is None:
        raise _unreadable("NO_RECORD_ID", status)
    matched = safe_name(item.get("duplicate_field"))
    if item.get("action") == "update" and matched is not None and matched != EVENT_ID_FIELD:
        # duplicate_check_fields sets the order of the check and excludes no unique field (Zoho CRM API v7: Upsert
        # Records).
        log.error("record %s was matched on %s, not on %s: check unique fields", found, matched, EVENT_ID_FIELD)
        detail = f"another enquiry was matched on {matched}: allow duplicate values of it, then resume"
        raise CallFailed(
            FailureClass.CONFIGURATION, OVERWROTE, http_status=status, detail=detail, field=matched, answered=True
        )
    return found


def _unreadable(code: str, status: int) -> CallFailed:
    return CallFailed(FailureClass.UNKNOWN, code, http_status=status, answered=True)


def _field(item: Item) -> str | None:
    """The field at fault; of several the event id's."""
    names = [name for details in _all_details(item) if (name := safe_name(details.get("api_name")))]
    return EVENT_ID_FIELD if EVENT_ID_FIELD in names else next(iter(names), None)


def _clashing_id(item: Item) -> str | None:
    """Id of the record that holds our event id."""
    for details in _all_details(item):
        other = details.get("duplicate_record")
        holder = details if not isinstance(other, dict) else other
        if details.get("api_name") == EVENT_ID_FIELD and (found := read_record_id(holder.get("id"))):
            return found
    return None


def _all_details(item: Item) -> list[Item]:
    """Details of an item and of each of its errors[] (MULTIPLE_OR_MULTI_ERRORS)."""
    errors = item.get("errors")
    inner = [error for error in errors if isinstance(error, dict)] if isinstance(errors, list) else []
    return [_details_of(item), *(_details_of(error) for error in inner)]


def _details_of(item: Item) -> Item:
    details = item.get("details")
    return details if isinstance(details, dict) else {}


def _http_date(value: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, TypeError, OverflowError):
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
