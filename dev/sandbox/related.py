"""What hangs on a lead: tags and notes."""

import re
from typing import Any, Final

from dev.sandbox.ledger import Call
from dev.sandbox.records import USER, now
from dev.sandbox.replies import Reply, error, refuse
from dev.sandbox.rows import RowWriter
from dev.sandbox.state import Sandbox
from dev.sandbox.writes import data_of, status_of

TAG_IDS: Final = 500
FIRST_NOTE_ID: Final = 488_800_000_000_700_001


def add_tags(sandbox: Sandbox, call: Call, body: Any, params: dict[str, str]) -> Reply:
    """Add tags to many records; ids and names come in the body, or (older form) as parameters."""
    content = body if isinstance(body, dict) else {}
    ids = [str(i) for i in content.get("ids") or params.get("ids", "").split(",") if str(i).strip()]
    named = content.get("tags") or [{"name": name} for name in params.get("tag_names", "").split(",") if name]
    if not ids or len(ids) > TAG_IDS:
        raise refuse(400, "INVALID_DATA", "invalid data", api_name="ids", maximum_length=TAG_IDS)
    names = [str(tag.get("name")) for tag in named if isinstance(tag, dict) and tag.get("name")]
    if not names:
        raise refuse(400, "MANDATORY_NOT_FOUND", "required field not found", api_name="tags")
    items, writer = [], RowWriter(sandbox, call)
    for record_id in ids:
        old = sandbox.records.stored(int(record_id)) if re.fullmatch(r"\d{1,18}", record_id) else None
        if old is None:
            items.append(error("INVALID_DATA", "invalid data", id=record_id))
        else:
            had = [tag["name"] for tag in old.data.get("Tag", ())]
            tags = [*had, *(name for name in names if name not in had)]
            writer.update(0, old, {"Tag": [{"name": name} for name in tags]})
            details = {"id": record_id, "tags": [{"name": name} for name in tags]}
            items.append(
                {"code": "SUCCESS", "details": details, "message": "tags updated successfully", "status": "success"}
            )
        call.results.append(
            {"code": items[-1]["code"], "action": "update" if old else None, "id": record_id, "event_id": None}
        )
    call.rows, call.committed = len(ids), any(result["action"] for result in call.results)
    info = {"wf_scheduler": "true", "success_count": sum(i["status"] == "success" for i in items)}
    return Reply(status_of(sandbox, items, 200), {"data": items, **info, "locked_count": 0})


def add_notes(sandbox: Sandbox, call: Call, record_id: int, body: Any) -> Reply:
    """Add notes to a lead."""
    rows = data_of(body)
    if sandbox.records.stored(record_id) is None:
        raise refuse(400, "INVALID_DATA", "the related id given seems to be invalid", resource_path_index=1)
    items, at = [], now()
    db = sandbox.ledger.db
    for index, row in enumerate(rows):
        content = row.get("Note_Content") if isinstance(row, dict) else None
        if not isinstance(content, str) or not content.strip():
            path = f"$.data[{index}].Note_Content"
            items.append(
                error("MANDATORY_NOT_FOUND", "required field not found", api_name="Note_Content", json_path=path)
            )
        else:
            top = db.execute("SELECT max(id) FROM notes").fetchone()[0]
            note_id = FIRST_NOTE_ID if top is None else int(top) + 1
            title = row.get("Note_Title")
            db.execute("INSERT INTO notes VALUES (?,?,?,?,?)", (note_id, record_id, at, title, content))
            items.append({
                "code": "SUCCESS",
                "details": {"id": str(note_id), "Created_Time": at, "Modified_Time": at, "Created_By": USER, "Modified_By": USER},
                "message": "record added",
                "status": "success",
            })  # fmt: skip
        kept = items[-1]["status"] == "success"
        call.results.append(
            {"code": items[-1]["code"], "action": "note" if kept else None, "id": str(record_id), "event_id": None}
        )
    call.rows, call.committed = len(rows), any(result["action"] for result in call.results)
    return Reply(status_of(sandbox, items, 201), {"data": items})


def notes_of(sandbox: Sandbox, record_id: int) -> Reply:
    """Give a lead's notes, newest first, or 204."""
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
