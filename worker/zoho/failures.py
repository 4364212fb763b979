"""Parser of replies that fail a whole call: the failure's class, and how long to wait.

Of a reply's text only codes, API names and limits are passed on, because messages may quote what was sent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any

from worker.crm.port import CallFailed, FailureClass
from worker.http import NoReply, Reply
from worker.zoho.errors import CODES, class_of_request

Item = dict[str, Any]


# A longer wait than a day is a mistake, which must not stop the queue for a year.
MAX_WAIT_SECONDS = 86_400.0
CREDITS_HEADER = "X-API-CREDITS-REMAINING"

# Both causes share one code (Zoho CRM API v8: status codes), so only the wording tells them apart.
_MENTIONS_CREDITS = re.compile(r"credit|24 hours?|per day|daily|api limit", re.IGNORECASE)


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
    if _MENTIONS_CREDITS.search(wording) or credits_left(headers) == 0:
        return FailureClass.CREDITS
    return FailureClass.RATE


def credits_left(headers: Mapping[str, str]) -> int | None:
    """API credits left in the 24-hour window; None until Zoho reports them (once half are used)."""
    value = headers.get(CREDITS_HEADER, "").strip()
    return int(value) if re.fullmatch(r"[0-9]{1,12}", value, re.ASCII) else None


def _http_date(value: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, TypeError, OverflowError):
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


_SAFE = re.compile(r"[A-Za-z0-9_.$ -]{1,60}", re.ASCII)
# Keys of `details` whose values are names or limits, never what was sent.
_SAFE_KEYS = ("api_name", "param_name", "maximum_length", "limit", "expected_data_type")
_BY_STATUS: dict[int, FailureClass] = {
    HTTPStatus.UNAUTHORIZED: FailureClass.AUTH,
    HTTPStatus.REQUEST_TIMEOUT: FailureClass.UNKNOWN,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: FailureClass.REQUEST,
    # Refused before processing; other 5xx may come after the write.
    HTTPStatus.SERVICE_UNAVAILABLE: FailureClass.TRANSIENT,
}


def failure_without_reply(error: NoReply) -> CallFailed:
    """The failure of a call that got no reply: TRANSIENT when nothing left this machine, else UNKNOWN."""
    failure = FailureClass.UNKNOWN if error.sent else FailureClass.TRANSIENT
    return CallFailed(failure, error.code, detail=error.detail)


def failure_of(reply: Reply, event_id_field: str = "") -> CallFailed:
    """The failure of a reply without results; event_id_field identifies a missing unique field."""
    item = top_of(reply.body)
    code = code_of(item)
    failure = _class_of(reply, item, code, event_id_field)
    if failure is FailureClass.CREDITS:
        code = "CREDITS_EXHAUSTED"
    elif not code:
        unreadable = reply.status < HTTPStatus.MULTIPLE_CHOICES
        code = "UNREADABLE_REPLY" if unreadable else f"HTTP_{reply.status}"
    detail = safe_details(details_of(item))
    if failure is FailureClass.CONFIGURATION and code in CODES:
        # The pause shows it to the operator, who has to change something.
        detail = f"{detail} ({CODES[code].note})".strip()
    return CallFailed(
        failure,
        code,
        http_status=reply.status,
        detail=detail,
        retry_after_seconds=retry_after(reply.headers, reply.received_at),
    )


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
    for key in ("code", "error"):
        value = item.get(key)
        if isinstance(value, str) and _SAFE.fullmatch(value):
            return value
    return ""


def details_of(item: Item) -> Item:
    """The details of a reply or an item; empty when missing or of another shape."""
    details = item.get("details")
    return details if isinstance(details, dict) else {}


def safe_details(details: Item) -> str:
    """The part of `details` that may be logged, as "api_name=Email maximum_length=100"."""
    pairs = ((key, str(details[key])) for key in _SAFE_KEYS if details.get(key) is not None)
    return " ".join(f"{key}={value}" for key, value in pairs if _SAFE.fullmatch(value))


def safe_name(value: object) -> str | None:
    """The value, if it has the form of an API name."""
    return value if isinstance(value, str) and _SAFE.fullmatch(value) else None


def _class_of(reply: Reply, item: Item, code: str, event_id_field: str) -> FailureClass:
    if reply.status == HTTPStatus.TOO_MANY_REQUESTS or code == "TOO_MANY_REQUESTS":
        return limit_met(reply.headers, f"{item.get('message', '')} {item.get('error_info', '')}")
    if code == "INVALID_DATA" and details_of(item).get("api_name") in ("duplicate_check_fields", event_id_field):
        return FailureClass.CONFIGURATION  # this organisation lacks the unique field
    if code in CODES:
        return CODES[code].request
    return _BY_STATUS.get(reply.status) or _class_of_status(reply.status, code)


def _class_of_status(status: int, code: str) -> FailureClass:
    if status < HTTPStatus.MULTIPLE_CHOICES or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return FailureClass.UNKNOWN
    if code:
        return class_of_request(code)
    return FailureClass.REQUEST if status == HTTPStatus.BAD_REQUEST else FailureClass.TRANSIENT
