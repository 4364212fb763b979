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


def _created(sandbox: Sandbox, request: Request) -> Reply:
    return field_creation.create_fields(sandbox, request.call, request.body, request.params)


def _deleted(sandbox: Sandbox, request: Request) -> Reply:
    return writes.delete(sandbox, request.call, request.path.split("/")[1])


def _read(sandbox: Sandbox, request: Request) -> Reply:
    return reads.one(sandbox, request.path.split("/")[1], request.params)


def _purged(sandbox: Sandbox, request: Request) -> Reply:
    return writes.purge(sandbox, request.call, request.path.split("/")[2])


def _given(read: Callable[[Sandbox, dict[str, str]], Reply]) -> Answer:
    """Answer from the query alone."""
    return lambda sandbox, request: read(sandbox, request.params)


TABLE: Final[dict[str, dict[str, Answer]]] = {
    "Leads/upsert": {"POST": _upsert},
    "Leads": {"POST": _insert, "PUT": _update, "GET": _given(reads.listed)},
    "Leads/deleted": {"GET": _given(reads.deleted)},
    "Leads/search": {"GET": _given(reads.searched)},
    rf"Leads/{ID}": {"GET": _read, "PUT": _update, "DELETE": _deleted},
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
