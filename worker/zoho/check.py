"""Checks a CRM organisation before leads depend on it, and can add the custom fields that it lacks.

Gives a report as data; printing it is the command line's.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from worker.zoho.errors import CallFailed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worker.zoho.client import ZohoClient
    from worker.zoho.config import ZohoConfig
    from worker.zoho.fields import FieldInfo, FieldSpec


class Mark(StrEnum):
    """How a finding stands: fine, done just now, worth knowing, or in the way of delivery."""

    OK = "ok"
    CREATED = "created"
    NOTE = "note"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at; subject is "credentials", "token", "scopes", "organisation" or a field's API name."""

    subject: str
    mark: Mark
    text: str


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What was found, in the order in which it was looked at."""

    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing stands in the way of delivery."""
        return all(finding.mark is not Mark.PROBLEM for finding in self.findings)


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
    specs: Sequence[FieldSpec],
    *,
    module: str = "Leads",
    create: bool = False,
) -> CheckReport:
    """Looks at credentials, token, scopes, organisation and each needed field of the module.

    create adds the missing fields first. What cannot be looked at is a finding, never an exception.
    """
    findings = _credentials(config)
    if findings[0].mark is Mark.OK:
        findings += _access(client)
    if findings[-1].mark is not Mark.PROBLEM:
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
        return [Finding("credentials", Mark.PROBLEM, f"not set: {', '.join(missing)}")]
    return [Finding("credentials", Mark.OK, f"accounts at {config.accounts_url}, API at {config.api_url}")]


def _access(client: ZohoClient) -> list[Finding]:
    try:
        granted = client.probe()
    except CallFailed as failure:
        return [Finding("token", Mark.PROBLEM, _said(failure))]
    token = Finding("token", Mark.OK, "an access token was given")
    if not granted:
        return [token, Finding("scopes", Mark.NOTE, "the token does not say what it may do")]
    lacking = [
        f"ZohoCRM.{scope}.{operation}" for scope, operation in _NEEDED if not _covers(granted, scope, operation)
    ]
    if lacking:
        # A problem for the calls that need them, and those say so themselves below.
        return [token, Finding("scopes", Mark.NOTE, f"not among the granted scopes: {', '.join(lacking)}")]
    return [token, Finding("scopes", Mark.OK, "everything that delivery and erasure need")]


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
        return Finding("organisation", Mark.NOTE, f"its name cannot be read: {_said(failure)}")
    return Finding("organisation", Mark.OK, f"{found.name} ({found.id})")


def _fields(client: ZohoClient, specs: Sequence[FieldSpec], module: str, *, create: bool) -> list[Finding]:
    try:
        found = {field.api_name: field for field in client.fields(module)}
        made = {
            spec.api_name: _create(client, spec, module) for spec in specs if create and spec.api_name not in found
        }
        if made:
            found = {field.api_name: field for field in client.fields(module)}
    except CallFailed as failure:
        return [Finding("fields", Mark.PROBLEM, f"the fields of {module} cannot be read: {_said(failure)}")]
    return [_field(spec, found.get(spec.api_name), made.get(spec.api_name)) for spec in specs]


def _create(client: ZohoClient, spec: FieldSpec, module: str) -> str:
    """What the CRM said to a new field: "" when it was made."""
    try:
        verdict = client.create_field(module, spec)
    except CallFailed as failure:
        return _said(failure)
    return "" if verdict.ok else f"{verdict.code} {verdict.detail}".strip()


def _field(spec: FieldSpec, found: FieldInfo | None, refusal: str | None) -> Finding:
    if found is None:
        if refusal:
            return Finding(spec.api_name, Mark.PROBLEM, f"could not be created: {refusal}")
        why = "missing" if refusal is None else "was created under another API name; look at its label"
        return Finding(spec.api_name, Mark.PROBLEM, f"{why} (needed: {_wanted(spec)})")
    problem = _mismatch(spec, found)
    if problem:
        return Finding(spec.api_name, Mark.PROBLEM, problem)
    if refusal is not None:
        return Finding(spec.api_name, Mark.CREATED, _wanted(spec))
    return Finding(spec.api_name, Mark.OK, _wanted(spec))


def _mismatch(spec: FieldSpec, found: FieldInfo) -> str:
    if found.data_type != spec.data_type and found.data_type not in _HOLDS.get(spec.data_type, ()):
        return f"is of type {found.data_type}, needed: {spec.data_type}"
    if spec.unique and not found.unique:
        return "does not forbid duplicate values; without that a lost reply makes a second record"
    if found.length < spec.length:
        return f"holds {found.length} characters, needed: {spec.length}"
    return ""


def _wanted(spec: FieldSpec) -> str:
    length = f", {spec.length} characters" if spec.length else ""
    return f"{spec.data_type}{length}{', unique' if spec.unique else ''}"


def _said(failure: CallFailed) -> str:
    wait = failure.retry_after_seconds
    return f"{failure.code} ({failure.failure})" + (f", again in {wait:.0f} s" if wait else "")
