"""Reads a reply that answers a whole call with a failure. Verdicts per record are read in replies.py.

No text of a reply is passed on but codes, API names and limits, because messages may quote what was sent.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from worker.zoho.errors import CODES, CallFailed, FailureClass, class_of_request
from worker.zoho.waits import limit_met, retry_after

if TYPE_CHECKING:
    from worker.zoho.transport import Reply

    Item = dict[str, Any]

_SAFE = re.compile(r"[A-Za-z0-9_.$ -]{1,60}", re.ASCII)
# Keys of `details` that name things or limits and never hold what was sent.
_TOLD = ("api_name", "param_name", "maximum_length", "limit", "expected_data_type")
_BY_STATUS: dict[int, FailureClass] = {
    HTTPStatus.UNAUTHORIZED: FailureClass.AUTH,
    HTTPStatus.REQUEST_TIMEOUT: FailureClass.UNKNOWN,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: FailureClass.REQUEST,
    # Refused before it was worked on; other 5xx may come after the write.
    HTTPStatus.SERVICE_UNAVAILABLE: FailureClass.TRANSIENT,
}


def failure_of(reply: Reply, event_id_field: str = "") -> CallFailed:
    """The failure that a reply without verdicts stands for; event_id_field tells a missing unique field."""
    item = top_of(reply.body)
    code = code_of(item)
    failure = _class_of(reply, item, code, event_id_field)
    if failure is FailureClass.CREDITS:
        code = "CREDITS_EXHAUSTED"
    elif not code:
        unreadable = reply.status < HTTPStatus.MULTIPLE_CHOICES
        code = "UNREADABLE_REPLY" if unreadable else f"HTTP_{reply.status}"
    return CallFailed(
        failure,
        code,
        http_status=reply.status,
        detail=told(details_of(item)),
        retry_after_seconds=retry_after(reply.headers, reply.received_at),
    )


def items_of(body: object, key: str = "data") -> list[Item] | None:
    """The items of data[] or of another list; None when the body has no such list of objects."""
    data = body.get(key) if isinstance(body, dict) else None
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
        return None
    return data


def top_of(body: object) -> Item:
    """The object with the code: the body itself, or data[0], where Zoho's OpenAPI files draw it."""
    if not isinstance(body, dict):
        return {}
    items = items_of(body) or items_of(body, "fields")
    return items[0] if items and not code_of(body) else body


def code_of(item: Item) -> str:
    """The code of a reply or an item, "" when there is none; the older 429 body has it under `error`."""
    for key in ("code", "error"):
        value = item.get(key)
        if isinstance(value, str) and _SAFE.fullmatch(value):
            return value
    return ""


def details_of(item: Item) -> Item:
    """The details of a reply or an item; empty when missing or of another shape."""
    details = item.get("details")
    return details if isinstance(details, dict) else {}


def told(details: Item) -> str:
    """What of `details` may be logged, as "api_name=Email maximum_length=100"."""
    pairs = ((key, str(details[key])) for key in _TOLD if details.get(key) is not None)
    return " ".join(f"{key}={value}" for key, value in pairs if _SAFE.fullmatch(value))


def safe_name(value: object) -> str | None:
    """An API name, if it looks like one."""
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
