"""The idempotency key: what a repeat of the same press sends, and how a repeat is told from a misuse."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

from api.errors import refuse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Request

HEADER = "Idempotency-Key"
KEY_PATTERN = r"^[!-~]{1,255}$"
BAD_KEY = "The Idempotency-Key must be 1 to 255 visible ASCII characters. Send a new random one, or none."

_key = re.compile(KEY_PATTERN)
# What the visitor said. Tracking is left out: a phone that was turned, or a clock that moved on between the
# press and its repeat, must not cost the enquiry.
_SAID = ("name", "surname", "email", "country_code", "country_iso", "phone", "message")


def read_key(request: Request) -> str | None:
    """The request's key, None without one; refuses the request (400) over an unusable one."""
    key = request.headers.get(HEADER)
    if key is not None and not _key.fullmatch(key):
        refuse(400, BAD_KEY)
    return key


def digest(values: Mapping[str, Any]) -> bytes:
    """SHA-256 (32 bytes) of the canonical JSON of what the visitor said, as loaded."""
    said = [values[name] for name in _SAID]
    if values.get("marketing_opt_in"):
        said.append("marketing")
    return hashlib.sha256(json.dumps(said, separators=(",", ":")).encode()).digest()
