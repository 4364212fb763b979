"""Routing: a method and a path under /crm/v8 to the function that handles them."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from sandbox import field_creation, reads, settings_api, writes
from sandbox.ledger import Call
from sandbox.limits import LARGE_WRITE_ROWS
from sandbox.replies import Reply, invalid_method, invalid_module, invalid_url, refuse
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


def _insert(sandbox: Sandbox, request: Request) -> Reply:
    return writes.write(RowWriter(sandbox, request.call), _rows(request), writes.insert_row)


def _upsert(sandbox: Sandbox, request: Request) -> Reply:
    rows = _rows(request)
    by = writes.check_order(sandbox, request.body)
    writer = RowWriter(sandbox, request.call, by=by, before=request.before)
    return writes.write(writer, rows, writes.upsert_row)


def _update(sandbox: Sandbox, request: Request) -> Reply:
    rows = _rows(request)
    one = re.fullmatch(rf"Leads/{ID}", request.path)
    if one and isinstance(rows[0], dict):
        rows = [{**rows[0], "id": one[1]}]
    return writes.write(RowWriter(sandbox, request.call), rows, writes.update_row)


def _rows(request: Request) -> list[Any]:
    rows = writes.data_of(request.body)
    request.call.rows = len(rows)
    return rows


TABLE: Final[tuple[tuple[str, dict[str, Answer]], ...]] = (
    ("Leads/upsert", {"POST": _upsert}),
    (
        "Leads",
        {
            "POST": _insert,
            "PUT": _update,
            "GET": lambda s, r: reads.listed(s, r.params),
        },
    ),
    ("Leads/deleted", {"GET": lambda s, r: reads.deleted(s, r.params)}),
    ("Leads/search", {"GET": lambda s, r: reads.searched(s, r.params)}),
    (
        rf"Leads/{ID}",
        {
            "GET": lambda s, r: reads.one(s, r.path.split("/")[1], r.params),
            "PUT": _update,
            "DELETE": lambda s, r: writes.delete(s, r.call, r.path.split("/")[1]),
        },
    ),
    (rf"settings/recycle_bin/{ID}", {"DELETE": lambda s, r: writes.purge(s, r.call, r.path.split("/")[2])}),
    ("users", {"GET": lambda s, r: settings_api.users(s, r.params)}),
    ("org", {"GET": lambda s, r: settings_api.org(s, r.params)}),
    (
        "settings/fields",
        {
            "GET": lambda s, r: settings_api.fields(s, r.params),
            "POST": lambda s, r: field_creation.create_fields(s, r.call, r.body, r.params),
        },
    ),
)
ROUTES: Final = tuple((re.compile(pattern), answers) for pattern, answers in TABLE)


def answer(sandbox: Sandbox, request: Request) -> Reply:
    """Handle a call. Raises Refusal for what Zoho refuses as a whole."""
    for pattern, answers in ROUTES:
        if pattern.fullmatch(request.path):
            if request.method not in answers:
                raise invalid_method()
            return answers[request.method](sandbox, request)
    first = request.path.split("/")[0]
    if first in {"settings", "users", "org", ""}:
        raise invalid_url()
    if sandbox.fields.of(first) is None:
        raise invalid_module()
    if first == "Leads":
        raise invalid_url()
    raise refuse(400, "NOT_SUPPORTED", f"the sandbox stores no records of {first}")


def large(request: Request) -> bool:
    """Return whether a call counts towards the smaller limit of calls in flight (Zoho's API limits page)."""
    if request.method == "GET":
        return request.path == "Leads" and "sort_by" in request.params
    return request.method in {"POST", "PUT"} and len(rows_of(request.body)) > LARGE_WRITE_ROWS


def rows_of(body: Any) -> list[Any]:
    """Return the rows of a body, valid or not."""
    rows = body.get("data") if isinstance(body, dict) else None
    return rows if isinstance(rows, list) else []
