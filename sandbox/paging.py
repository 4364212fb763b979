"""Pages of records, newest first: by number for the first 2,000 rows, by token for the rest.

Limits and codes follow Zoho's get-records documentation (v8); the content of a token is the sandbox's own.
"""

import base64
import json
from typing import Any, Final

from sandbox.records import PRESENT, Data, View
from sandbox.replies import Reply, refuse
from sandbox.state import Sandbox

PAGE_ROWS: Final = 200
NUMBERED_ROWS: Final = 2_000
TOKEN_ROWS: Final = 100_000
Params = dict[str, str]


def page_of(
    sandbox: Sandbox, where: str, values: tuple[Any, ...], params: Params, *, view: View = PRESENT
) -> tuple[list[Data], dict[str, Any]]:
    """The rows of a page, and the `info` of the reply. `where` is SQL over `r` and `v`. Raises Refusal."""
    per_page, page = min(_number(params.get("per_page"), PAGE_ROWS), PAGE_ROWS), _number(params.get("page"), 1)
    offset, limit = (page - 1) * per_page, NUMBERED_ROWS
    if params.get("page_token"):
        page, before = _read(params["page_token"])
        where, values, offset, limit = f"({where}) AND r.id < ?", (*values, before), 0, TOKEN_ROWS
    if page * per_page > limit:
        code = "DISCRETE_PAGINATION_LIMIT_EXCEEDED" if limit == NUMBERED_ROWS else "PAGINATION_LIMIT_EXCEEDED"
        raise refuse(400, code, f"only the first {limit} records can be listed this way", limit=limit)
    rows = list(sandbox.records.find(where, values, per_page + 1, offset, view=view))
    info: dict[str, Any] = {"per_page": per_page, "count": len(rows[:per_page]), "page": page}
    return rows[:per_page], {**info, "more_records": len(rows) > per_page}


def with_token(rows: list[Data], info: dict[str, Any]) -> dict[str, Any]:
    """Return the `info` of a list, which also has the next page's token and the sort order."""
    token = None
    if info["more_records"]:
        words = json.dumps([info["page"] + 1, int(rows[-1]["id"])])
        token = base64.urlsafe_b64encode(words.encode()).decode()
    return {**info, "next_page_token": token, "sort_by": "id", "sort_order": "desc"}


def reply_of(rows: list[Data], info: dict[str, Any]) -> Reply:
    """Return the reply; 204 when there are no rows."""
    return Reply(200, {"data": rows, "info": info}) if rows else Reply(204, None)


def _read(token: str) -> tuple[int, int]:
    try:
        page, before = (int(part) for part in json.loads(base64.urlsafe_b64decode(token)))
    except (ValueError, TypeError):
        raise refuse(400, "INVALID_DATA", "invalid data", param_name="page_token") from None
    return page, before


def _number(text: str | None, default: int) -> int:
    return max(1, int(text)) if text and text.isdigit() else default
