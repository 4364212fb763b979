"""Upsert, update and delete of leads: the body around the rows, and the status of the whole."""

import re
from collections.abc import Callable
from typing import Any, Final

from tools.sandbox.exchange import Request
from tools.sandbox.lead_fields import EVENT_ID_FIELD
from tools.sandbox.ledger import Call
from tools.sandbox.records import USER
from tools.sandbox.replies import Reply, error, refuse
from tools.sandbox.rows import Done, Item, RowError, RowWriter
from tools.sandbox.state import Sandbox

ROW_LIMIT: Final = 100
"""Rows of one write (Zoho's insert and upsert documentation)."""

MIXED_STATUS: Final = 207
"""Of a write in which some rows failed."""

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


def upsert(sandbox: Sandbox, request: Request) -> Reply:
    """Update or insert each row, found by the fields that the body names."""
    rows, by = data_of(request.body), check_order(sandbox, request.body)
    return write(RowWriter(sandbox, request.call, by=by, before=request.before), rows, upsert_row)


def update(sandbox: Sandbox, request: Request) -> Reply:
    """Update the records with the rows' ids."""
    return write(RowWriter(sandbox, request.call), data_of(request.body), update_row)


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
    return (*named, *(name for name in sandbox.fields.looked_up() if name not in named))


def update_row(writer: RowWriter, index: int, row: Any) -> Done:
    """Update the record with the row's `id`."""
    data = writer.fit(index, row, is_new=False)
    path = f"$.data[{index}].id"
    if "id" not in row:
        raise RowError.of("MANDATORY_NOT_FOUND", "required field not found", api_name="id", json_path=path)
    text = str(row["id"])
    old = writer.sandbox.records.stored(int(text)) if re.fullmatch(r"\d{1,18}", text) else None
    if old is None:
        raise RowError.of("INVALID_DATA", "the id given seems to be invalid", api_name="id", json_path=path)
    _refuse_held(writer, index, data)
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
    _refuse_held(writer, index, data)
    return writer.update(index, old, data, field)


def write(writer: RowWriter, rows: list[Any], work: RowWork) -> Reply:
    """Write every row (unchecked), each by `work`. The results of an upsert also state their action."""
    sandbox, call = writer.sandbox, writer.call
    faulty = sandbox.faults.any_on("record_locked", "reject_word", "row_error")
    items: list[Item] = []
    for index, row in enumerate(rows):
        done: Done | None = None
        try:
            if faulty:
                _row_faults(writer, index, row)
            done = work(writer, index, row)
            item = _success(done, writer.at)
            if writer.by:
                item |= {"duplicate_field": done.field, "action": done.action}
        except RowError as refused:
            item = refused.item
        items.append(item)
        event = row.get(EVENT_ID_FIELD) if isinstance(row, dict) else None
        action, record_id = (done.action, done.record_id) if done else (None, None)
        call.results.append({"code": item["code"], "action": action, "id": record_id, "event_id": event})
    call.committed = any(result["action"] for result in call.results)
    return Reply(status_of(sandbox, items, 200), {"data": items})


def status_of(sandbox: Sandbox, items: list[Item], success: int) -> int:
    """Return the HTTP status of a write from its rows' results."""
    failed = sum(item["status"] != "success" for item in items)
    if not failed:
        return success
    return sandbox.limits.all_failed_status if failed == len(items) else MIXED_STATUS


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


def _refuse_held(writer: RowWriter, index: int, data: Item) -> None:
    """Refuse an update of a record that an approval or a blueprint holds. Raises RowError.

    NOT_APPROVED is worded as in Zoho's update-records documentation; that of RECORD_IN_BLUEPRINT is an assumption.
    """
    waiting = "Cannot update record that is not approved yet"
    _strike(writer, "under_approval", lambda _: error(
        "NOT_APPROVED", waiting, api_name="id", json_path=f"$.data[{index}].id"
    ))  # fmt: skip
    if writer.sandbox.faults.params("in_blueprint").get("field") in data:
        _strike(writer, "in_blueprint", lambda p: error(
            "RECORD_IN_BLUEPRINT", "Cannot update the field as the record is in a blueprint",
            api_name=p["field"], json_path=f"$.data[{index}].{p['field']}",
        ))  # fmt: skip


def _row_faults(writer: RowWriter, index: int, row: Any) -> None:
    """Apply the faults of single rows. Raises RowError."""
    path = f"$.data[{index}]"
    word = writer.sandbox.faults.params("reject_word").get("word")
    if word is not None and isinstance(row, dict) and word in str(row.get("Last_Name") or ""):
        _strike(writer, "reject_word", lambda p: error(
            "INVALID_DATA", "invalid data", api_name=p["field"], json_path=f"{path}.{p['field']}"
        ))  # fmt: skip
    locked = "Sorry, you cannot perform this operation as the record is locked."
    _strike(writer, "record_locked", lambda _: error(
        "RECORD_LOCKED", locked, api_name="id", json_path=f"{path}.id", action="record_locking"
    ))  # fmt: skip
    _strike(writer, "row_error", lambda p: error(p["code"], "refused by the sandbox", json_path=path))


def _strike(writer: RowWriter, name: str, item: Callable[[dict[str, Any]], Item]) -> None:
    params = writer.sandbox.strike(name, writer.call)
    if params is not None:
        raise RowError(item(params))


def delete(sandbox: Sandbox, request: Request) -> Reply:
    """Delete a record."""
    call, record_id = request.call, request.path.rpartition("/")[2]
    gone = sandbox.records.delete(int(record_id), call.id, sandbox.now())
    item = _gone(record_id, "record deleted") if gone else error("INVALID_DATA", "record not deleted", id=record_id)
    _note(call, item, "delete" if gone else None, record_id)
    return Reply(status_of(sandbox, [item], 200), {"data": [item]})


def purge(sandbox: Sandbox, request: Request) -> Reply:
    """Delete a record from the recycle bin for good."""
    call, record_id = request.call, request.path.rpartition("/")[2]
    gone = sandbox.records.purge(int(record_id))
    wrong = error("INVALID_DATA", "the id given seems to be invalid", id=record_id)
    item = _gone(record_id, "record deleted permanently") if gone else wrong
    _note(call, item, "purge" if gone else None, record_id)
    return Reply(200 if gone else 400, {"recycle_bin": [item]})


def _gone(record_id: str, message: str) -> Item:
    return {"code": "SUCCESS", "details": {"id": record_id}, "message": message, "status": "success"}


def _note(call: Call, item: Item, action: str | None, record_id: str) -> None:
    call.results.append({"code": item["code"], "action": action, "id": record_id, "event_id": None})
    call.rows, call.committed = 1, action is not None
