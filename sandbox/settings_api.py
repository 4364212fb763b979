"""Zoho's settings endpoints: user, organisation, fields."""

from sandbox.fields import described
from sandbox.lead_fields import SandboxField
from sandbox.records import USER
from sandbox.replies import Reply, invalid_module, missing_param
from sandbox.state import Sandbox

Params = dict[str, str]


def users(_: Sandbox, _params: Params) -> Reply:
    """Return the one user."""
    user = {**USER, "last_name": "User", "full_name": USER["name"], "status": "active", "zuid": "775000001"}
    return Reply(200, {"users": [user], "info": {"per_page": 200, "count": 1, "page": 1, "more_records": False}})


def org(_: Sandbox, _params: Params) -> Reply:
    """Return the organisation."""
    one = {"id": "488800000000014004", "zgid": "775000099", "company_name": "Sandbox Clinic", "type": "sandbox"}
    return Reply(200, {"org": [one]})


def module_of(sandbox: Sandbox, params: Params) -> tuple[str, dict[str, SandboxField]]:
    """Return the module named by a call, and its fields. Raises Refusal."""
    name = params.get("module")
    if not name:
        raise missing_param("module")
    specs = sandbox.fields.of(name)
    if specs is None:
        raise invalid_module()
    return name, specs


def fields(sandbox: Sandbox, params: Params) -> Reply:
    """Return a module's fields."""
    module, specs = module_of(sandbox, params)
    unique = sandbox.fields.marked_unique() if module == "Leads" else ()
    locked = sandbox.faults.params("read_only_field").get("field") if module == "Leads" else None
    renamed = tuple(sandbox.faults.params("renamed_choice").values())
    shown = [
        described(
            spec._replace(
                unique=spec.unique or spec.api_name in unique,
                read_only=spec.read_only or spec.api_name == locked,
            ),
            place,
            [
                choice
                for choice in sorted(sandbox.fields.picklists.get(spec.api_name, ()))
                if (spec.api_name, choice) != renamed
            ],
        )
        for place, spec in enumerate(specs.values())
    ]
    return Reply(200, {"fields": shown})
