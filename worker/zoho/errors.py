"""What can go wrong at the CRM: the classes, the one table of Zoho's codes, and the two shapes results take.

Reading replies is done in replies.py; what to do about a class is the caller's decision.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

log = logging.getLogger(__name__)


class FailureClass(StrEnum):
    """What a failure says about the next step."""

    RECORD = "record"  # permanent for this row as it stands
    REQUEST = "request"  # permanent for the request: split the batch, a single row decides
    TRANSIENT = "transient"  # nothing landed; later is fine
    UNKNOWN = "unknown"  # it may have landed; later is fine because the upsert key makes it one record
    AUTH = "auth"  # the token; with retry_after_seconds the token endpoint asked for time
    CONFIGURATION = "configuration"  # somebody must change something; no row is at fault
    RATE = "rate"  # too many calls at once
    CREDITS = "credits"  # the organisation's 24-hour allowance is spent
    DUPLICATE = "duplicate"  # a unique value belongs to another record


class Code(NamedTuple):
    """One Zoho code: its class inside data[], its class for a whole reply, why, and where it was read."""

    record: FailureClass
    request: FailureClass
    note: str
    source: str


_R, _Q, _T, _U = FailureClass.RECORD, FailureClass.REQUEST, FailureClass.TRANSIENT, FailureClass.UNKNOWN
_A, _C, _D = FailureClass.AUTH, FailureClass.CONFIGURATION, FailureClass.DUPLICATE
_RATE, _CREDITS = FailureClass.RATE, FailureClass.CREDITS

_INSERT = "Zoho CRM API v7: Insert Records"
_UPSERT = "Zoho CRM API v7: Upsert Records"
_GET = "Zoho CRM API v7: Get Records"
_LIST = "Zoho CRM API v8: Get Records, Get Notes"
_STATUS = "Zoho CRM API v8: status codes (quoted by a third party)"
_SDK = "Zoho Python SDK 7.0.0: record.APIException"
_SPEC = "github.com/zoho/crm-oas: v8.0/common.json"
_KAIZEN = "Zoho community: Kaizen #25"
_TOKEN = "Zoho Accounts: token endpoint, replies seen in third-party test suites"  # noqa: S105 - a page's name
_MEMORY = "not verified"

CODES: dict[str, Code] = {
    "MANDATORY_NOT_FOUND": Code(_R, _Q, "details.api_name is missing", _INSERT),
    "INVALID_DATA": Code(_R, _Q, "bad type, length, pattern or id of details.api_name", _INSERT),
    "EXPECTED_FIELD_MISSING": Code(_R, _Q, "details.expected_fields", _INSERT),
    "DEPENDENT_FIELD_MISSING": Code(_R, _Q, "a field that another needs", _INSERT),
    "DEPENDENT_MISMATCH": Code(_R, _Q, "a picklist that contradicts another", _INSERT),
    "PATTERN_NOT_MATCHED": Code(_R, _Q, "the value breaks the field's pattern", _SDK),
    "LIMIT_EXCEEDED": Code(_R, _Q, "too many fields, rows or participants; not the rate limit", _INSERT),
    "NOT_APPROVED": Code(_R, _R, "the record to update waits for approval", _UPSERT),
    "RECORD_IN_BLUEPRINT": Code(_R, _R, "the record to update is in a blueprint", _UPSERT),
    "UNABLE_TO_PARSE_DATA_TYPE": Code(_R, _Q, "malformed body or parameters", _SPEC),
    "FILE_TOO_LARGE": Code(_R, _Q, "413", _SPEC),
    "DUPLICATE_DATA": Code(_D, _D, "details.id or duplicate_record.id holds a unique value of ours", _UPSERT),
    "MULTIPLE_OR_MULTI_ERRORS": Code(_D, _D, "several unique clashes in errors[]", _INSERT),
    "RECORD_LOCKED": Code(_T, _T, "somebody is editing; minutes", _UPSERT),
    "ALREADY_MODIFIED": Code(_T, _T, "412, only with If-Unmodified-Since", _UPSERT),
    "DEPENDENT_SERVICE_ERROR": Code(_T, _T, "another Zoho service is away", _INSERT),
    "INTERNAL_ERROR": Code(_U, _U, "500; the write may have landed", _STATUS),
    "INTERNAL_SERVER_ERROR": Code(_U, _U, "500; the write may have landed", _INSERT),
    "INVALID_MODULE": Code(_C, _C, "the module's API name is wrong or hidden from this profile", _INSERT),
    "INVALID_URL_PATTERN": Code(_C, _C, "404; wrong host or API version", _INSERT),
    "INVALID_REQUEST_METHOD": Code(_C, _C, "a client bug", _INSERT),
    "REQUIRED_PARAM_MISSING": Code(_C, _C, "a client bug", _GET),
    "DISCRETE_PAGINATION_LIMIT_EXCEEDED": Code(_C, _C, "a client bug: page numbers end at 2,000 rows", _LIST),
    "PAGINATION_LIMIT_EXCEEDED": Code(_C, _C, "page tokens end at 100,000 rows", _LIST),
    "EXPIRED_VALUE": Code(_T, _T, "the page token is a day old: begin again", _LIST),
    "NO_PERMISSION": Code(_C, _C, "the API user's profile lacks details.permissions", _INSERT),
    "AUTHORIZATION_FAILED": Code(_C, _C, "the API user lacks the privilege", _INSERT),
    "OAUTH_SCOPE_MISMATCH": Code(_C, _C, "the refresh token was granted without this scope", _INSERT),
    "AUTHENTICATION_FAILURE": Code(_A, _A, "no readable Authorization header", _STATUS),
    "INVALID_TOKEN": Code(_A, _A, "expired, revoked, or of another data centre", _INSERT),
    "INACTIVE_USER": Code(_C, _C, "the API user was deactivated", _SPEC),
    "FEATURE_NOT_SUPPORTED": Code(_C, _C, "not in this edition", _SDK),
    "FEATURE_NOT_ENABLED": Code(_C, _C, "not switched on", _SDK),
    "NOT_SUPPORTED": Code(_C, _C, "not in this edition", _SDK),
    "API_NOT_SUPPORTED": Code(_C, _C, "API version too old; details.supported_version", _SDK),
    "LICENSE_LIMIT_EXCEEDED": Code(_C, _C, "licence or seats used up", _KAIZEN),
    "STORAGE_SPACE_EXCEEDED": Code(_C, _C, "the organisation's data storage is full", _SDK),
    "TOO_MANY_REQUESTS": Code(_RATE, _RATE, "429; credits or concurrency, told apart by wording", _STATUS),
    "CREDITS_EXHAUSTED": Code(_CREDITS, _CREDITS, "our name: a 429 about the 24-hour allowance", _STATUS),
    # The token endpoint's own words, in lower case as it sends them.
    "invalid_code": Code(_C, _C, "refresh token wrong or revoked; sent with status 200", _TOKEN),
    "invalid_client": Code(_C, _C, "wrong client id or data centre", _MEMORY),
    "invalid_client_secret": Code(_C, _C, "wrong client secret", _MEMORY),
    "Access Denied": Code(_A, _A, "token throttle, sent with status 400; wait 10 minutes", _TOKEN),
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The CRM's answer about one record.

    action is "insert" or "update" where the CRM says so; record_id is set whenever ok. field is an API
    name. detail never holds personal data: codes, API names, limits, no values.
    """

    ok: bool
    code: str
    record_id: str | None = None
    action: str | None = None
    failure: FailureClass | None = None
    field: str | None = None
    detail: str = ""
    http_status: int = 200


class CallFailed(Exception):
    """A whole call without verdicts; retry_after_seconds is what the CRM asked for, None if it did not."""

    def __init__(
        self,
        failure: FailureClass,
        code: str,
        *,
        http_status: int | None = None,
        detail: str = "",
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(f"{failure.value}: {code}" + (f" ({detail})" if detail else ""))
        self.failure = failure
        self.code = code
        self.http_status = http_status
        self.detail = detail
        self.retry_after_seconds = retry_after_seconds


def class_of_record(code: str) -> FailureClass:
    """Class of a code met inside data[]; one outside the table is transient, never permanent, and logged."""
    return CODES[code].record if code in CODES else _unlisted(code)


def class_of_request(code: str) -> FailureClass:
    """Class of a code that answers a whole call; outside the table as in class_of_record."""
    return CODES[code].request if code in CODES else _unlisted(code)


def _unlisted(code: str) -> FailureClass:
    log.error("the CRM answered with a code that is not in the table: %s; treated as transient", code)
    return FailureClass.TRANSIENT
