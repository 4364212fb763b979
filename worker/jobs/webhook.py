"""One signed POST to the webhook, as Standard Webhooks 1.0 has it (standardwebhooks.com).

No database and no Celery.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import certifi
from urllib3 import PoolManager, Timeout
from urllib3.exceptions import HTTPError

from leads.lifecycle import Delivered, Outcome, Retryable

SECRET_PREFIX = "whsec_"  # noqa: S105 - of every secret in that standard's own notation
CONNECT_SECONDS = 3.0


def sign(secret: str, *, message_id: str, timestamp: int, body: bytes) -> str:
    """Return the signature header.

    Args:
        secret: "whsec_" and base64, or any text, whose bytes are then the key.
        message_id: the header webhook-id.
        timestamp: the header webhook-timestamp, in seconds since 1970.
        body: the request's body.
    """
    signed = f"{message_id}.{timestamp}.".encode() + body
    return f"v1,{base64.b64encode(hmac.digest(_key(secret), signed, hashlib.sha256)).decode()}"


def post_webhook(url: str, payload: Mapping[str, Any], *, secret: str, message_id: str, seconds: float) -> Outcome:
    """Send one message; any answer but 2xx is tried again.

    Args:
        url: where to.
        payload: becomes the JSON body.
        secret: signs it.
        message_id: the same for every try, so that the receiver recognises a repeat.
        seconds: the longest wait for the answer's next byte.

    Returns:
        The outcome; its code is "HTTP_" and the status, or the kind of the error.
    """
    body, timestamp = json.dumps(payload).encode("ascii"), int(time.time())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "clinic-leads",
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": sign(secret, message_id=message_id, timestamp=timestamp, body=body),
    }
    with PoolManager(ca_certs=certifi.where()) as pools:
        try:
            # The answer's body is never read, and a redirect is not followed: it could lead anywhere.
            with pools.request(
                "POST",
                url,
                body=body,
                headers=headers,
                timeout=Timeout(connect=CONNECT_SECONDS, read=seconds),
                redirect=False,
                retries=False,
                preload_content=False,
            ) as response:
                status = response.status
        except (HTTPError, OSError) as error:
            return Retryable(type(error).__name__)
    accepted = HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES
    return Delivered("") if accepted else Retryable(f"HTTP_{status}")


def _key(secret: str) -> bytes:
    if secret.startswith(SECRET_PREFIX):
        return base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    return secret.encode()
