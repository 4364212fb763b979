"""The idempotency key of a submission, and the digest that distinguishes a repeat from a misused key."""

import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from flask import Request
from marshmallow import Schema

from api.errors import refuse
from api.fields import is_entered

HEADER = "Idempotency-Key"
KEY_PATTERN = r"^[!-~]{1,255}$"
BAD_KEY = "The Idempotency-Key must be 1 to 255 visible ASCII characters. Send a new random one, or none."

_key = re.compile(KEY_PATTERN)
_canonical = json.JSONEncoder(separators=(",", ":"), sort_keys=True)


def read_key(request: Request) -> str | None:
    """Return the request's key, None without one; refuse the request (400) when the key is unusable."""
    key = request.headers.get(HEADER)
    if key is not None and not is_key(key):
        refuse(400, BAD_KEY)
    return key


def is_key(text: str) -> bool:
    """Return whether the text can be a key."""
    return _key.fullmatch(text) is not None


def digest(schema: Schema, values: Mapping[str, Any]) -> bytes:
    """Return the SHA-256 (32 bytes) of the canonical JSON of what the visitor entered, as `schema` loaded it.

    Tracking is left out: a phone that was rotated, or a clock that moved on between a submission and its repeat,
    must not cost the enquiry.
    """
    entered = {name: values.get(name) for name in _entered(schema)}
    return hashlib.sha256(_canonical.encode(entered).encode()).digest()


@cache
def _entered(schema: Schema) -> list[str]:
    return [name for name, field in schema.fields.items() if is_entered(field)]
