"""Reader of a record's timeline: when a person called, changed the status, or converted the lead.

Zoho CRM API v8: Timeline of a Record; the names of sources and actions are those of github.com/zoho/crm-oas
(v8.0/timelines). Not verified against a real organisation.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from worker.zoho.failures import Item

STATUS = "Lead_Status"
# Where people work: Zoho's pages and its app. A change by a workflow, an API or an import is no answer.
_BY_HAND = frozenset({
    "crm_ui", "crm_mobile", "sheet_view", "canvas_view", "kiosk", "wizard", "mass_update", "bulk_action", "convert",
    "massconvert",
})  # fmt: skip
# Calls are logged by telephone systems too, through Zoho's telephony or its API.
_BY_TELEPHONE = frozenset({"phonebrifge_api", "autolog_mobile", "crm_api"})


def answers_of(timeline: Sequence[Item]) -> list[datetime]:
    """Return the times of a timeline's entries by which a person answered."""
    found = (read_time(entry.get("audited_time")) for entry in timeline if _is_answer(entry))
    return [at for at in found if at is not None]


def read_time(value: object) -> datetime | None:
    """A time with its offset; None for anything else."""
    try:
        found = datetime.fromisoformat(str(value))
    except ValueError:
        return None
    return found if found.tzinfo else None


def _is_answer(entry: Item) -> bool:
    if entry.get("automation_details"):
        return False
    if _module(entry) == "Calls":
        return entry.get("source") in _BY_HAND | _BY_TELEPHONE
    return entry.get("source") in _BY_HAND and (entry.get("action") == "converted" or _changes_status(entry))


def _module(entry: Item) -> object:
    record = entry.get("record")
    module = record.get("module") if isinstance(record, dict) else None
    return module.get("api_name") if isinstance(module, dict) else None


def _changes_status(entry: Item) -> bool:
    if entry.get("action") != "updated":
        return False
    history = entry.get("field_history")
    changed = history if isinstance(history, list) else []
    return any(isinstance(field, dict) and field.get("api_name") == STATUS for field in changed)
