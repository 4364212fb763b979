"""Reading leads: as a list, by search. Of Zoho's criteria `equals` is supported."""

import base64
import json
import re
from typing import Any, Final

from tools.sandbox.exchange import Request
from tools.sandbox.records import PRESENT, Data, View
from tools.sandbox.replies import Reply, missing_param, refuse
from tools.sandbox.state import Sandbox

# Limits and codes of pages follow get-records (v8): by number for the first 2,000 rows, by token for the rest.
PAGE_ROWS: Final = 200
NUMBERED_ROWS: Final = 2_000
CONDITION: Final = re.compile(r"\(?\s*([\w$]+):equals:((?:\\.|[^()\\])*)\)?")
CONVERTED: Final = "r.id IN (SELECT record_id FROM converted)"
Params = dict[str, str]


def listed(sandbox: Sandbox, request: Request) -> Reply:
    """Return a page of records with the fields that are named, which must be some."""
    params = request.params
    names = [name for name in params.get("fields", "").split(",") if name]
    if not names:
        raise missing_param("fields")
    ids = [int(each) for each in params.get("ids", "").split(",") if each.isdigit()]
    some = f"r.id IN ({','.join('?' * len(ids))})" if "ids" in params else "1"
    rows, info = page_of(sandbox, f"{some} AND {_converted(params)}", tuple(ids), params)
    return reply_of([{name: row.get(name) for name in ("id", *names)} for row in rows], with_token(rows, info))


def searched(sandbox: Sandbox, request: Request) -> Reply:
    """Search by criteria; 204 when nothing matches.

    With a lag, records are found by what they were at that time, and shown as they were. By default those that wait
    for approval are left out.
    """
    params = request.params
    if sandbox.faults.any_on("under_approval") and params.get("approved", "true") == "true":
        return Reply(204, None)
    if "criteria" not in params:
        raise missing_param("criteria")
    where, values = criteria(params["criteria"])
    lag = sandbox.limits.search_lag_s
    view = View(as_of=sandbox.now(ago=lag)) if lag else PRESENT
    rows, info = page_of(sandbox, f"({where}) AND {_converted(params)}", values, params, view=view)
    return reply_of(rows, info)


def _converted(params: Params) -> str:
    """The filter for converted leads, as SQL; Zoho leaves them out by default."""
    return {"true": CONVERTED, "both": "1"}.get(params.get("converted", "false"), f"NOT {CONVERTED}")


def criteria(text: str) -> tuple[str, tuple[Any, ...]]:
    """Turn Zoho's criteria into SQL. Raises Refusal for unsupported criteria."""
    found = CONDITION.findall(text)
    if not found:
        raise refuse(400, "INVALID_QUERY", "invalid query formed", api_name="criteria")
    parts, values = [], []
    for name, raw in found:
        parts.append("CAST(json_extract(v.data, ?) AS TEXT) = ? COLLATE NOCASE")
        values += [f'$."{name}"', re.sub(r"\\(.)", r"\1", raw)]
    joint = " OR " if ")or(" in text.replace(" ", "").lower() else " AND "
    return joint.join(parts), tuple(values)


def deleted(sandbox: Sandbox, request: Request) -> Reply:
    """Return a page of deleted records, in the recycle bin or purged from it, without their fields."""
    states = {"recycle": (1,), "permanent": (2,)}.get(request.params.get("type", "all"), (1, 2))
    rows, info = page_of(sandbox, "1", (), request.params, view=View(deleted=states))
    shown = [{"id": row["id"], "type": "recycle", "deleted_time": row["Modified_Time"]} for row in rows]
    return reply_of(shown, info)


def page_of(
    sandbox: Sandbox, where: str, values: tuple[Any, ...], params: Params, *, view: View = PRESENT
) -> tuple[list[Data], dict[str, Any]]:
    """The rows of a page, and the `info` of the reply. `where` is SQL over `r` and `v`. Raises Refusal."""
    per_page, page = min(_number(params.get("per_page"), PAGE_ROWS), PAGE_ROWS), _number(params.get("page"), 1)
    offset = (page - 1) * per_page
    if params.get("page_token"):
        page, before = _read(params["page_token"])
        where, values, offset = f"({where}) AND r.id < ?", (*values, before), 0
    elif page * per_page > NUMBERED_ROWS:
        words = f"only the first {NUMBERED_ROWS} records can be listed this way"
        raise refuse(400, "DISCRETE_PAGINATION_LIMIT_EXCEEDED", words, limit=NUMBERED_ROWS)
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
