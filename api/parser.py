"""Reading a request's body: size, content type and JSON, before any schema looks at it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from webargs.flaskparser import FlaskParser

from api.errors import MESSAGES, refuse

if TYPE_CHECKING:
    from flask import Request
    from marshmallow import Schema

MAX_BODY_BYTES = 64 * 1024  # bytes
_MAX_DIGITS = 400  # digits; Python refuses to read much longer ones, and they are no numbers to us


class JsonBodyParser(FlaskParser):
    """webargs' parser with this API's refusals: 413, 415, 400; a body that is no object is the schema's 422."""

    def load_json(self, req: Request, schema: Schema) -> Any:  # noqa: ARG002 - webargs' signature
        """The body as Python values."""
        if req.mimetype != "application/json":
            refuse(415, MESSAGES[415])
        body = req.get_data(cache=False)
        if len(body) > MAX_BODY_BYTES:
            refuse(413, MESSAGES[413])
        try:
            return json.loads(body, parse_int=_read_number)
        except (ValueError, RecursionError):
            refuse(400, MESSAGES[400])


def _read_number(digits: str) -> int | str:
    return int(digits) if len(digits) < _MAX_DIGITS else digits
