"""What operators may change on the outbox's pages: asked for once, with the number of rows; done with a reason."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus
from urllib.parse import urlencode
from uuid import UUID

from tornado.web import HTTPError, authenticated

from leads.outbox import operate
from leads.outbox.operate import Change
from leads.outbox.pause import read_destinations
from leads.outbox.selection import STATES, Selection, count_rows
from worker.flower.handler import OutboxHandler, selection_of

MAX_WHY = 200
_BUTTONS = {Change.REDRIVEN: "Send again", Change.RELEASED: "Release", Change.DELETED: "Delete"}


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
        name, _, destination = self.get_body_argument("action", "").partition(" ")
        if name in {"pause", "resume"}:
            if destination not in await self.ask(lambda: read_destinations(self.engine)):
                raise HTTPError(HTTPStatus.BAD_REQUEST, "There is no such destination.")
            change = operate.pause if name == "pause" else operate.resume
            do = partial(change, self.engine, destination=destination)
            return Wish(f"{name.capitalize()} calls to {destination}", do)
        if name not in {*Change}:
            raise HTTPError(HTTPStatus.BAD_REQUEST, "Nothing was chosen.")
        return self._rows_wish(Change(name), asked)

    def _rows_wish(self, change: Change, asked: datetime) -> Wish:
        means_all = self.get_body_argument("which", "") == "all"
        # Who says yes has not seen what came after the question.
        selections = [replace(one, until=asked) for one in (self._all(change) if means_all else self._chosen())]

        def do(*, by: str, why: str) -> None:
            for one in selections:
                sum(change.make(self.engine, one, by=by, why=why))

        return Wish(_BUTTONS[change], do, change, [change.concerned(one) for one in selections])

    def _all(self, change: Change) -> list[Selection]:
        selection = selection_of(self.filters())
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
