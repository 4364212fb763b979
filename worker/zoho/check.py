"""Checks a CRM organisation before leads depend on it, and can add the custom fields that it lacks.

Gives a report as data; printing it is the command line's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worker.crm.port import CallFailed, CheckReport, Finding, Level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worker.zoho.client import FieldInfo, ZohoClient
    from worker.zoho.config import ZohoConfig
from worker.crm.port import CustomField

# What delivery needs: scope of the module, and the operations that one of the alternatives must cover.
# Zoho CRM API v8: Scopes; WRITE stands for CREATE, UPDATE and DELETE.
_NEEDED = (
    ("modules.leads", "CREATE"),
    ("modules.leads", "UPDATE"),
    ("modules.leads", "READ"),
    # For erasure alone.
    ("modules.leads", "DELETE"),
    ("settings.recycle_bin", "DELETE"),
    ("settings.fields", "READ"),
)
_WIDER = {
    "READ": {"READ", "ALL"},
    **{operation: {operation, "WRITE", "ALL"} for operation in ("CREATE", "UPDATE", "DELETE")},
}
# A type that holds what another is asked for, beside itself.
_HOLDS = {"text": {"textarea", "website"}}


def check(
    client: ZohoClient,
    config: ZohoConfig,
    specs: Sequence[CustomField],
    *,
    module: str = "Leads",
    create: bool = False,
) -> CheckReport:
    """Looks at credentials, token, scopes, organisation and each needed field of the module.

    create adds the missing fields first. What cannot be looked at is a finding, never an exception.
    """
    findings = _credentials(config)
    if findings[0].level is Level.OK:
        findings += _access(client)
    if findings[-1].level is not Level.PROBLEM:
        findings.append(_organisation(client))
        findings += _fields(client, specs, module, create=create)
    return CheckReport(tuple(findings))


def _credentials(config: ZohoConfig) -> list[Finding]:
    given = {
        "client id": config.client_id,
        "client secret": config.client_secret,
        "refresh token": config.refresh_token,
    }
    missing = [name for name, value in given.items() if not value.strip()]
    if missing:
        return [Finding("credentials", Level.PROBLEM, f"not set: {', '.join(missing)}")]
    return [Finding("credentials", Level.OK, f"accounts at {config.accounts_url}, API at {config.api_url}")]


def _access(client: ZohoClient) -> list[Finding]:
    try:
        granted = client.probe()
    except CallFailed as failure:
        return [Finding("token", Level.PROBLEM, _describe(failure))]
    token = Finding("token", Level.OK, "an access token was given")
    if not granted:
        return [token, Finding("scopes", Level.NOTE, "the token does not say what it may do")]
    lacking = [
        f"ZohoCRM.{scope}.{operation}" for scope, operation in _NEEDED if not _covers(granted, scope, operation)
    ]
    if lacking:
        # A problem for the calls that need them, and those say so themselves below.
        return [token, Finding("scopes", Level.NOTE, f"not among the granted scopes: {', '.join(lacking)}")]
    return [token, Finding("scopes", Level.OK, "everything that delivery and erasure need")]


def _covers(granted: Sequence[str], scope: str, operation: str) -> bool:
    group, _, _ = scope.partition(".")
    names = {f"zohocrm.{scope}", f"zohocrm.{group}"}
    for entry in granted:
        name, _, allowed = entry.rpartition(".")
        if name.lower() in names and allowed.upper() in _WIDER[operation]:
            return True
    return False


def _organisation(client: ZohoClient) -> Finding:
    try:
        found = client.organisation()
    except CallFailed as failure:
        return Finding("organisation", Level.NOTE, f"its name cannot be read: {_describe(failure)}")
    return Finding("organisation", Level.OK, f"{found.name} ({found.id})")


def _fields(client: ZohoClient, specs: Sequence[CustomField], module: str, *, create: bool) -> list[Finding]:
    try:
        found = {field.api_name: field for field in client.fields(module)}
        made = {spec.name: _create(client, spec, module) for spec in specs if create and spec.name not in found}
        if made:
            found = {field.api_name: field for field in client.fields(module)}
    except CallFailed as failure:
        return [Finding("fields", Level.PROBLEM, f"the fields of {module} cannot be read: {_describe(failure)}")]
    return [_field(spec, found.get(spec.name), made.get(spec.name)) for spec in specs]


def _create(client: ZohoClient, spec: CustomField, module: str) -> str:
    """What the CRM said to a new field: "" when it was made."""
    try:
        result = client.create_field(module, spec)
    except CallFailed as failure:
        return _describe(failure)
    return "" if result.ok else f"{result.code} {result.detail}".strip()


def _field(spec: CustomField, found: FieldInfo | None, refusal: str | None) -> Finding:
    if found is None:
        if refusal:
            return Finding(spec.name, Level.PROBLEM, f"could not be created: {refusal}")
        why = "missing" if refusal is None else "was created under another API name; look at its label"
        return Finding(spec.name, Level.PROBLEM, f"{why} (needed: {_wanted(spec)})")
    problem = _mismatch(spec, found)
    if problem:
        return Finding(spec.name, Level.PROBLEM, problem)
    if refusal is not None:
        return Finding(spec.name, Level.CREATED, _wanted(spec))
    return Finding(spec.name, Level.OK, _wanted(spec))


def _mismatch(spec: CustomField, found: FieldInfo) -> str:
    if found.data_type != spec.data_type and found.data_type not in _HOLDS.get(spec.data_type, ()):
        return f"is of type {found.data_type}, needed: {spec.data_type}"
    if spec.unique and not found.unique:
        return "does not forbid duplicate values; without that a lost reply makes a second record"
    if found.length < spec.length:
        return f"holds {found.length} characters, needed: {spec.length}"
    return ""


def _wanted(spec: CustomField) -> str:
    length = f", {spec.length} characters" if spec.length else ""
    return f"{spec.data_type}{length}{', unique' if spec.unique else ''}"


def _describe(failure: CallFailed) -> str:
    wait = failure.retry_after_seconds
    return f"{failure.code} ({failure.failure})" + (f", again in {wait:.0f} s" if wait else "")
