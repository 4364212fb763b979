"""Reading leads: as a list, by search. Of Zoho's criteria `equals` is supported."""

import re
from typing import Any, Final

from sandbox.paging import page_of, reply_of, with_token
from sandbox.records import PRESENT, Data, View
from sandbox.replies import Reply, missing_param, refuse
from sandbox.state import Sandbox

FIELDS_LIMIT: Final = 50
CONDITION: Final = re.compile(r"\(?\s*([\w$]+):equals:((?:\\.|[^()\\])*)\)?")
CONVERTED: Final = "r.id IN (SELECT record_id FROM converted)"
Params = dict[str, str]


def chosen(record: Data, params: Params) -> Data:
    """Keep only the fields asked for, or all."""
    names = [name for name in params.get("fields", "").split(",") if name]
    return {name: record.get(name) for name in ("id", *names)} if names else record


def listed(sandbox: Sandbox, params: Params) -> Reply:
    """Return a page of records; `fields` must be named, at most 50 of them."""
    names = [name for name in params.get("fields", "").split(",") if name]
    if not names:
        raise missing_param("fields")
    if len(names) > FIELDS_LIMIT:
        raise refuse(400, "LIMIT_EXCEEDED", "limit exceeded", limit=FIELDS_LIMIT, param_name="fields")
    ids = [int(each) for each in params.get("ids", "").split(",") if each.isdigit()]
    some = f"r.id IN ({','.join('?' * len(ids))})" if "ids" in params else "1"
    rows, info = page_of(sandbox, f"{some} AND {_converted(params)}", tuple(ids), params)
    return reply_of([chosen(row, params) for row in rows], with_token(rows, info))


def searched(sandbox: Sandbox, params: Params) -> Reply:
    """Search by criteria; 204 when nothing matches.

    With a lag, records are found by what they were at that time, and shown as they were. By default those that wait
    for approval are left out.
    """
    if sandbox.faults.any_on("under_approval") and params.get("approved", "true") == "true":
        return Reply(204, None)
    if "criteria" not in params:
        raise missing_param("criteria")
    where, values = criteria(params["criteria"])
    lag = sandbox.limits.search_lag_s
    view = View(as_of=sandbox.now(ago=lag)) if lag else PRESENT
    rows, info = page_of(sandbox, f"({where}) AND {_converted(params)}", values, params, view=view)
    return reply_of([chosen(row, params) for row in rows], info)


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


def deleted(sandbox: Sandbox, params: Params) -> Reply:
    """Return a page of deleted records, in the recycle bin or purged from it, without their fields."""
    states = {"recycle": (1,), "permanent": (2,)}.get(params.get("type", "all"), (1, 2))
    rows, info = page_of(sandbox, "1", (), params, view=View(deleted=states))
    shown = [{"id": row["id"], "type": "recycle", "deleted_time": row["Modified_Time"]} for row in rows]
    return reply_of(shown, info)
