"""The pages of the outbox: what waits for whom and why, the pauses, one row's timeline, and what can be changed.

They show ids, references and codes; no personal data. A change is asked for once, with the number of rows, and done
with a reason.
"""

import asyncio
import re
from base64 import b64decode
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from html import escape
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode
from uuid import UUID

from flower.views import BaseHandler
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from tornado.routing import URLSpec
from tornado.web import HTTPError, RedirectHandler, RequestHandler, authenticated

from leads.advice import advice_here
from leads.broker import broker_error
from leads.crm_state import read_field_check, read_runs
from leads.destinations import CRM
from leads.durations import CITY, age, clock, due_at
from leads.ids import short_id
from leads.outbox import operate
from leads.outbox.find import find_rows, read_timeline
from leads.outbox.operate import Change
from leads.outbox.pause import read_destinations
from leads.outbox.selection import ORDERS, STATES, WAITING, Selection, count_rows, list_rows
from leads.overview import read_overview, without_database
from leads.settings import Settings
from leads.verdict import find_troubles

PAGE_ROWS = 100
REFRESH_SECONDS = 5
MAX_WORD = 100  # the longest e-mail address
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
MAX_WHY = 200
NOT_FOUND = "No row has that id, reference, record, code, e-mail address or phone number (+44 …)."
_BUTTONS = {Change.REDRIVEN: "Send again", Change.RELEASED: "Release", Change.DELETED: "Delete"}


class OutboxHandler(BaseHandler):
    """A page of the outbox."""

    def initialize(self, engine: Engine, data_dir: Path, redis_error: Callable[[], str | None]) -> None:
        """Take what all handlers share."""
        self.engine, self.data_dir, self.redis_error = engine, data_dir, redis_error

    def check_xsrf_cookie(self) -> None:
        """Demand the token too: Flower itself is content with the browser's word about the origin."""
        super().check_xsrf_cookie()
        RequestHandler.check_xsrf_cookie(self)

    def get_template_namespace(self) -> dict[str, Any]:
        """Give every page what it formats with."""
        ours = {"age": age, "moment": moment, "short_id": short_id, "city": CITY, "table": table}
        ours |= {"advice": advice_html, "urlencode": urlencode}
        return {**super().get_template_namespace(), **ours}

    async def ask(self, work: Callable[[], Any], seconds: float | None = ANSWER_SECONDS) -> Any:
        """Run `work` in a thread; a database that does not answer is 503.

        seconds: how long it may take; None: what changes something is not given up on its way.
        """
        try:
            return await asyncio.wait_for(asyncio.to_thread(work), seconds)
        except (SQLAlchemyError, TimeoutError) as error:
            raise HTTPError(HTTPStatus.SERVICE_UNAVAILABLE) from error

    def write_error(self, status_code: int, **how: Any) -> None:
        """Where PostgreSQL does not answer, show the verdict in the page's frame, until it does."""
        if status_code != HTTPStatus.SERVICE_UNAVAILABLE:
            super().write_error(status_code, **how)
            return
        overview = without_database(how["exc_info"][1].__cause__, self.data_dir, self.redis_error())
        again = self.request.uri if self.request.method == "GET" else self.reverse_url("outbox")
        self.set_header("Refresh", f"{REFRESH_SECONDS}; url={again}")
        self.render("outbox_gone.html", overview=overview, troubles=find_troubles(overview))

    def operator(self) -> str:
        """The name in the login: Flower itself only says that there is one."""
        credentials = b64decode(self.request.headers["Authorization"].split()[1]).decode()
        return f"{credentials.partition(':')[0]} (Flower)"

    def filters(self) -> dict[str, str]:
        """The filters of the address, or of the form."""
        return filters_of({name: str(self.get_argument(name, "")) for name in FILTERS})


def filters_of(chosen: Mapping[str, str]) -> dict[str, str]:
    """Complete filters; one that is not offered counts as none."""
    found = {}
    for name, offered in FILTERS.items():
        value = chosen.get(name, "").strip()[:MAX_LENGTH]
        found[name] = next(iter(offered)) if offered is not None and value not in offered else value
    return found


def selection_of(chosen: dict[str, str]) -> Selection:
    """The rows that the filters mean."""
    return Selection(
        states={"": WAITING, "all": STATES}.get(chosen["state"], (chosen["state"],)),
        destination=chosen["to"] or None,
        code=chosen["code"] or None,
        since=datetime.now(UTC) - timedelta(hours=int(chosen["since"])) if chosen["since"] else None,
    )


def moment(at: datetime | str | None) -> str:
    """A time on the clinic's clock; words stay words."""
    return clock(at) if isinstance(at, datetime) else at or "-"


def table(heads: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """HTML of a table; a cell is a value, or a link's address and words. On a phone each value names its head."""
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "".join(f"<tr>{_cells(heads or [''] * len(line), line)}</tr>" for line in lines)
    inner = f'<table class="table table-hover mb-0"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    return f'<figure class="table-responsive mb-0{" outbox-lines" * bool(heads)}">{inner}</figure>'


def _cells(heads: Sequence[str], line: Sequence[object]) -> str:
    pairs = zip(heads, line, strict=True)
    return "".join(f'<td data-head="{escape(head)}">{_cell(value)}</td>' for head, value in pairs)


def _cell(value: object) -> str:
    if isinstance(value, tuple):
        address, words = value
        return f'<a href="{escape(address)}">{escape(words)}</a>'
    return escape(clock(value) if isinstance(value, datetime) else "-" if value is None else str(value))


def advice_html(name: str) -> str:
    """HTML of what to do about a trouble, with what is typed in this installation."""
    marked = advice_here(name, "\0{}\1".format)
    return escape(marked).replace("\0", "<code>").replace("\1", "</code>")


class OutboxPage(OutboxHandler):
    """GET /outbox: the page, whose script refreshes what changes."""

    @authenticated
    async def get(self) -> None:
        """Render it."""
        asked = self.get_query_argument("page", "")
        page = int(asked) if re.fullmatch("[1-9][0-9]{0,4}", asked) else 1
        chosen = self.filters() if FILTERS.keys() & self.request.query_arguments.keys() else None
        found = await self.ask(lambda: self._read(chosen, page))
        self.render(
            "outbox.html",
            **found,
            filters={**FILTERS, "to": {"": "everybody", **{name: name for name in found["overview"].destinations}}},
            address=lambda **other: f"{self.reverse_url('outbox')}?{urlencode({**found['chosen'], **other})}",
            page=page,
            pages=max(1, -(-found["matching"] // PAGE_ROWS)),
        )

    def _read(self, chosen: dict[str, str] | None, page: int) -> dict[str, Any]:
        """Read what the page shows with these filters: the rows are one page of the `matching` ones.

        Without filters they are the rows that the verdict speaks of, if it speaks of any.
        """
        overview = read_overview(self.engine, self.data_dir, self.redis_error())
        troubles = find_troubles(overview)
        spoken_of = next((each.rows for each in troubles if each.rows), None)
        is_filtered, chosen = chosen is not None, chosen or filters_of(spoken_of or {})
        selection = selection_of(chosen)
        everything = count_rows(self.engine, Selection(states=STATES, destination=selection.destination))
        offset = (page - 1) * PAGE_ROWS
        return {
            "overview": overview,
            "troubles": troubles,
            "chosen": chosen,
            "is_of_verdict": not is_filtered and spoken_of is not None,
            "codes": [part for part in everything if part["code"]],
            "matching": sum(part["rows"] for part in count_rows(self.engine, selection)),
            "rows": list_rows(self.engine, selection, limit=PAGE_ROWS, offset=offset, order=chosen["order"]),
        }


class Find(OutboxHandler):
    """POST /outbox/find: the rows of a word, which may be personal and so stands in no address."""

    @authenticated
    async def post(self) -> None:
        """Lead to the row; of several, list them."""
        rows = await self.ask(lambda: find_rows(self.engine, self.get_body_argument("word", "")[:MAX_WORD]))
        if len(rows) == 1:
            self.redirect(self.reverse_url("outbox_row", str(rows[0]["id"])))
            return
        title = f"{len(rows)} rows, the newest first" if rows else NOT_FOUND
        url, names = partial(self.reverse_url, "outbox_row"), ("kind", "reference", "zoho_status", "created_at")
        lines = [[(url(str(row["id"])), short_id(row["id"])), *(row[name] for name in names)] for row in rows]
        heads = ("Row", "Kind", "Reference", "In the CRM", "Stored")
        self.render("outbox_table.html", title=title, description="", heads=heads, lines=lines)


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


class PeriodicPage(OutboxHandler):
    """GET /outbox/periodic: the periodic jobs, each with its last run and its next one."""

    @authenticated
    async def get(self) -> None:
        """Render it."""
        lines, heads = await self.ask(lambda: [*self._read()]), ("What", "Last run", "Result", "Next run")
        self.render(
            "outbox_table.html", title="Periodic work", description=f"Times: {CITY}.", heads=heads, lines=lines
        )

    def _read(self) -> Iterator[tuple[object, ...]]:
        runs, checked = read_runs(self.engine), read_field_check(self.engine)
        for words, job in self.capp.conf.beat_schedule.items():
            ran_at, result = runs.get(job["task"], (None, "never"))
            next_at = ran_at and ran_at + timedelta(seconds=job["schedule"])
            if job["task"] != "enqueue_due":
                yield words, ran_at, result, due_at(checked.next_at if job["task"] == "check_crm" else next_at)
        yield "compare with the CRM (reconcile)", *runs.get("reconcile", (None, "never")), "nightly, or by hand"


@dataclass(frozen=True, slots=True)
class Wish:
    """What was asked for."""

    words: str
    do: Callable[..., object]  # takes by and why
    change: Change | None = None
    selections: Sequence[Selection] = ()  # the rows of a change


class _Changing(OutboxHandler):
    """Reads what is wished from the form, which is the same for both pages."""

    async def wish(self, asked: datetime) -> Wish:
        """Return what was asked for then; HTTPError when it makes no sense."""
        name, _, of_what = self.get_body_argument("action", "").partition(" ")
        if name in {"pause", "resume"}:
            if of_what not in await self.ask(lambda: read_destinations(self.engine)):
                raise HTTPError(HTTPStatus.BAD_REQUEST, "There is no such destination.")
            change = operate.pause if name == "pause" else operate.resume
            do = partial(change, self.engine, destination=of_what)
            return Wish(f"{name.capitalize()} calls to {of_what}", do)
        if name not in {*Change}:
            raise HTTPError(HTTPStatus.BAD_REQUEST, "Nothing was chosen.")
        return self._rows_wish(Change(name), asked, dict(parse_qsl(of_what)))

    def _rows_wish(self, change: Change, asked: datetime, rows: Mapping[str, str]) -> Wish:
        """The wish for these rows, by filter; without one for all that match the form's filters, or are ticked."""
        means_all = bool(rows) or self.get_body_argument("which", "") == "all"
        found = self._all(change, filters_of(rows) if rows else self.filters()) if means_all else self._chosen()
        # Who says yes has not seen what came after the question.
        selections = [replace(one, until=asked) for one in found]

        def do(*, by: str, why: str) -> None:
            for one in selections:
                sum(change.make(self.engine, one, by=by, why=why))

        return Wish(_BUTTONS[change], do, change, [change.concerned(one) for one in selections])

    def _all(self, change: Change, filters: dict[str, str]) -> list[Selection]:
        selection = selection_of(filters)
        return [selection] if set(change.states) & set(selection.states) else []

    def _chosen(self) -> list[Selection]:
        rows = defaultdict[str, list[UUID]](list)
        for chosen in self.get_body_arguments("row"):
            destination, _, row_id = chosen.partition("/")
            rows[destination].append(_uuid(row_id))
        return [Selection(states=STATES, ids=ids, destination=name) for name, ids in rows.items()]


class Ask(_Changing):
    """POST /outbox/ask: says what a change would do, and asks why."""

    @authenticated
    async def post(self) -> None:
        """Render the question."""
        asked = datetime.now(UTC)
        wish = await self.wish(asked)
        counts = await self.ask(lambda: [part for one in wish.selections for part in count_rows(self.engine, one)])
        names = sorted(set(self.request.body_arguments) - {"_xsrf"})
        self.render(
            "outbox_ask.html",
            wish=wish,
            counts=counts,
            rows=sum(part["rows"] for part in counts),
            asked=asked.isoformat(),
            fields=[(name, value) for name in names for value in self.get_body_arguments(name)],
        )


class Do(_Changing):
    """POST /outbox/do: does it, with the reason; then back to the page."""

    @authenticated
    async def post(self) -> None:
        """Do it."""
        why = self.get_body_argument("why", "").strip()[:MAX_WHY]
        if not why:
            raise HTTPError(HTTPStatus.BAD_REQUEST, "Say why: it is recorded beside your name.")
        wish, by = await self.wish(_time(self.get_body_argument("asked", ""))), self.operator()
        await self.ask(lambda: wish.do(by=by, why=why), seconds=None)
        chosen = {name: value for name, value in self.filters().items() if value}
        self.redirect(f"{self.reverse_url('outbox')}?{urlencode(chosen)}")


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise HTTPError(HTTPStatus.BAD_REQUEST, "That is not an id.") from None


def _time(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):  # the first day of all times has none before it in another zone
        raise HTTPError(HTTPStatus.BAD_REQUEST, "That is not a time.") from None


def routes(engine: Engine, settings: Settings) -> list[Any]:
    """The addresses of these pages, for Flower's list of handlers."""
    redis_error = partial(broker_error, settings.redis_url)
    own = {"engine": engine, "data_dir": settings.data_dir, "redis_error": redis_error}
    return [
        URLSpec(r"/", RedirectHandler, {"url": "/outbox", "permanent": False}),  # what operators come for
        URLSpec(r"/outbox", OutboxPage, own, name="outbox"),
        URLSpec(r"/outbox/find", Find, own, name="outbox_find"),
        URLSpec(r"/outbox/ask", Ask, own, name="outbox_ask"),
        URLSpec(r"/outbox/do", Do, own, name="outbox_do"),
        URLSpec(r"/outbox/periodic", PeriodicPage, own, name="outbox_periodic"),
        URLSpec(r"/outbox/([0-9a-fA-F-]{4,36})", RowPage, own, name="outbox_row"),
    ]
