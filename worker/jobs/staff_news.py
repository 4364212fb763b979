"""News for staff that belong to no single lead: told by a job, by mail or by webhook, not through the outbox."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from leads.destinations import STAFF_MAIL, STAFF_WEBHOOK
from leads.lifecycle import Outcome, Retryable
from leads.settings import Settings
from worker.destinations.smtp import MailServerUnavailable, connect_mail, send_mail
from worker.destinations.staff_notice import staff_mail
from worker.destinations.webhook import post_webhook

CHANNELS = (STAFF_MAIL, STAFF_WEBHOOK)


@dataclass(frozen=True, slots=True)
class News:
    """What is told. No personal data.

    id: of the message, the same for each try. lines: of the mail. type, text, data: of the webhook's JSON; `text`
    is what chat programs show.
    """

    id: str
    type: str
    headline: str
    lines: Sequence[str]
    text: str
    data: Mapping[str, Any]

    @property
    def payload(self) -> dict[str, Any]:
        """The webhook's JSON."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        return {"type": self.type, "timestamp": now, "text": self.text, "data": dict(self.data)}


def tell(settings: Settings, channel: str, news: News) -> Outcome:
    """Tell it in one of `CHANNELS`."""
    if channel == STAFF_WEBHOOK:
        return post_webhook(settings, news.payload, message_id=news.id)
    try:
        with connect_mail(settings) as server:
            return send_mail(server, staff_mail(settings, news.id, news.headline, news.lines))
    except MailServerUnavailable as error:
        return Retryable(str(error))
