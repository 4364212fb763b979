"""Zoho's settings endpoints: user, organisation, fields, and custom fields created from their labels and types."""

from typing import Any, Final

from tools.sandbox.exchange import Request
from tools.sandbox.fields import described, label_of
from tools.sandbox.lead_fields import SINGLE_LINE, SandboxField
from tools.sandbox.records import USER
from tools.sandbox.replies import Reply, error, invalid_module, missing_param
from tools.sandbox.state import Sandbox
from tools.sandbox.writes import data_of, status_of

FIELDS_A_CALL: Final = 5
"""Custom fields created in one call (documented for updates in v6; assumed for creation)."""

LENGTHS: Final = {"text": SINGLE_LINE, "textarea": 2_000, "website": 255, "datetime": 120, "boolean": 5}


def users(_: Sandbox, _request: Request) -> Reply:
    """Return the one user."""
    user = {**USER, "last_name": "User", "full_name": USER["name"], "status": "active", "zuid": "775000001"}
    return Reply(200, {"users": [user], "info": {"per_page": 200, "count": 1, "page": 1, "more_records": False}})


def org(_: Sandbox, _request: Request) -> Reply:
    """Return the organisation."""
    one = {"id": "488800000000014004", "zgid": "775000099", "company_name": "Sandbox Clinic", "type": "sandbox"}
    return Reply(200, {"org": [one]})


def _check_module(params: dict[str, str]) -> None:
    """Raise Refusal unless the call is about Leads."""
    if not params.get("module"):
        raise missing_param("module")
    if params["module"] != "Leads":
        raise invalid_module()


def fields(sandbox: Sandbox, request: Request) -> Reply:
    """Return the fields."""
    _check_module(request.params)
    unique = sandbox.fields.marked_unique()
    locked = sandbox.faults.params("read_only_field").get("field")
    renamed = tuple(sandbox.faults.params("renamed_choice").values())
    shown = []
    for place, spec in enumerate(sandbox.fields.specs.values()):
        name = spec.api_name
        choices = [c for c in sorted(sandbox.fields.picklists.get(name, ())) if (name, c) != renamed]
        now = spec._replace(unique=spec.unique or name in unique, read_only=spec.read_only or name == locked)
        shown.append(described(now, place, choices))
    return Reply(200, {"fields": shown})


def create_fields(sandbox: Sandbox, request: Request) -> Reply:
    """Create custom fields, at most five, each from its label and type."""
    _check_module(request.params)
    rows, call = data_of(request.body, "fields", FIELDS_A_CALL), request.call
    items = [_create(sandbox, index, row) for index, row in enumerate(rows)]
    call.rows = len(rows)
    call.results = [{"code": item["code"], "action": None, "id": None, "event_id": None} for item in items]
    call.committed = any(item["status"] == "success" for item in items)
    return Reply(status_of(sandbox, items, 201), {"fields": items})


def _create(sandbox: Sandbox, index: int, row: dict[str, Any]) -> dict[str, Any]:
    label, kind, known = row["field_label"], row["data_type"], sandbox.fields.specs
    length = row.get("length", LENGTHS[kind])
    if label.lower() in {label_of(spec).lower() for spec in known.values()}:
        return error("DUPLICATE_DATA", "duplicate data", api_name="field_label", json_path=f"$.fields[{index}]")
    if length > LENGTHS[kind]:
        return error("INVALID_DATA", "invalid data", api_name="length", maximum_length=LENGTHS[kind])
    name = sandbox.fields.api_name_for(label)
    spec = SandboxField(name, kind, length, label, unique=bool(row.get("unique")), custom=True)
    made = {"id": sandbox.fields.create(spec)}
    return {"code": "SUCCESS", "details": made, "message": "field created", "status": "success"}
