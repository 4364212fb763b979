"""The page of the outbox: what waits for whom and why, the gates, the day's flow, one row's timeline.

It shows ids, references and codes; no personal data. Changes are possible only where a setting allows them, and
each is recorded with who and why.
"""

from __future__ import annotations

import asyncio
from base64 import b64decode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Any
from uuid import UUID

from flower.views import BaseHandler
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from tornado.routing import URLSpec
from tornado.web import HTTPError, RequestHandler, authenticated

from leads.destinations import CRM
from leads.durations import age, clock, due_at
from leads.ids import short_id
from leads.outbox.find import find_rows, read_timeline
from leads.outbox.flow import Flow, read_flow
from leads.outbox.gate import Gate, Reason, list_destinations, open_gate, shut_gate
from leads.outbox.rows import Kind
from leads.outbox.selection import (
    PILES,
    WAITING,
    Selection,
    count_rows,
    list_rows,
    redrive_steps,
    release_steps,
)
from leads.overview import Overview, read_overview
from leads.verdict import anchor, find_troubles
from worker.broker import broker_error
from worker.flower.chart import chart

MAX_ROWS = 200
# The server may be frozen; who opens the page is told before their patience ends.
ANSWER_SECONDS = 8.0
RUNBOOK = Path(__file__).parents[2] / "docs/runbook.md"
STEPS, STEP_SECONDS = 48, 1800.0  # a day, by half hours
SINCE = {"": "at any time", "1": "in the last hour", "24": "in the last day", "168": "in the last week"}
STATES = {"": "waiting", **{name: name for name in PILES}, "all": "all but sent"}


@dataclass(frozen=True, slots=True)
class View:
    """Everything that the page shows."""

    overview: Overview
    codes: list[dict[str, Any]]
    flow: list[Flow]
    rows: list[dict[str, Any]]


def read_view(engine: Engine, redis_url: str, selection: Selection) -> View:
    """Read everything that the page shows."""
    everything = Selection(states=tuple(PILES), destination=selection.destination)
    return View(
        overview=read_overview(engine, broker_error(redis_url)),
        codes=[part for part in count_rows(engine, everything) if part["code"]],
        flow=read_flow(engine, steps=STEPS, step_seconds=STEP_SECONDS, destination=selection.destination or CRM),
        rows=list_rows(engine, selection, limit=MAX_ROWS),
    )


class OutboxHandler(BaseHandler):
    """What the handlers share: the database off the event loop, and the operator's name."""

    def initialize(self, engine: Engine, redis_url: str, *, may_operate: bool) -> None:
        """Take what all handlers share."""
        self.engine, self.redis_url, self.may_operate = engine, redis_url, may_operate

    async def ask(self, work: Callable[[], Any], seconds: float | None = ANSWER_SECONDS) -> Any:
        """Run `work` in a thread; a database that does not answer is 503, in a sentence that says so.

        seconds: how long it may take; None: what changes something is not given up on its way.
        """
        runner = self.application.blocking_runner
        try:
            asked = runner.run(
                "outbox", "PostgreSQL", lambda: _again_if_lost(work), connection_errors=(SQLAlchemyError,)
            )
            return await asyncio.wait_for(asked, seconds)
        except (HTTPError, TimeoutError) as error:
            if isinstance(error, HTTPError) and error.status_code != HTTPStatus.SERVICE_UNAVAILABLE:
                raise
            words = "PostgreSQL does not answer: docs/runbook.md, PostgreSQL is gone or full"
            raise HTTPError(HTTPStatus.SERVICE_UNAVAILABLE, words) from error

    def operator(self) -> str:
        """The name in the login: Flower itself only says that there is one."""
        credentials = b64decode(self.request.headers["Authorization"].split()[1]).decode()
        return f"{credentials.partition(':')[0]} (Flower)"

    def choice(self, name: str, allowed: dict[str, str] | None = None) -> str:
        """A filter of the query; one that is not offered counts as none."""
        value = str(self.get_query_argument(name, "")).strip()[:80]
        return value if allowed is None or value in allowed else ""


class OutboxPage(OutboxHandler):
    """GET /outbox: the page; with ?part=yes only what changes."""

    @authenticated
    async def get(self) -> None:
        """Render it."""
        chosen = {name: self.choice(name, allowed) for name, allowed in _CHOICES.items()}
        view = await self.ask(lambda: read_view(self.engine, self.redis_url, _selection(chosen)))
        template = "outbox_part.html" if self.get_query_argument("part", "") else "outbox.html"
        self.render(
            template,
            view=view,
            chosen=chosen,
            choices={**_CHOICES, "to": {"": "everybody", **{name: name for name in view.overview.gates}}},
            picture=chart(view.flow),
            now=datetime.now(UTC),
            age=age,
            clock=clock,
            next_try=next_try,
            why=why,
            troubles=find_troubles(view.overview),
            short_id=short_id,
            may_operate=self.may_operate,
            max_rows=MAX_ROWS,
        )


class Home(OutboxHandler):
    """GET /: the outbox is what operators come for."""

    @authenticated
    async def get(self) -> None:
        """Lead there."""
        self.redirect(self.reverse_url("outbox"))


class RowPage(OutboxHandler):
    """GET /outbox/ID: one row's state and timeline."""

    @authenticated
    async def get(self, row_id: str) -> None:
        """Render it."""
        rows = await self.ask(lambda: find_rows(self.engine, row_id))
        if len(rows) != 1:
            raise HTTPError(404, "No row has that id.")
        timeline = await self.ask(lambda: read_timeline(self.engine, rows[0]["id"]))
        self.render(
            "outbox_row.html",
            row=rows[0],
            timeline=timeline,
            may_operate=self.may_operate,
            clock=clock,
            short_id=short_id,
        )


class RunbookPage(OutboxHandler):
    """GET /outbox/runbook: the runbook, where the verdict's links lead."""

    @authenticated
    async def get(self) -> None:
        """Render it as it is written."""
        _, *sections = RUNBOOK.read_text(encoding="utf-8").split("\n## ")
        parts = [section.partition("\n") for section in sections]
        self.render("outbox_runbook.html", sections=[(anchor(name), name, body.strip()) for name, _, body in parts])


class Operate(OutboxHandler):
    """POST /outbox/do: redrive, release, pause or resume, with the reason; then back to the page."""

    def check_xsrf_cookie(self) -> None:
        """Demand the token too: Flower itself is content with the browser's word about the origin."""
        super().check_xsrf_cookie()
        RequestHandler.check_xsrf_cookie(self)

    @authenticated
    async def post(self) -> None:
        """Do it, if the setting allows it."""
        if not self.may_operate:
            raise HTTPError(403, "FLOWER_MAY_OPERATE is not set: this page only shows.")
        action, why = self.get_body_argument("action"), self.get_body_argument("why", "").strip()[:200]
        if not why:
            raise HTTPError(400, "Say why: it is recorded beside your name.")
        ids = [_uuid(text) for text in self.get_body_arguments("id")]
        by, destination = self.operator(), self.get_body_argument("destination", "") or None
        if destination is not None and destination not in await self.ask(lambda: list_destinations(self.engine)):
            raise HTTPError(400, "There is no such destination.")
        redriven, gate = Selection(ids=ids, destination=destination), destination or CRM
        works = {
            "redrive": lambda: sum(redrive_steps(self.engine, redriven, by=f"{by}: {why}")),
            "release": lambda: sum(release_steps(self.engine, Selection(ids=ids), by=f"{by}: {why}")),
            "pause": lambda: shut_gate(self.engine, Reason.PAUSED, why, by=by, destination=gate),
            "resume": lambda: open_gate(self.engine, by=by, destination=gate),
        }
        if action not in works or (action in {"redrive", "release"} and not ids):
            raise HTTPError(400, "Nothing was chosen.")
        await self.ask(works[action], seconds=None)
        self.redirect(self.reverse_url("outbox"))


def routes(engine: Engine, redis_url: str, *, may_operate: bool) -> list[Any]:
    """The addresses of these pages, for Flower's list of handlers."""
    own = {"engine": engine, "redis_url": redis_url, "may_operate": may_operate}
    return [
        URLSpec(r"/", Home, own),
        URLSpec(r"/outbox/runbook", RunbookPage, own, name="outbox_runbook"),
        URLSpec(r"/outbox", OutboxPage, own, name="outbox"),
        URLSpec(r"/outbox/do", Operate, own, name="outbox_do"),
        URLSpec(r"/outbox/([0-9a-fA-F-]{4,36})", RowPage, own, name="outbox_row"),
    ]


_KINDS = {"": "leads and clicks", **{kind.value: f"{kind.value}s" for kind in Kind}}
_CHOICES: dict[str, dict[str, str] | None] = {
    "to": None, "state": STATES, "kind": _KINDS, "code": None, "source": None, "since": SINCE,
}  # fmt: skip


def _selection(chosen: dict[str, str]) -> Selection:
    states = {"": WAITING, "all": tuple(PILES)}.get(chosen["state"], (chosen["state"],))
    return Selection(
        states=states,
        destination=chosen["to"] or None,
        kinds=(Kind(chosen["kind"]),) if chosen["kind"] else tuple(Kind),
        code=chosen["code"] or None,
        source=chosen["source"] or None,
        since=datetime.now(UTC) - timedelta(hours=int(chosen["since"])) if chosen["since"] else None,
    )


def _again_if_lost(work: Callable[[], Any]) -> Any:
    """Run `work`; again if the pooled connection was lost, as all are after a restart of the database."""
    try:
        return work()
    except DBAPIError as error:
        if not error.connection_invalidated:
            raise
        return work()


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise HTTPError(400, "That is not an id.") from None


def why(row: Mapping[str, Any], gate: Gate | None) -> str:
    """Why a row waits: how its last try ended, or else what stands before its first one."""
    if row["code"] or row["status"] not in WAITING:
        return row["code"] or "-"
    if row["status"] == "sending":
        return "in a call"
    if gate is not None and not gate.is_open:
        return f"calls are stopped: {gate.reason}"
    return "its turn comes" if row["next_try"] <= datetime.now(UTC) else "not due yet"


def next_try(row: Mapping[str, Any], gate: Gate | None) -> str:
    """When a row is tried next: never before the probe of a shut gate."""
    at = row["next_try"]
    if at is None or gate is None or gate.is_open:
        return due_at(at)
    return "after resume" if gate.until_at is None else clock(max(at, gate.until_at))
