"""The body parser: checks content type and JSON before any schema sees the body."""

import json
from typing import Any, NoReturn

from flask import Request
from marshmallow import Schema
from webargs.flaskparser import FlaskParser

from api.errors import refuse

MAX_BODY_BYTES = 64 * 1024


class JsonBodyParser(FlaskParser):
    """webargs' parser with this API's 415 and 400; the schema answers 422 to a body that is not an object."""

    def load_json(self, req: Request, schema: Schema) -> Any:  # noqa: ARG002 - webargs' signature
        """Return the body as Python values."""
        if req.mimetype != "application/json":
            refuse(415)
        try:
            return decode_json(req.get_data(cache=False).decode())
        except ValueError:
            refuse(400)


def decode_json(text: str) -> Any:
    """Return what the JSON says; `ValueError` for what is none, or too deep."""
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except RecursionError as error:
        raise ValueError("the JSON is too deep") from error


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
