"""Routing: a method and a path under /crm/v8 to the function that handles them."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from sandbox import reads, settings_api, writes
from sandbox.ledger import Call
from sandbox.replies import Reply, invalid_method, invalid_module, invalid_url
from sandbox.rows import RowWriter
from sandbox.state import Sandbox


@dataclass(frozen=True, slots=True)
class Request:
    """One API call, read. `before`: see `RowWriter`."""

    method: str
    path: str
    params: dict[str, str]
    body: Any
    call: Call
    before: int | None = None


Answer = Callable[[Sandbox, Request], Reply]
ID: Final = r"(\d{1,18})"


def _upsert(sandbox: Sandbox, request: Request) -> Reply:
    rows = _rows(request)
    by = writes.check_order(sandbox, request.body)
    writer = RowWriter(sandbox, request.call, by=by, before=request.before)
    return writes.write(writer, rows, writes.upsert_row)


def _update(sandbox: Sandbox, request: Request) -> Reply:
    return writes.write(RowWriter(sandbox, request.call), _rows(request), writes.update_row)


def _rows(request: Request) -> list[Any]:
    rows = writes.data_of(request.body)
    request.call.rows = len(rows)
    return rows


def _created(sandbox: Sandbox, request: Request) -> Reply:
    return settings_api.create_fields(sandbox, request.call, request.body, request.params)


def _deleted(sandbox: Sandbox, request: Request) -> Reply:
    return writes.delete(sandbox, request.call, request.path.split("/")[1])


def _purged(sandbox: Sandbox, request: Request) -> Reply:
    return writes.purge(sandbox, request.call, request.path.split("/")[2])


def _given(read: Callable[[Sandbox, dict[str, str]], Reply]) -> Answer:
    """Answer from the query alone."""
    return lambda sandbox, request: read(sandbox, request.params)


TABLE: Final[dict[str, dict[str, Answer]]] = {
    "Leads/upsert": {"POST": _upsert},
    "Leads": {"PUT": _update, "GET": _given(reads.listed)},
    "Leads/deleted": {"GET": _given(reads.deleted)},
    "Leads/search": {"GET": _given(reads.searched)},
    rf"Leads/{ID}": {"DELETE": _deleted},
    rf"settings/recycle_bin/{ID}": {"DELETE": _purged},
    "users": {"GET": _given(settings_api.users)},
    "org": {"GET": _given(settings_api.org)},
    "settings/fields": {"GET": _given(settings_api.fields), "POST": _created},
}
ROUTES: Final = tuple((re.compile(pattern), answers) for pattern, answers in TABLE.items())


def answer(sandbox: Sandbox, request: Request) -> Reply:
    """Handle a call. Raises Refusal for what Zoho refuses as a whole."""
    for pattern, answers in ROUTES:
        if pattern.fullmatch(request.path):
            if request.method not in answers:
                raise invalid_method()
            return answers[request.method](sandbox, request)
    first = request.path.split("/")[0]
    raise invalid_url() if first in {"Leads", "settings", "users", "org", ""} else invalid_module()


def rows_of(body: Any) -> list[Any]:
    """Return the rows of a body, valid or not."""
    rows = body.get("data") if isinstance(body, dict) else None
    return rows if isinstance(rows, list) else []
