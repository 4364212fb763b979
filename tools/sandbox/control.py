"""The sandbox's own endpoints under /_sandbox: what happened, and which faults are on."""

import ipaddress
import json
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from tornado.web import HTTPError

from tools.sandbox import reports, staff
from tools.sandbox.faults import CATALOG
from tools.sandbox.limits import LIMITS
from tools.sandbox.mail import mails
from tools.sandbox.replies import Reply, error
from tools.sandbox.wire import WireHandler

PAGE: Final = Path(__file__).parent / "page"
DEFAULT_LIMIT: Final = 100


class ControlHandler(WireHandler):
    """What the handlers below share: their guard, and reading the query."""

    def prepare(self) -> None:
        """Refuse calls that a page elsewhere makes in a developer's browser.

        Another Host: a name that was pointed to this machine (DNS rebinding). Another Origin: another site.
        """
        if not _is_this_machine(self.request.host_name):
            raise HTTPError(HTTPStatus.MISDIRECTED_REQUEST)
        origin = self.request.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc != self.request.host:
            raise HTTPError(HTTPStatus.FORBIDDEN)

    def page_of(self) -> tuple[dict[str, str], int, int]:
        """Return the filters, limit and offset of the query."""
        query = {name: values[-1].decode() for name, values in self.request.query_arguments.items()}
        limit, offset = query.pop("limit", ""), query.pop("offset", "")
        return query, int(limit) if limit.isdigit() else DEFAULT_LIMIT, int(offset) if offset.isdigit() else 0


class ReadHandler(ControlHandler):
    """GET /_sandbox/…: whether it answers, and what happened."""

    def get(self, what: str) -> None:
        """Return a page, or the totals."""
        sandbox, page = self.sandbox, self.page_of()
        match what:
            case "health":
                body: dict[str, Any] = {"ok": True}
            case "records":
                body = reports.records(sandbox, *page)
            case "calls":
                body = reports.calls(sandbox, *page)
            case "mails":
                body = mails(sandbox, *page[1:])
            case _:
                body = reports.summary(sandbox)
        self.send(Reply(200, body))


class RecordHandler(ControlHandler):
    """/_sandbox/records/ID/…: one lead, as sales staff change it."""

    def post(self, record_id: str, action: str) -> None:
        """Do to it what sales staff do, such as to convert it."""
        wanted = json.loads(self.request.body or "{}")
        if action not in staff.ACTIONS or not staff.act(self.sandbox, int(record_id), action, wanted):
            raise HTTPError(HTTPStatus.CONFLICT)
        self.send(Reply(200, {"ok": True}))


class ResetHandler(ControlHandler):
    """POST /_sandbox/reset."""

    def post(self) -> None:
        """Forget everything."""
        self.sandbox.reset()
        self.send(Reply(200, {"ok": True}))


class FaultsHandler(ControlHandler):
    """GET, PUT and PATCH /_sandbox/faults; GET /_sandbox/faults/catalog describes every switch."""

    def get(self, catalog: str | None = None) -> None:
        """Return the state, or the catalog."""
        if catalog is None:
            self.send(Reply(200, self.sandbox.switches()))
            return
        kinds = {name: kind._asdict() for name, kind in CATALOG.items()}
        self.send(Reply(200, {"faults": kinds, "limits": LIMITS}))

    def put(self, _: str | None = None) -> None:
        """Replace the state: switches not named go off, limits not named return to their defaults."""
        self._change(replace=True)

    def patch(self, _: str | None = None) -> None:
        """Change the named switches and limits."""
        self._change(replace=False)

    def _change(self, *, replace: bool) -> None:
        try:
            self.sandbox.change(json.loads(self.request.body), replace=replace)
        except ValueError as wrong:
            self.send(Reply(400, error("BAD_FAULTS", str(wrong))))
        else:
            self.send(Reply(200, self.sandbox.switches()))


def _is_this_machine(name: str) -> bool:
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False
