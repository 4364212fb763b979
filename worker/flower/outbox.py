"""The pages of the outbox: what waits for whom and why, the pauses, one row's timeline.

They show ids, references and codes; no personal data. What can be changed is in `worker.flower.changes`.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from sqlalchemy import Engine
from tornado.routing import URLSpec
from tornado.web import HTTPError, authenticated

from leads.destinations import CRM
from leads.outbox.find import find_rows, read_timeline
from leads.outbox.selection import STATES, Selection, count_rows, list_rows
from leads.overview import read_overview
from leads.verdict import find_troubles
from worker.broker import broker_error
from worker.flower.changes import Ask, Do
from worker.flower.handler import FILTERS, OutboxHandler, selection_of

PAGE_ROWS = 100
MAX_WORD = 100  # the longest e-mail address


class OutboxPage(OutboxHandler):
    """GET /outbox: the page, whose script refreshes what changes."""

    @authenticated
    async def get(self) -> None:
        """Render it."""
        chosen, asked = self.filters(), self.get_query_argument("page", "")
        page = int(asked) if re.fullmatch("[1-9][0-9]{0,4}", asked) else 1
        found = await self.ask(lambda: self._read(chosen, page))
        self.render(
            "outbox.html",
            **found,
            chosen=chosen,
            filters={**FILTERS, "to": {"": "everybody", **{name: name for name in found["overview"].destinations}}},
            address=lambda **other: f"{self.reverse_url('outbox')}?{urlencode({**chosen, **other})}",
            troubles=find_troubles(found["overview"]),
            page=page,
            pages=max(1, -(-found["matching"] // PAGE_ROWS)),
        )

    def _read(self, chosen: dict[str, str], page: int) -> dict[str, Any]:
        """Read what the page shows with these filters: the rows are one page of the `matching` ones."""
        selection = selection_of(chosen)
        everything = count_rows(self.engine, Selection(states=STATES, destination=selection.destination))
        offset = (page - 1) * PAGE_ROWS
        return {
            "overview": read_overview(self.engine, broker_error(self.redis_url)),
            "codes": [part for part in everything if part["code"]],
            "matching": sum(part["rows"] for part in count_rows(self.engine, selection)),
            "rows": list_rows(self.engine, selection, limit=PAGE_ROWS, offset=offset, order=chosen["order"]),
        }


class Home(OutboxHandler):
    """GET /: the outbox is what operators come for."""

    @authenticated
    async def get(self) -> None:
        """Lead there."""
        self.redirect(self.reverse_url("outbox"))


class Find(OutboxHandler):
    """POST /outbox/find: the rows of a word, which may be personal and so stands in no address."""

    @authenticated
    async def post(self) -> None:
        """Lead to the row; of several, list them."""
        rows = await self.ask(lambda: find_rows(self.engine, self.get_body_argument("word", "")[:MAX_WORD]))
        if len(rows) == 1:
            self.redirect(self.reverse_url("outbox_row", str(rows[0]["id"])))
        else:
            self.render("outbox_found.html", rows=rows)


class RowPage(OutboxHandler):
    """GET /outbox/ID: what is owed for one row, and its timeline."""

    @authenticated
    async def get(self, row_id: str) -> None:
        """Render it."""
        found = await self.ask(lambda: self._read(row_id))
        if found is None:
            raise HTTPError(HTTPStatus.NOT_FOUND, "No row has that id.")
        self.render("outbox_row.html", **found)

    def _read(self, row_id: str) -> dict[str, Any] | None:
        rows = find_rows(self.engine, row_id)
        if len(rows) != 1:
            return None
        (row,) = rows
        statuses = {CRM: row["zoho_status"], **(row["messages"] or {})}
        return {
            "row": row,
            "owed": list_rows(self.engine, Selection(ids=[row["id"]], states=STATES), limit=PAGE_ROWS),
            "sent": [name for name, status in statuses.items() if status == "sent"],
            "timeline": read_timeline(self.engine, row["id"]),
        }


def routes(engine: Engine, redis_url: str) -> list[Any]:
    """The addresses of these pages, for Flower's list of handlers."""
    own = {"engine": engine, "redis_url": redis_url}
    return [
        URLSpec(r"/", Home, own),
        URLSpec(r"/outbox", OutboxPage, own, name="outbox"),
        URLSpec(r"/outbox/find", Find, own, name="outbox_find"),
        URLSpec(r"/outbox/ask", Ask, own, name="outbox_ask"),
        URLSpec(r"/outbox/do", Do, own, name="outbox_do"),
        URLSpec(r"/outbox/([0-9a-fA-F-]{4,36})", RowPage, own, name="outbox_row"),
    ]
