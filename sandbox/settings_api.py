"""Zoho's settings endpoints: user, organisation, modules, fields, layouts, rules."""

from typing import Final

from sandbox.fields import described
from sandbox.lead_fields import SandboxField
from sandbox.records import CONTACTS_MODULE, USER
from sandbox.replies import Reply, invalid_module, missing_param
from sandbox.state import Sandbox

STANDARD_LAYOUT: Final = {"id": "488800000000091055", "name": "Standard", "api_name": "Standard__s"}
MAPPED: Final = {"current_field": "Leads", "mapped_field": "Contacts"}
Params = dict[str, str]


def users(_: Sandbox, _params: Params) -> Reply:
    """Return the one user."""
    user = {
        **USER,
        "first_name": "Sandbox",
        "last_name": "User",
        "full_name": USER["name"],
        "status": "active",
        "zuid": "775000001",
        "time_zone": "Europe/Istanbul",
        "country": "TR",
        "locale": "en_GB",
        "language": "en_GB",
        "role": {"name": "CEO", "id": "488800000000015966"},
        "profile": {"name": "Administrator", "id": "488800000000015972"},
        "confirm": True,
    }
    info = {"per_page": 200, "count": 1, "page": 1, "more_records": False}
    return Reply(200, {"users": [user], "info": info})


def org(_: Sandbox, _params: Params) -> Reply:
    """Return the organisation."""
    one = {
        "id": "488800000000014004",
        "zgid": "775000099",
        "company_name": "Sandbox Clinic",
        "country": "Turkey",
        "country_code": "TR",
        "time_zone": "Europe/Istanbul",
        "currency": "Pound Sterling - GBP",
        "iso_code": "GBP",
        "license_details": {"paid": True, "paid_type": "enterprise", "users_license_purchased": 5},
        "type": "sandbox",
    }
    return Reply(200, {"org": [one]})


def modules(sandbox: Sandbox, _: Params) -> Reply:
    """Return the modules."""
    shown = [
        {
            "id": str(488_800_000_000_002_175 + place),
            "api_name": name,
            "module_name": name,
            "plural_label": name,
            "singular_label": name[:-1],
            "api_supported": True,
            "generated_type": "default",
            "creatable": True,
            "editable": True,
            "deletable": True,
            "viewable": True,
            "visible": True,
            "modified_time": None,
        }
        for place, name in enumerate(sandbox.fields.modules())
    ]
    return Reply(200, {"modules": shown})


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


def layouts(sandbox: Sandbox, params: Params) -> Reply:
    """Return the one layout of a module."""
    _, specs = module_of(sandbox, params)
    section = {"api_name": "Information", "fields": [{"api_name": name} for name in specs]}
    return Reply(
        200, {"layouts": [{**STANDARD_LAYOUT, "visible": True, "status": "active", "sections": [section]}]}
    )


def assignment_rules(sandbox: Sandbox, params: Params) -> Reply:
    """Return one assignment rule."""
    name, _ = module_of(sandbox, params)
    rule = {
        "id": "488800000000451001",
        "name": "Web enquiries",
        "module": {"api_name": name, "id": "488800000000002175"},
        "default_assignee": {"name": USER["name"], "id": USER["id"]},
        "description": None,
        "created_by": USER,
        "modified_by": USER,
    }
    return Reply(200, {"assignment_rules": [rule]})


def duplicate_check_preference(sandbox: Sandbox, params: Params) -> Reply:
    """Return the preference: Email is checked against contacts too. Reply 204 when it is off."""
    module_of(sandbox, params)
    if not sandbox.limits.duplicate_check_preference:
        return Reply(204, None)
    mapping = {name: {"api_name": "Email", "name": module} for name, module in MAPPED.items()}
    contacts = {"api_name": "Contacts", "name": "Contacts", "id": CONTACTS_MODULE}
    configured = [{"field_mappings": [mapping], "mapped_module": contacts}]
    preference = {"type": "mapped_module_records", "type_configurations": configured}
    return Reply(200, {"duplicate_check_preference": preference})
