"""The body parser: checks size, content type and JSON before any schema sees the body."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from flask import Request
from marshmallow import Schema
from webargs.flaskparser import FlaskParser

from api.errors import MESSAGES, refuse

MAX_BODY_BYTES = 64 * 1024
_MAX_DIGITS = 400  # longer numbers stay text: Python refuses to parse much longer ones, and no field needs them


class JsonBodyParser(FlaskParser):
    """webargs' parser with this API's 413, 415 and 400; the schema answers 422 to a body that is not an object."""

    def load_json(self, req: Request, schema: Schema) -> Any:  # noqa: ARG002 - webargs' signature
        """Return the body as Python values."""
        if req.mimetype != "application/json":
            refuse(415, MESSAGES[415])
        body = req.get_data(cache=False)
        if len(body) > MAX_BODY_BYTES:
            refuse(413, MESSAGES[413])
        try:
            return decode_json(body.decode())
        except ValueError:
            refuse(400, MESSAGES[400])


def decode_json(text: str) -> Any:
    """Return what the JSON says; `ValueError` for what is none, or too deep."""
    try:
        return _DECODER.decode(text)
    except RecursionError as error:
        raise ValueError("the JSON is too deep") from error


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _parse_integer(digits: str) -> int | str:
    return int(digits) if len(digits) < _MAX_DIGITS else digits


_DECODER = json.JSONDecoder(parse_int=_parse_integer, parse_constant=_refuse_constant)
