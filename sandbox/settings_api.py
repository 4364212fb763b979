"""Zoho's settings endpoints: user, organisation, fields, and custom fields created from their labels and types."""

from typing import Any, Final

from sandbox.fields import described, label_of
from sandbox.lead_fields import SINGLE_LINE, SandboxField
from sandbox.ledger import Call
from sandbox.records import USER
from sandbox.replies import Reply, error, invalid_module, missing_param
from sandbox.state import Sandbox
from sandbox.writes import data_of, status_of

Params = dict[str, str]
FIELDS_A_CALL: Final = 5
"""Custom fields created in one call (documented for updates in v6; assumed for creation)."""

LENGTHS: Final = {"text": SINGLE_LINE, "textarea": 2_000, "website": 255, "datetime": 120, "boolean": 5}


def users(_: Sandbox, _params: Params) -> Reply:
    """Return the one user."""
    user = {**USER, "last_name": "User", "full_name": USER["name"], "status": "active", "zuid": "775000001"}
    return Reply(200, {"users": [user], "info": {"per_page": 200, "count": 1, "page": 1, "more_records": False}})


def org(_: Sandbox, _params: Params) -> Reply:
    """Return the organisation."""
    one = {"id": "488800000000014004", "zgid": "775000099", "company_name": "Sandbox Clinic", "type": "sandbox"}
    return Reply(200, {"org": [one]})


def _check_module(params: Params) -> None:
    """Raise Refusal unless the call is about Leads."""
    if not params.get("module"):
        raise missing_param("module")
    if params["module"] != "Leads":
        raise invalid_module()


def fields(sandbox: Sandbox, params: Params) -> Reply:
    """Return the fields."""
    _check_module(params)
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


def create_fields(sandbox: Sandbox, call: Call, body: Any, params: Params) -> Reply:
    """Create custom fields, at most five, each from its label and type; `call` gets the results."""
    _check_module(params)
    rows = data_of(body, "fields", FIELDS_A_CALL)
    items = [_create(sandbox, index, row) for index, row in enumerate(rows)]
    call.rows = len(rows)
    call.results = [{"code": item["code"], "action": None, "id": None, "event_id": None} for item in items]
    call.committed = any(item["status"] == "success" for item in items)
    return Reply(status_of(sandbox, items, 201), {"fields": items})


def _create(sandbox: Sandbox, index: int, row: Any) -> dict[str, Any]:
    path = f"$.fields[{index}]"
    if not isinstance(row, dict):
        return error("INVALID_DATA", "invalid data", expected_data_type="jsonobject", json_path=path)
    wrong = _wrong_field(row, {label_of(spec).lower() for spec in sandbox.fields.specs.values()})
    if wrong is not None:
        code, name, details = wrong
        message = {"MANDATORY_NOT_FOUND": "required field not found", "DUPLICATE_DATA": "duplicate data"}
        text = message.get(code, "invalid data")
        return error(code, text, **details, api_name=name, json_path=f"{path}.{name}")
    label, kind = row["field_label"], row["data_type"]
    spec = SandboxField(
        sandbox.fields.api_name_for(label),
        kind,
        row.get("length", LENGTHS[kind]),
        label,
        unique=bool(row.get("unique")),
        custom=True,
    )
    made = {"id": sandbox.fields.create(spec)}
    return {"code": "SUCCESS", "details": made, "message": "field created", "status": "success"}


def _wrong_field(row: dict[str, Any], taken: set[str]) -> tuple[str, str, dict[str, Any]] | None:
    """Return code, key and details of a new field's first error, or None."""
    for name in ("field_label", "data_type"):
        if not isinstance(row.get(name), str) or not row[name].strip():
            return "MANDATORY_NOT_FOUND", name, {}
    if row["data_type"] not in LENGTHS:
        return "INVALID_DATA", "data_type", {}
    if row["field_label"].lower() in taken:
        return "DUPLICATE_DATA", "field_label", {}
    most = LENGTHS[row["data_type"]]
    length = row.get("length", most)
    is_fit = type(length) is int and 0 < length <= most
    return None if is_fit else ("INVALID_DATA", "length", {"maximum_length": most})
