"""The table of Zoho's error codes: each with its failure class and the page that documents it.

replies.py reads the replies; the caller decides what to do about a class.
"""

import logging
from typing import NamedTuple

from worker.crm.port import FailureClass

log = logging.getLogger(__name__)


class Code(NamedTuple):
    """One Zoho code: its class, what it means, and the source."""

    failure: FailureClass
    note: str
    source: str


_R, _D = FailureClass.REFUSED, FailureClass.DUPLICATE
_T, _U = FailureClass.TRANSIENT, FailureClass.UNKNOWN
_A, _C = FailureClass.AUTH, FailureClass.CONFIGURATION

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
    "MANDATORY_NOT_FOUND": Code(_R, "details.api_name is missing", _INSERT),
    "INVALID_DATA": Code(_R, "bad type, length, pattern or id of details.api_name", _INSERT),
    "EXPECTED_FIELD_MISSING": Code(_R, "details.expected_fields", _INSERT),
    "DEPENDENT_FIELD_MISSING": Code(_R, "a field that another needs", _INSERT),
    "DEPENDENT_MISMATCH": Code(_R, "a picklist that contradicts another", _INSERT),
    "PATTERN_NOT_MATCHED": Code(_R, "the value breaks the field's pattern", _SDK),
    "LIMIT_EXCEEDED": Code(_R, "too many fields, rows or participants; not the rate limit", _INSERT),
    "NOT_APPROVED": Code(_R, "the record to update waits for approval", _UPSERT),
    "RECORD_IN_BLUEPRINT": Code(_R, "the record to update is in a blueprint", _UPSERT),
    "UNABLE_TO_PARSE_DATA_TYPE": Code(_R, "malformed body or parameters", _SPEC),
    "FILE_TOO_LARGE": Code(_R, "413", _SPEC),
    "DUPLICATE_DATA": Code(_D, "details.id or duplicate_record.id holds a unique value of ours", _UPSERT),
    "MULTIPLE_OR_MULTI_ERRORS": Code(_D, "several unique clashes in errors[]", _INSERT),
    "RECORD_LOCKED": Code(_T, "somebody is editing; minutes", _UPSERT),
    "ALREADY_MODIFIED": Code(_T, "412, only with If-Unmodified-Since", _UPSERT),
    "DEPENDENT_SERVICE_ERROR": Code(_T, "another Zoho service is unavailable", _INSERT),
    "INTERNAL_ERROR": Code(_U, "500; the write may have landed", _STATUS),
    "INTERNAL_SERVER_ERROR": Code(_U, "500; the write may have landed", _INSERT),
    "INVALID_MODULE": Code(_C, "Leads has another API name now, or is hidden from the API user's profile", _INSERT),
    "INVALID_URL_PATTERN": Code(_C, "404; wrong host, or this version of the API has ended", _INSERT),
    "INVALID_REQUEST_METHOD": Code(_C, "a client bug", _INSERT),
    "REQUIRED_PARAM_MISSING": Code(_C, "a client bug", _GET),
    "DISCRETE_PAGINATION_LIMIT_EXCEEDED": Code(_C, "a client bug: page numbers end at 2,000 rows", _LIST),
    "PAGINATION_LIMIT_EXCEEDED": Code(_C, "page tokens end at 100,000 rows", _LIST),
    "EXPIRED_VALUE": Code(_T, "the page token is a day old: begin again", _LIST),
    "NO_PERMISSION": Code(_C, "the API user's profile lacks details.permissions", _INSERT),
    "AUTHORIZATION_FAILED": Code(_C, "the API user lacks the privilege", _INSERT),
    "OAUTH_SCOPE_MISMATCH": Code(_C, "the refresh token was granted without this scope", _INSERT),
    "AUTHENTICATION_FAILURE": Code(_A, "no readable Authorization header", _STATUS),
    "INVALID_TOKEN": Code(_A, "expired, revoked, or of another data centre", _INSERT),
    "INACTIVE_USER": Code(_C, "the API user was deactivated", _SPEC),
    "FEATURE_NOT_SUPPORTED": Code(_C, "not in this edition", _SDK),
    "FEATURE_NOT_ENABLED": Code(_C, "not switched on", _SDK),
    "NOT_SUPPORTED": Code(_C, "not in this edition", _SDK),
    "API_NOT_SUPPORTED": Code(_C, "this version of the API has ended: install a newer release", _SDK),
    "LICENSE_LIMIT_EXCEEDED": Code(_C, "licence or seats used up", _KAIZEN),
    "STORAGE_SPACE_EXCEEDED": Code(_C, "the organisation's data storage is full", _SDK),
    "TOO_MANY_REQUESTS": Code(FailureClass.RATE, "429; credits or concurrency, told apart by wording", _STATUS),
    "CREDITS_EXHAUSTED": Code(FailureClass.CREDITS, "our name: a 429 about the 24-hour allowance", _STATUS),
    # The token endpoint's codes, in lower case as it sends them.
    "invalid_code": Code(_C, "the refresh token is wrong or was revoked; make a new one (docs/zoho.md)", _TOKEN),
    "invalid_client": Code(_C, "the client id is wrong, or of another data centre (ZOHO_DATA_CENTER)", _MEMORY),
    "invalid_client_secret": Code(_C, "ZOHO_CLIENT_SECRET is wrong", _MEMORY),
    "Access Denied": Code(_A, "token throttle, sent with status 400; wait 10 minutes", _TOKEN),
}


def class_of(code: str) -> FailureClass:
    """The class of a code; one outside the table is transient, never permanent, and logged."""
    if code in CODES:
        return CODES[code].failure
    log.error("the CRM answered with a code that is not in the table: %s; treated as transient", code)
    return FailureClass.TRANSIENT
