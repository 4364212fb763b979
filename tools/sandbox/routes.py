"""Routing: a method and a path under /crm/v8 to the function that handles them."""

import re
from collections.abc import Callable
from typing import Any, Final

from tools.sandbox import reads, settings_api, writes
from tools.sandbox.exchange import Request
from tools.sandbox.replies import Reply, invalid_module, invalid_url, refuse
from tools.sandbox.state import Sandbox

Answer = Callable[[Sandbox, Request], Reply]
ID: Final = r"\d{1,18}"

TABLE: Final[dict[str, dict[str, Answer]]] = {
    "Leads/upsert": {"POST": writes.upsert},
    "Leads": {"PUT": writes.update, "GET": reads.listed},
    "Leads/deleted": {"GET": reads.deleted},
    "Leads/search": {"GET": reads.searched},
    rf"Leads/{ID}": {"DELETE": writes.delete},
    rf"settings/recycle_bin/{ID}": {"DELETE": writes.purge},
    "users": {"GET": settings_api.users},
    "org": {"GET": settings_api.org},
    "settings/fields": {"GET": settings_api.fields, "POST": settings_api.create_fields},
}


def answer(sandbox: Sandbox, request: Request) -> Reply:
    """Handle a call. Raises Refusal for what Zoho refuses as a whole."""
    for pattern, answers in TABLE.items():
        if re.fullmatch(pattern, request.path):
            if request.method not in answers:
                # 400 in the documentation.
                raise refuse(400, "INVALID_REQUEST_METHOD", "The http request method type is not a valid one")
            return answers[request.method](sandbox, request)
    first = request.path.split("/")[0]
    raise invalid_url() if first in {"Leads", "settings", "users", "org", ""} else invalid_module()


def rows_of(body: Any) -> list[Any]:
    """Return the rows of a body, valid or not."""
    rows = body.get("data") if isinstance(body, dict) else None
    return rows if isinstance(rows, list) else []
