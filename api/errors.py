"""Every error as JSON of one shape, with a message that says what to do. No personal data is logged."""

import logging
import traceback
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, TypeVar

from flask import Flask, Response, jsonify, request
from flask_smorest import Api, Blueprint, abort
from werkzeug.exceptions import HTTPException, MethodNotAllowed
from werkzeug.http import HTTP_STATUS_CODES

from api.limits.guard import TooMany
from api.schemas import ErrorSchema
from leads.db import StoreUnavailable
from leads.outbox.store import IdempotencyConflict, KeyErased

log = logging.getLogger(__name__)

View = TypeVar("View", bound="Callable[..., Any]")

RETRY_AFTER_SECONDS = 5
MESSAGES = {
    400: "The body is not readable JSON. Send one JSON object in UTF-8.",
    403: "This enquiry cannot take any more details. Please reach us on {phone} or WhatsApp.",
    404: "There is nothing at this address.",
    405: "This address does not support that method. The Allow header lists those it supports.",
    409: "This Idempotency-Key was used for another enquiry. Send the changed enquiry with a new key.",
    413: "The request is too large. The limit is 64 KiB.",
    415: "Send the body as application/json.",
    422: "Some fields need attention; see the message at each field.",
    429: "We have had too many requests from you or your network. Please try again in {minutes}, or reach us on "
    "{phone} or WhatsApp.",
    500: "Something went wrong on our side. Please try again.",
    # The commit's answer may be what was lost.
    503: "We could not confirm that your request is stored. Please try again in a moment, or reach us on {phone} "
    "or WhatsApp.",
}
ERASED = "The enquiry with this Idempotency-Key was erased. Nothing was stored; a new enquiry needs a new key."
_RETRY_AFTER = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}}


def refuse(code: int, message: str = "", errors: object = None) -> NoReturn:
    """Abort the request with `code`, its message unless another is given, and the messages by place and field."""
    abort(code, message=message or MESSAGES[code], **({"errors": errors} if errors else {}))
    raise AssertionError("abort returned")


def documented(blueprint: Blueprint, *codes: int, headers: Mapping[str, str] = {}) -> Callable[[View], View]:
    """Return a decorator for a view: its errors, and the headers that it reads, for the OpenAPI document."""
    responses = {
        code: {"description": MESSAGES[code], "content": {"application/json": {"schema": ErrorSchema()}}}
        | ({"headers": _RETRY_AFTER} if code in {429, 503} else {})
        for code in codes
    }
    text = {"in": "header", "schema": {"type": "string"}}
    parameters = [{"name": name, "description": words, **text} for name, words in headers.items()]
    decorator: Callable[[View], View] = blueprint.doc(responses=responses, parameters=parameters)
    return decorator


class JsonErrorApi(Api):  # type: ignore[misc] # flask-smorest ships no types
    """flask-smorest's API with a message on every error; it documents only the responses that exist."""

    DEFAULT_ERROR_RESPONSE_NAME = None
    ERROR_SCHEMA = ErrorSchema

    def handle_http_exception(self, error: HTTPException) -> tuple[dict[str, Any], int, dict[str, Any]]:
        """Return the error's payload, status and headers."""
        payload, code, headers = super().handle_http_exception(error)
        headers = dict(headers or {})
        payload.setdefault("message", MESSAGES.get(code, error.description))
        if isinstance(error, MethodNotAllowed) and error.valid_methods:
            headers["Allow"] = ", ".join(error.valid_methods)
        return payload, code, headers


def register_errors(app: Flask, clinic_phone: str) -> None:
    """Answer 409 for an unusable key, 429 for too many requests, 503 without PostgreSQL, 500 for all else."""

    def too_many(error: TooMany) -> Response:
        minutes = -(-error.wait // 60)
        wait = f"{minutes} minutes" if minutes > 1 else "a minute"
        return _answer(429, MESSAGES[429].format(minutes=wait, phone=clinic_phone), error.wait)

    def unavailable(_error: StoreUnavailable) -> Response:
        return _answer(503, MESSAGES[503].format(phone=clinic_phone), RETRY_AFTER_SECONDS)

    app.register_error_handler(TooMany, too_many)
    app.register_error_handler(StoreUnavailable, unavailable)
    app.register_error_handler(IdempotencyConflict, lambda _: _answer(409, MESSAGES[409]))
    app.register_error_handler(KeyErased, lambda _: _answer(409, ERASED))
    app.register_error_handler(Exception, _log_unexpected)


def _answer(code: int, message: str, retry_after: int | None = None) -> Response:
    response = jsonify(code=code, status=HTTP_STATUS_CODES[code], message=message)
    response.status_code = code
    if retry_after is not None:
        response.headers["Retry-After"] = str(retry_after)
    return response


def _log_unexpected(error: Exception) -> Response:
    # The message may quote what a visitor typed (database errors do), so only code locations are logged.
    frames = traceback.extract_tb(error.__traceback__)
    location = " < ".join(f"{frame.filename}:{frame.lineno}" for frame in reversed(frames))
    log.error("%s in %s: %s", type(error).__name__, request.endpoint, location)
    return _answer(500, MESSAGES[500])
