"""Typed decorators that route an operation and describe it in the OpenAPI document, to keep resources short."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar, cast

import orjson
from flask import Response
from flask_smorest import Blueprint
from marshmallow import Schema
from werkzeug.http import HTTP_STATUS_CODES

from api.errors import MESSAGES, RETRY_AFTER_SECONDS, TOO_MANY, UNAVAILABLE
from api.schemas import ErrorSchema

View = TypeVar("View", bound="Callable[..., Any]")

_WHEN = {
    400: "The body is not JSON, or a header is unusable.",
    403: "The token is none of ours, or too old, or the enquiry was erased.",
    409: "The idempotency key was used for another enquiry.",
    413: "The body is over 64 KiB.",
    415: "The content type is not application/json.",
    422: "Some fields need attention.",
    429: "Too many requests of this visitor or network. Nothing was stored.",
    500: "A defect on our side, recorded in our log.",
    503: "The database is unavailable and nothing was stored. Send the request again.",
}


def post_operation(  # noqa: PLR0913 - a declaration, read once at import
    blueprint: Blueprint,
    path: str,
    schema: Schema,
    receipt: Schema,
    *,
    errors: tuple[int, ...],
    examples: Mapping[str, Any],
    parameters: tuple[Mapping[str, Any], ...] = (),
) -> Callable[[View], View]:
    """Route POST `path` to a view that takes the loaded body and returns a receipt (201).

    Args:
        blueprint: The resource that the operation belongs to.
        path: The address below the blueprint's prefix.
        schema: Loads and describes the body.
        receipt: Describes the answer.
        errors: The error statuses that it can answer with.
        examples: By "body", "receipt" and "errors" (the 422's messages by field).
        parameters: The headers that it reads, as OpenAPI parameters.

    Returns:
        The decorator for the view.
    """
    responses = {code: _describe(code, examples["errors"]) for code in errors}

    def decorate(view: View) -> View:
        @wraps(view)
        def receive(values: Mapping[str, Any]) -> Response:
            # Not left to flask-smorest: its jsonify costs 50 µs, 4 to 5 % of an enquiry.
            return Response(orjson.dumps(receipt.dump(view(values))), 201, content_type="application/json")

        described = blueprint.doc(responses=responses, parameters=list(parameters))(receive)
        answered = blueprint.response(201, receipt, description="Stored.", example=examples["receipt"])(described)
        loaded = blueprint.arguments(schema, example=examples["body"])(answered)
        return cast("View", blueprint.route(path, methods=["POST"])(loaded))

    return decorate


def report_operation(
    blueprint: Blueprint, path: str, schema: Schema, *, errors: tuple[int, ...], example: Any
) -> Callable[[View], View]:
    """Route POST `path` to a view that takes the loaded body and has nothing to say (204).

    Args:
        blueprint: The resource that the operation belongs to.
        path: The address below the blueprint's prefix.
        schema: Loads and describes the body.
        errors: The error statuses that it can answer with.
        example: A body for the document.

    Returns:
        The decorator for the view.
    """
    responses = {code: _describe(code, {}) for code in errors}

    def decorate(view: View) -> View:
        described = blueprint.doc(responses=responses)(view)
        answered = blueprint.response(204, description="Heard.")(described)
        loaded = blueprint.arguments(schema, example=example)(answered)
        return cast("View", blueprint.route(path, methods=["POST"])(loaded))

    return decorate


def get_operation(
    blueprint: Blueprint,
    path: str,
    answer: Schema,
    *,
    example: Any,
    parameters: tuple[Mapping[str, Any], ...] = (),
) -> Callable[[View], View]:
    """Route GET `path` to a view without arguments that returns an answer (200).

    Args:
        blueprint: The resource that the operation belongs to.
        path: The address below the blueprint's prefix.
        answer: Describes the answer.
        example: An answer for the document.
        parameters: What it reads of the address, as OpenAPI parameters.

    Returns:
        The decorator for the view.
    """

    def decorate(view: View) -> View:
        described = blueprint.doc(parameters=list(parameters))(view)
        answered = blueprint.response(200, answer, description="The answer.", example=example)(described)
        return cast("View", blueprint.route(path)(answered))

    return decorate


def _describe(code: int, field_messages: Mapping[str, list[str]]) -> dict[str, Any]:
    example: dict[str, Any] = {"code": code, "status": HTTP_STATUS_CODES[code], "message": MESSAGES.get(code)}
    described: dict[str, Any] = {"description": _WHEN[code]}
    if code == 422:  # noqa: PLR2004 - the status itself
        example["errors"] = {"json": dict(field_messages)}
    if code in (429, 503):
        text = UNAVAILABLE if code == 503 else TOO_MANY  # noqa: PLR2004
        example["message"] = text.format(phone="+90 212 000 00 00", minutes="10 minutes")
        described["headers"] = {
            "Retry-After": {
                "description": "Seconds to wait.",
                "schema": {"type": "integer", "example": RETRY_AFTER_SECONDS},
            }
        }
    described["content"] = {"application/json": {"schema": ErrorSchema(), "example": example}}
    return described
