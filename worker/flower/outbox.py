"""The pages of the outbox: what waits for whom and why, the pauses, one row's timeline.

They show ids, references and codes; no personal data. What can be changed is in `worker.flower.changes`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from sqlalchemy import Engine
from tornado.routing import URLSpec
from tornado.web import HTTPError, authenticated

from leads.destinations import CRM
from leads.outbox.find import find_rows, read_timeline
from leads.outbox.selection import STATES, Selection, count_rows, list_rows
from leads.overview import Overview, read_overview
from leads.verdict import find_troubles
from worker.broker import broker_error
from worker.flower.changes import Ask, Do
from worker.flower.handler import FILTERS, OutboxHandler, selection_of

PAGE_ROWS = 100
MAX_WORD = 100  # the longest e-mail address


@dataclass(frozen=True, slots=True)
class View:
    """Everything that the page shows. matching: how many rows fit; `rows` are those of one page of them."""

    overview: Overview
    codes: list[dict[str, Any]]
    matching: int
    rows: list[dict[str, Any]]


def read_view(engine: Engine, redis_url: str, chosen: dict[str, str], page: int) -> View:
    """Read everything that the page shows with these filters."""
    selection = selection_of(chosen)
    overview = read_overview(engine, broker_error(redis_url))
    everything = count_rows(engine, Selection(states=STATES, destination=selection.destination))
    return View(
        overview=overview,
        codes=[part for part in everything if part["code"]],
        matching=sum(part["rows"] for part in count_rows(engine, selection)),
        rows=list_rows(engine, selection, limit=PAGE_ROWS, offset=(page - 1) * PAGE_ROWS, order=chosen["order"]),
    )


class OutboxPage(OutboxHandler):
    """GET /outbox: the page; with ?part=yes only what changes."""

    @authenticated
    async def get(self) -> None:
        """Render it."""
        chosen, asked = self.filters(), self.get_query_argument("page", "")
        page = int(asked) if re.fullmatch("[1-9][0-9]{0,4}", asked) else 1
        view = await self.ask(lambda: read_view(self.engine, self.redis_url, chosen, page))
        template = "outbox_part.html" if self.get_query_argument("part", "") else "outbox.html"
        self.render(
            template,
            view=view,
            chosen=chosen,
            filters={**FILTERS, "to": {"": "everybody", **{name: name for name in view.overview.destinations}}},
            address=lambda **other: f"{self.reverse_url('outbox')}?{urlencode({**chosen, **other})}",
            troubles=find_troubles(view.overview),
            page=page,
            pages=max(1, -(-view.matching // PAGE_ROWS)),
        )


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
        rows = await self.ask(lambda: find_rows(self.engine, row_id))
        if len(rows) != 1:
            raise HTTPError(HTTPStatus.NOT_FOUND, "No row has that id.")
        (row,) = rows
        owed = Selection(ids=[row["id"]], states=STATES)
        statuses = {CRM: row["zoho_status"], **(row["messages"] or {})}
        self.render(
            "outbox_row.html",
            row=row,
            owed=await self.ask(lambda: list_rows(self.engine, owed, limit=PAGE_ROWS)),
            sent=[name for name, status in statuses.items() if status == "sent"],
            timeline=await self.ask(lambda: read_timeline(self.engine, row["id"])),
        )


def routes(engine: Engine, redis_url: str) -> list[Any]:
    """The addresses of these pages, for Flower's list of handlers."""
    own = {"engine": engine, "redis_url": redis_url}
    return [
        URLSpec(r"/", Home, own),
        *(
            URLSpec(f"/outbox/{name}", handler, own, name=f"outbox_{name}")
            for name, handler in {"find": Find, "ask": Ask, "do": Do}.items()
        ),
        URLSpec(r"/outbox", OutboxPage, own, name="outbox"),
        URLSpec(r"/outbox/([0-9a-fA-F-]{4,36})", RowPage, own, name="outbox_row"),
    ]
