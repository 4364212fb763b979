"""A lead's related records: tags and notes."""

import re
from typing import Any, Final

from sandbox.ledger import Call
from sandbox.replies import Reply, error, refuse
from sandbox.rows import Item, RowWriter
from sandbox.state import Sandbox
from sandbox.writes import AUTHOR, data_of, status_of

TAG_IDS: Final = 500
FIRST_NOTE_ID: Final = 488_800_000_000_700_001


def add_tags(sandbox: Sandbox, call: Call, body: Any, params: dict[str, str]) -> Reply:
    """Add tags to many records.

    Args:
        sandbox: where they are stored.
        call: gets the results.
        body: ids and tags, unchecked.
        params: the same as parameters, the older form.
    """
    content = body if isinstance(body, dict) else {}
    ids = [str(i) for i in content.get("ids") or params.get("ids", "").split(",") if str(i).strip()]
    named = content.get("tags") or [{"name": name} for name in params.get("tag_names", "").split(",") if name]
    if not ids or len(ids) > TAG_IDS:
        raise refuse(400, "INVALID_DATA", "invalid data", api_name="ids", maximum_length=TAG_IDS)
    names = [str(tag.get("name")) for tag in named if isinstance(tag, dict) and tag.get("name")]
    if not names:
        raise refuse(400, "MANDATORY_NOT_FOUND", "required field not found", api_name="tags")
    writer = RowWriter(sandbox, call)
    items = [_add_tags(writer, record_id, names) for record_id in ids]
    for record_id, item in zip(ids, items, strict=True):
        action = "update" if item["status"] == "success" else None
        call.results.append({"code": item["code"], "action": action, "id": record_id, "event_id": None})
    call.rows, call.committed = len(ids), any(result["action"] for result in call.results)
    count = sum(item["status"] == "success" for item in items)
    summary = {"wf_scheduler": "true", "success_count": str(count), "locked_count": 0}
    return Reply(status_of(sandbox, items, 200), {"data": items, **summary})


def _add_tags(writer: RowWriter, record_id: str, names: list[str]) -> Item:
    old = writer.sandbox.records.stored(int(record_id)) if re.fullmatch(r"\d{1,18}", record_id) else None
    if old is None:
        return error("INVALID_DATA", "invalid data", id=record_id)
    had = [tag["name"] for tag in old.data.get("Tag", ())]
    tags = [{"name": name} for name in (*had, *(name for name in names if name not in had))]
    writer.update(0, old, {"Tag": tags})
    details = {"id": record_id, "tags": tags}
    return {"code": "SUCCESS", "details": details, "message": "tags updated successfully", "status": "success"}


def add_notes(sandbox: Sandbox, call: Call, record_id: int, body: Any) -> Reply:
    """Add notes to a lead.

    Args:
        sandbox: where they are stored.
        call: gets the results.
        record_id: the lead's.
        body: the request's body, unchecked.
    """
    rows = data_of(body)
    if sandbox.records.stored(record_id) is None:
        raise refuse(400, "INVALID_DATA", "the related id given seems to be invalid", resource_path_index=1)
    at = sandbox.now()
    items = [_add_note(sandbox, record_id, index, row, at) for index, row in enumerate(rows)]
    for item in items:
        action = "note" if item["status"] == "success" else None
        call.results.append({"code": item["code"], "action": action, "id": str(record_id), "event_id": None})
    call.rows, call.committed = len(rows), any(result["action"] for result in call.results)
    return Reply(status_of(sandbox, items, 201), {"data": items})


def _add_note(sandbox: Sandbox, record_id: int, index: int, row: Any, at: str) -> Item:
    content = row.get("Note_Content") if isinstance(row, dict) else None
    if not isinstance(content, str) or not content.strip():
        path = f"$.data[{index}].Note_Content"
        text = "required field not found"
        return error("MANDATORY_NOT_FOUND", text, api_name="Note_Content", json_path=path)
    db = sandbox.ledger.db
    top = db.execute("SELECT max(id) FROM notes").fetchone()[0]
    note_id = FIRST_NOTE_ID if top is None else int(top) + 1
    db.execute("INSERT INTO notes VALUES (?,?,?,?,?)", (note_id, record_id, at, row.get("Note_Title"), content))
    times = {"Created_Time": at, "Modified_Time": at, "Created_By": AUTHOR, "Modified_By": AUTHOR}
    details = {"id": str(note_id), **times}
    return {"code": "SUCCESS", "details": details, "message": "record added", "status": "success"}


def notes_of(sandbox: Sandbox, record_id: int) -> Reply:
    """Return a lead's notes, newest first, or 204."""
    rows = sandbox.ledger.db.execute(
        "SELECT id, at, title, content FROM notes WHERE record_id=? ORDER BY id DESC", (record_id,)
    ).fetchall()
    if not rows:
        return Reply(204, None)
    parent = {"id": str(record_id), "module": {"api_name": "Leads", "id": "488800000000002175"}}
    notes = [
        {
            "id": str(i),
            "Note_Title": t,
            "Note_Content": c,
            "Created_Time": at,
            "Modified_Time": at,
            "Parent_Id": parent,
        }
        for i, at, t, c in rows
    ]
    return Reply(
        200, {"data": notes, "info": {"per_page": 200, "count": len(notes), "page": 1, "more_records": False}}
    )
