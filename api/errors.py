"""Every error as JSON of one shape, with a message that says what to do. No personal data is logged."""

from __future__ import annotations

import logging
import traceback
from typing import Any, NoReturn

from flask import Flask, Response, jsonify, request
from flask_smorest import Api, abort
from werkzeug.exceptions import HTTPException, MethodNotAllowed
from werkzeug.http import HTTP_STATUS_CODES

from api.limits.guard import TooMany
from api.schemas import ErrorSchema
from leads.db import StoreUnavailable
from leads.outbox.store import IdempotencyConflict, KeyErased

log = logging.getLogger(__name__)

RETRY_AFTER_SECONDS = 5
MESSAGES = {
    400: "The body is not readable JSON. Send one JSON object in UTF-8.",
    403: "This enquiry takes no further details.",
    404: "There is nothing at this address.",
    405: "This address does not support that method. The Allow header lists those it supports.",
    409: "This Idempotency-Key was used for another enquiry. Send the changed enquiry with a new key.",
    413: "The request is too large. The limit is 64 KiB.",
    415: "Send the body as application/json.",
    422: "Some fields need attention; see the message at each field.",
    429: "There have been too many requests. Please try again later; the Retry-After header says when.",
    500: "Something went wrong on our side. Please try again.",
}
ERASED = "The enquiry with this Idempotency-Key was erased. Nothing was stored; a new enquiry needs a new key."
TOO_MANY = (
    "We have had too many requests from you or your network. Please try again in {minutes}, or reach us on {phone} "
    "or WhatsApp."
)
UNAVAILABLE = (
    "We could not store your request just now. Please try again in a moment, or reach us on {phone} or WhatsApp."
)


def refuse(code: int, message: str) -> NoReturn:
    """Abort the request with `code` and `message`."""
    abort(code, message=message)
    raise AssertionError("abort returned")


def error_response(code: int, message: str | None = None, **headers: str) -> Response:
    """Return an error in this API's shape; without `message`, with the default message of its status."""
    text = message or MESSAGES.get(code, "This request cannot be answered.")
    response = jsonify(code=code, status=HTTP_STATUS_CODES[code], message=text)
    response.status_code = code
    response.headers.update({name.replace("_", "-"): value for name, value in headers.items()})
    return response


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

    def conflict(_error: Exception) -> Response:
        return error_response(409)

    def erased(_error: Exception) -> Response:
        return error_response(409, ERASED)

    def unavailable(_error: Exception) -> Response:
        message = UNAVAILABLE.format(phone=clinic_phone)
        return error_response(503, message, Retry_After=str(RETRY_AFTER_SECONDS))

    def too_many(error: TooMany) -> Response:
        minutes = -(-error.wait // 60)
        text = f"{minutes} minutes" if minutes > 1 else "a minute"
        return error_response(429, TOO_MANY.format(minutes=text, phone=clinic_phone), Retry_After=str(error.wait))

    app.register_error_handler(TooMany, too_many)
    app.register_error_handler(IdempotencyConflict, conflict)
    app.register_error_handler(KeyErased, erased)
    app.register_error_handler(StoreUnavailable, unavailable)
    app.register_error_handler(Exception, _log_unexpected)


def _log_unexpected(error: Exception) -> Response:
    # The message may quote what a visitor typed (database errors do), so only code locations are logged.
    frames = traceback.extract_tb(error.__traceback__)
    location = " < ".join(f"{frame.filename}:{frame.lineno}" for frame in reversed(frames))
    log.error("%s in %s: %s", type(error).__name__, request.endpoint, location)
    return error_response(500)
