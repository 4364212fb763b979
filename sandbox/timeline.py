"""A lead's timeline: its versions, and what happened to it beside its fields, as Zoho tells it (v8 documentation).

`source` of a version: the API's when a call wrote it, the pages' when staff did. Status 204: there is nothing yet.
"""

from typing import Any, Final

from sandbox.records import LEADS_MODULE, USER, Activity, Data
from sandbox.replies import Reply, refuse
from sandbox.state import Sandbox

PAGE_ENTRIES: Final = 25
ACTIONS: Final = {"insert": "added", "update": "updated", "delete": "deleted"}
Params = dict[str, str]


def of(sandbox: Sandbox, record_id: int, params: Params) -> Reply:
    """Return a page of entries, newest first unless `sort_order` is asc."""
    if params.get("sort_by", "audited_time") != "audited_time":
        raise refuse(400, "INVALID_DATA", "invalid data", param_name="sort_by")
    versions = sandbox.records.history(record_id)
    changes = [_change(new, old) for new, old in zip(versions, [{"data": {}}, *versions], strict=False)]
    entries = changes + [_entry(each) for each in sandbox.records.activities(record_id)]
    entries.sort(key=lambda entry: str(entry["audited_time"]), reverse=params.get("sort_order") != "asc")
    page = int(params.get("page", "1"))
    shown = entries[(page - 1) * PAGE_ENTRIES : page * PAGE_ENTRIES]
    info = {
        "per_page": PAGE_ENTRIES,
        "next_page_token": None,
        "previous_page_token": None,
        "count": len(shown),
        "page": page,
        "more_records": len(entries) > page * PAGE_ENTRIES,
    }
    return Reply(200, {"__timeline": shown, "info": info}) if shown else Reply(204, None)


def _change(new: Data, old: Data) -> dict[str, Any]:
    names = sorted({*new["data"], *old["data"]})
    values = [(name, new["data"].get(name), old["data"].get(name)) for name in names]
    history = [{"api_name": name, "_value": {"new": now, "old": was}} for name, now, was in values if now != was]
    source = "crm_api" if new["call_id"] else "crm_ui"
    action = ACTIONS[new["action"]]
    return _entry(Activity(new["at"], "Leads", action, source)) | {
        "field_history": history if action == "updated" else None
    }


def _entry(activity: Activity) -> dict[str, Any]:
    rule = activity.rule and {"rule": {"name": activity.rule}, "type": "workflow_rule"}
    return {
        "audited_time": activity.at,
        "action": activity.action,
        "source": activity.source,
        "type": "timeline",
        "done_by": {"name": USER["name"], "id": USER["id"]},
        "automation_details": rule,
        "record": {"module": {"api_name": activity.module, "id": LEADS_MODULE}},
        "field_history": None,
    }
