"""Insert, upsert, update and delete of leads: the body around the rows, and the status of the whole."""

import re
from collections.abc import Callable
from typing import Any, Final

from dev.sandbox.lead_fields import EVENT_ID_FIELD
from dev.sandbox.ledger import Call
from dev.sandbox.records import USER
from dev.sandbox.replies import Reply, error, refuse
from dev.sandbox.rows import Done, Item, RowError, RowWriter
from dev.sandbox.state import Sandbox

ROW_LIMIT: Final = 100
"""Rows of one write (Zoho's insert and upsert documentation)."""

RowWork = Callable[[RowWriter, int, Any], Done]
"""Writes one row; raises RowError."""
AUTHOR: Final = {"name": USER["name"], "id": USER["id"]}


def data_of(body: Any, name: str = "data", limit: int = ROW_LIMIT) -> list[Any]:
    """Return the rows of a body. Raises Refusal if they are not an array, or one that is empty or too long."""
    rows = body.get(name) if isinstance(body, dict) else None
    path = f"$.{name}"
    if not isinstance(rows, list) or not rows:
        raise refuse(
            400, "INVALID_DATA", "invalid data", expected_data_type="jsonarray", api_name=name, json_path=path
        )
    if len(rows) > limit:
        raise refuse(400, "INVALID_DATA", "invalid data", maximum_length=limit, api_name=name, json_path=path)
    return rows


def check_order(sandbox: Sandbox, body: dict[str, Any]) -> tuple[str, ...]:
    """Return the fields an upsert looks up, in order: those named first, then every unique field left.

    Email, the system's own check, is looked up unless only unique custom fields are named. Raises Refusal for a
    field that is not a check field (that Zoho words it this way is an assumption).
    """
    named = body.get("duplicate_check_fields") or []
    if isinstance(named, str):
        named = [named]
    known = sandbox.fields.checked()
    for position, name in enumerate(named):
        if name not in known:
            path = f"$.duplicate_check_fields[{position}]"
            raise refuse(400, "INVALID_DATA", "invalid data", api_name="duplicate_check_fields", json_path=path)
    if not named:
        return known
    return (*named, *(name for name in sandbox.fields.unique if name not in named))


def insert_row(writer: RowWriter, index: int, row: Any) -> Done:
    """Insert a row."""
    return writer.insert(index, writer.fit(index, row, is_new=True))


def update_row(writer: RowWriter, index: int, row: Any) -> Done:
    """Update the record with the row's `id`."""
    data = writer.fit(index, row, is_new=False)
    path = f"$.data[{index}].id"
    if "id" not in row:
        raise RowError(error("MANDATORY_NOT_FOUND", "required field not found", api_name="id", json_path=path))
    text = str(row["id"])
    old = writer.sandbox.records.stored(int(text)) if re.fullmatch(r"\d{1,18}", text) else None
    if old is None:
        raise RowError(error("INVALID_DATA", "the id given seems to be invalid", api_name="id", json_path=path))
    return writer.update(index, old, data)


def upsert_row(writer: RowWriter, index: int, row: Any) -> Done:
    """Update the record the row belongs to, or insert it."""
    data = writer.fit(index, row, is_new=None)
    if row.get("id"):
        return update_row(writer, index, row)
    old, field = writer.match(data)
    writer.complete(index, data, is_new=old is None)
    if old is None:
        return writer.insert(index, data, writer.by)
    return writer.update(index, old, data, field)


def write(sandbox: Sandbox, call: Call, rows: list[Any], work: RowWork, by: tuple[str, ...] | None = None) -> Reply:
    """Write every row.

    Args:
        sandbox: where they are stored.
        call: gets the results.
        rows: unchecked.
        work: writes one row.
        by: the lookup fields of an upsert, whose results also state their action; None for other writes.
    """
    writer = RowWriter(sandbox, call, by=by or ())
    faulty = sandbox.faults.any_on("record_locked", "reject_word", "row_error")
    items: list[Item] = []
    for index, row in enumerate(rows):
        done: Done | None = None
        try:
            if faulty:
                _row_faults(sandbox, call, index, row)
            done = work(writer, index, row)
            item = _success(done, writer.at)
            if by is not None:
                item |= {"duplicate_field": done.field, "action": done.action}
        except RowError as refused:
            item = refused.item
        items.append(item)
        event = row.get(EVENT_ID_FIELD) if isinstance(row, dict) else None
        action, record_id = (done.action, done.record_id) if done else (None, None)
        call.results.append({"code": item["code"], "action": action, "id": record_id, "event_id": event})
    call.committed = any(result["action"] for result in call.results)
    return Reply(status_of(sandbox, items, 201 if work is insert_row else 200), {"data": items})


def status_of(sandbox: Sandbox, items: list[Item], success: int) -> int:
    """Return the HTTP status of a write from its rows' results."""
    failed = sum(item["status"] != "success" for item in items)
    if not failed:
        return success
    return sandbox.limits.all_failed_status if failed == len(items) else sandbox.limits.mixed_status


def _success(done: Done, at: str) -> Item:
    details: Item = {
        "id": done.record_id,
        "Created_Time": done.created,
        "Modified_Time": at,
        "Created_By": AUTHOR,
        "Modified_By": AUTHOR,
    }
    if done.action == "insert":
        details["$approval_state"] = "approved"
    message = "record added" if done.action == "insert" else "record updated"
    return {"code": "SUCCESS", "details": details, "message": message, "status": "success"}


def _row_faults(sandbox: Sandbox, call: Call, index: int, row: Any) -> None:
    """Apply the faults of single rows. Raises RowError."""
    faults, path = sandbox.faults, f"$.data[{index}]"
    word = faults.params("reject_word").get("word")
    if word is not None and isinstance(row, dict) and word in str(row.get("Last_Name") or ""):
        _strike(sandbox, call, "reject_word", lambda p: error(
            "INVALID_DATA", "invalid data", api_name=p["field"], json_path=f"{path}.{p['field']}"
        ))  # fmt: skip
    locked = "Sorry, you cannot perform this operation as the record is locked."
    _strike(sandbox, call, "record_locked", lambda _: error(
        "RECORD_LOCKED", locked, api_name="id", json_path=f"{path}.id", action="record_locking"
    ))  # fmt: skip
    _strike(sandbox, call, "row_error", lambda p: error(p["code"], "refused by the sandbox", json_path=path))


def _strike(sandbox: Sandbox, call: Call, name: str, item: Callable[[dict[str, Any]], Item]) -> None:
    params = sandbox.faults.fires(name, call.path)
    if params is not None:
        if name not in call.faults:
            call.faults.append(name)
        raise RowError(item(params))


def delete(sandbox: Sandbox, call: Call, ids: list[str]) -> Reply:
    """Delete records by id."""
    items: list[Item] = []
    at = sandbox.now()
    for text in ids:
        gone = text.isdigit() and len(text) < 19 and sandbox.records.delete(int(text), call.id, at)
        if gone:
            items.append(
                {"code": "SUCCESS", "details": {"id": text}, "message": "record deleted", "status": "success"}
            )
        else:
            items.append(error("INVALID_DATA", "record not deleted", id=text))
        call.results.append(
            {"code": items[-1]["code"], "action": "delete" if gone else None, "id": text, "event_id": None}
        )
    call.rows, call.committed = len(ids), any(result["action"] for result in call.results)
    return Reply(status_of(sandbox, items, 200), {"data": items})


def purge(sandbox: Sandbox, call: Call, record_id: str) -> Reply:
    """Delete a record from the recycle bin for good."""
    gone = sandbox.records.purge(int(record_id))
    item: Item = error("INVALID_DATA", "the id given seems to be invalid", id=record_id)
    if gone:
        done = {"code": "SUCCESS", "details": {"id": record_id}}
        item = {**done, "message": "record deleted permanently", "status": "success"}
    call.results.append(
        {"code": item["code"], "action": "purge" if gone else None, "id": record_id, "event_id": None}
    )
    call.rows, call.committed = 1, gone
    return Reply(200 if gone else 400, {"recycle_bin": [item]})
