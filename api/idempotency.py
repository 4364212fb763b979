"""The idempotency key: what a repeat of the same press sends, and how a repeat is told from a misuse."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

from api.errors import refuse
from api.fields import is_entered

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Request
    from marshmallow import Schema

HEADER = "Idempotency-Key"
KEY_PATTERN = r"^[!-~]{1,255}$"
BAD_KEY = "The Idempotency-Key must be 1 to 255 visible ASCII characters. Send a new random one, or none."

_key = re.compile(KEY_PATTERN)


def read_key(request: Request) -> str | None:
    """The request's key, None without one; refuses the request (400) over an unusable one."""
    key = request.headers.get(HEADER)
    if key is not None and not _key.fullmatch(key):
        refuse(400, BAD_KEY)
    return key


def digest(schema: Schema, values: Mapping[str, Any]) -> bytes:
    """SHA-256 (32 bytes) of the canonical JSON of what the visitor entered, as `schema` loaded it.

    Tracking is left out: a phone that was turned, or a clock that moved on between the press and its repeat, must
    not cost the enquiry.
    """
    entered = {name: values.get(name) for name, field in schema.fields.items() if is_entered(field)}
    return hashlib.sha256(json.dumps(entered, separators=(",", ":"), sort_keys=True).encode()).digest()
