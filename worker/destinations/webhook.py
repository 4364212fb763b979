"""Staff by webhook: a signed POST for each lead, as Standard Webhooks 1.0 has it (standardwebhooks.com).

At least once, with one webhook-id.
"""

import json
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from standardwebhooks import Webhook

from leads.lifecycle import Outcome, Retry, Sent
from leads.settings import Settings
from worker.http import Deadline, HttpClient, NoReply, Request

SECONDS = 20.0  # for an exchange
# Google Chat refuses properties that it does not know, so it gets the text alone.
ONLY_TEXT = {"chat.googleapis.com"}


def post_webhook(settings: Settings, payload: Mapping[str, Any], *, message_id: str) -> Outcome:
    """Send one message; any answer but 2xx is tried again.

    message_id: the same for every try, so that the receiver recognises a repeat.
    """
    is_text = urlsplit(settings.lead_webhook_url).hostname in ONLY_TEXT
    text, now = json.dumps({"text": payload["text"]} if is_text else payload), datetime.now(UTC)
    headers = {
        "Content-Type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(settings.lead_webhook_secret).sign(message_id, now, text),
    }
    # The answer's body is not waited for, and a redirect is not followed: it could lead anywhere.
    request = Request("POST", settings.lead_webhook_url, headers, data=text.encode(), reads_reply=False)
    with closing(HttpClient()) as http:
        try:
            status = http.exchange(request, Deadline(SECONDS)).status
        except NoReply as error:
            return Retry(code=error.code, detail=error.detail, answered=False)
    if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        return Sent(http_status=status)
    # A server that fails, or is away behind its proxy, has not answered about the message.
    is_heard = status < HTTPStatus.INTERNAL_SERVER_ERROR
    return Retry(code=f"HTTP_{status}", answered=is_heard, http_status=status)
