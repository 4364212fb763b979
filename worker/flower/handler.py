"""What the outbox's pages share: the database off the event loop, the filters, times, the operator's name."""

from __future__ import annotations

import asyncio
from base64 import b64decode
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from html import escape
from http import HTTPStatus
from typing import Any

from flower.views import BaseHandler
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from tornado.web import HTTPError, RequestHandler

from leads.advice import ADVICE
from leads.durations import age, clock
from leads.ids import short_id
from leads.outbox.selection import ORDERS, STATES, WAITING, Selection

# The server may be frozen; who opens the page is told before their patience ends.
ANSWER_SECONDS = 8.0
MAX_LENGTH = 80  # of a filter
_SINCE = {"": "at any time", "1": "in the last hour", "24": "in the last day", "168": "in the last week"}
_ORDERS = dict(zip(ORDERS, ("longest waiting", "newest", "most tries", "next try"), strict=True))
# The filters with what they offer, by value; None: any text.
FILTERS: dict[str, dict[str, str] | None] = {
    "to": None,
    "state": {"": "waiting", **{name: name for name in STATES}, "all": "all but sent"},
    "code": None,
    "since": _SINCE,
    "order": _ORDERS,
}


class OutboxHandler(BaseHandler):
    """A page of the outbox."""

    def initialize(self, engine: Engine, redis_url: str) -> None:
        """Take what all handlers share."""
        self.engine, self.redis_url = engine, redis_url

    def check_xsrf_cookie(self) -> None:
        """Demand the token too: Flower itself is content with the browser's word about the origin."""
        super().check_xsrf_cookie()
        RequestHandler.check_xsrf_cookie(self)

    def get_template_namespace(self) -> dict[str, Any]:
        """Give every page what it formats with."""
        ours = {"age": age, "moment": moment, "short_id": short_id}
        return {**super().get_template_namespace(), **ours}

    async def ask(self, work: Callable[[], Any], seconds: float | None = ANSWER_SECONDS) -> Any:
        """Run `work` in a thread; a database that does not answer is 503, in a sentence that says so.

        seconds: how long it may take; None: what changes something is not given up on its way.
        """
        try:
            return await asyncio.wait_for(asyncio.to_thread(work), seconds)
        except (SQLAlchemyError, TimeoutError) as error:
            words = f"PostgreSQL does not answer. {' '.join(ADVICE['storage'].splitlines())}"
            raise HTTPError(HTTPStatus.SERVICE_UNAVAILABLE, words) from error

    def operator(self) -> str:
        """The name in the login: Flower itself only says that there is one."""
        credentials = b64decode(self.request.headers["Authorization"].split()[1]).decode()
        return f"{credentials.partition(':')[0]} (Flower)"

    def filters(self) -> dict[str, str]:
        """The filters of the address, or of the form; one that is not offered counts as none."""
        chosen = {name: str(self.get_argument(name, "")).strip()[:MAX_LENGTH] for name in FILTERS}
        return {
            name: next(iter(offered)) if offered is not None and value not in offered else value
            for (name, value), offered in zip(chosen.items(), FILTERS.values(), strict=True)
        }


def selection_of(chosen: dict[str, str]) -> Selection:
    """The rows that the filters mean."""
    return Selection(
        states={"": WAITING, "all": STATES}.get(chosen["state"], (chosen["state"],)),
        destination=chosen["to"] or None,
        code=chosen["code"] or None,
        since=datetime.now(UTC) - timedelta(hours=int(chosen["since"])) if chosen["since"] else None,
    )


def moment(at: datetime | str | None) -> str:
    """HTML of a time, which the page's script shows in the viewer's zone; words stay words."""
    if not isinstance(at, datetime):
        return escape(at or "-")
    return f'<time datetime="{at.astimezone(UTC).isoformat()}">{clock(at)}</time>'
