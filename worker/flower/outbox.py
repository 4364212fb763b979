"""The pages of the outbox: what waits for whom and why, the gates, the flow, one row's timeline, what was changed.

They show ids, references and codes; no personal data. What can be changed is in `worker.flower.changes`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from sqlalchemy import Engine
from tornado.routing import URLSpec
from tornado.web import HTTPError, authenticated

from leads.destinations import CRM
from leads.outbox.find import find_rows, read_timeline
from leads.outbox.flow import Flow, Times, read_flow, read_times
from leads.outbox.operate import list_changes
from leads.outbox.selection import PILES, WAITING, Selection, count_rows, list_rows
from leads.overview import Overview, read_overview
from leads.verdict import anchor, find_troubles
from worker.broker import broker_error
from worker.flower.changes import Ask, Do
from worker.flower.chart import SPANS, chart
from worker.flower.handler import FILTERS, OutboxHandler, selection_of

PAGE_ROWS = 100
MAX_CHANGES = 200
MAX_WORD = 100  # the longest e-mail address
RUNBOOK = Path(__file__).parents[2] / "docs/runbook.md"


@dataclass(frozen=True, slots=True)
class View:
    """Everything that the page shows. matching: how many rows fit; `rows` are those of one page of them."""

    overview: Overview
    codes: list[dict[str, Any]]
    flow: list[Flow]
    times: Times
    matching: int
    rows: list[dict[str, Any]]
    last_change: dict[str, Any] | None


def read_view(engine: Engine, redis_url: str, chosen: dict[str, str], page: int) -> View:
    """Read everything that the page shows with these filters."""
    selection, span = selection_of(chosen), SPANS[chosen["over"]]
    destination = selection.destination or CRM
    overview = read_overview(engine, broker_error(redis_url))
    everything = count_rows(engine, Selection(states=tuple(PILES), destination=selection.destination))
    return View(
        overview=overview,
        codes=[part for part in everything if part["code"]],
        flow=read_flow(
            engine,
            steps=span.steps,
            step_seconds=span.step_seconds,
            waiting=overview.count(*WAITING, destination=destination),
            destination=destination,
        ),
        times=read_times(engine, span.steps * span.step_seconds, destination),
        matching=_count(engine, selection, everything),
        rows=list_rows(engine, selection, limit=PAGE_ROWS, offset=(page - 1) * PAGE_ROWS, order=chosen["order"]),
        last_change=next(iter(list_changes(engine, limit=1)), None),
    )


def _count(engine: Engine, selection: Selection, everything: list[dict[str, Any]]) -> int:
    """How many rows fit; only what depends on more than state, kind and code is counted once more."""
    if selection.source or selection.since:
        everything = count_rows(engine, selection)
    fits = (
        part["rows"]
        for part in everything
        if part["status"] in selection.states
        and part["kind"] in selection.kinds
        and selection.code in (None, part["code"])
    )
    return sum(fits)


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
            filters={**FILTERS, "to": {"": "everybody", **{name: name for name in view.overview.gates}}},
            address=lambda **other: f"{self.reverse_url('outbox')}?{urlencode({**chosen, **other})}",
            picture=chart(view.flow, SPANS[chosen["over"]]),
            span=SPANS[chosen["over"]],
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
        owed = Selection(ids=[row["id"]], states=tuple(PILES))
        statuses = {CRM: row["zoho_status"], **(row["messages"] or {})}
        self.render(
            "outbox_row.html",
            row=row,
            owed=await self.ask(lambda: list_rows(self.engine, owed, limit=PAGE_ROWS)),
            sent=[name for name, status in statuses.items() if status == "sent"],
            timeline=await self.ask(lambda: read_timeline(self.engine, row["id"])),
        )


class ChangesPage(OutboxHandler):
    """GET /outbox/changes: who changed what, and why."""

    @authenticated
    async def get(self) -> None:
        """Render it."""
        self.render(
            "outbox_changes.html", changes=await self.ask(lambda: list_changes(self.engine, limit=MAX_CHANGES))
        )


class RunbookPage(OutboxHandler):
    """GET /outbox/runbook: the runbook, where the verdict's links lead."""

    @authenticated
    async def get(self) -> None:
        """Render it as it is written."""
        _, *sections = RUNBOOK.read_text(encoding="utf-8").split("\n## ")
        parts = [section.partition("\n") for section in sections]
        self.render("outbox_runbook.html", sections=[(anchor(name), name, body.strip()) for name, _, body in parts])


def routes(engine: Engine, redis_url: str, *, may_operate: bool) -> list[Any]:
    """The addresses of these pages, for Flower's list of handlers."""
    own = {"engine": engine, "redis_url": redis_url, "may_operate": may_operate}
    return [
        URLSpec(r"/", Home, own),
        *(
            URLSpec(f"/outbox/{name}", handler, own, name=f"outbox_{name}")
            for name, handler in {
                "runbook": RunbookPage,
                "find": Find,
                "changes": ChangesPage,
                "ask": Ask,
                "do": Do,
            }.items()
        ),
        URLSpec(r"/outbox", OutboxPage, own, name="outbox"),
        URLSpec(r"/outbox/([0-9a-fA-F-]{4,36})", RowPage, own, name="outbox_row"),
    ]
