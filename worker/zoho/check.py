"""The check of a CRM organisation before leads depend on it; it can create missing custom fields."""

from collections.abc import Sequence

from worker.crm.port import CallFailed, CustomField, Finding, Level
from worker.zoho.client import MODULE, FieldInfo, ZohoClient
from worker.zoho.errors import CODES

# The scopes and operations that delivery and erasure need.
# Zoho CRM API v8: Scopes; WRITE means CREATE, UPDATE and DELETE.
_NEEDED_SCOPES = (
    ("modules.leads", "CREATE"),
    ("modules.leads", "UPDATE"),
    ("modules.leads", "READ"),
    # Erasure alone needs these two.
    ("modules.leads", "DELETE"),
    ("settings.recycle_bin", "DELETE"),
    ("settings.fields", "READ"),
)
# The operations of a granted scope that cover a needed one.
_COVERING = {
    "READ": {"READ", "ALL"},
    **{operation: {operation, "WRITE", "ALL"} for operation in ("CREATE", "UPDATE", "DELETE")},
}
# Standard fields that an organisation may have marked as unique, though people enquire more than once. An upsert
# also looks up user-defined unique fields that it does not name (Zoho CRM API v7: Upsert Records).
_UNIQUE = "does not allow duplicate values: a person's second enquiry"
UNIQUE_CONTACTS = (
    Finding("Email", Level.NOTE, f"{_UNIQUE} arrives with the address in Description"),
    Finding("Phone", Level.PROBLEM, f"{_UNIQUE} overwrites the first, and deliveries stop; allow them"),
)
REMEDIES = {
    "TOKEN_BUDGET": "the access token was refused, and tokens are asked for 90 s apart; run this again then",
    "TOKEN_THROTTLED": "too many tokens were asked for; wait ten minutes",
}


def check(client: ZohoClient, specs: Sequence[CustomField], *, create: bool = False) -> list[Finding]:
    """Check credentials, token, scopes and each needed field; `create` the missing ones first.

    What cannot be checked is a finding, never an exception.
    """
    hosts = f"accounts at {client.config.accounts_url}, API at {client.config.api_url}"
    findings = [Finding("credentials", Level.OK, hosts), *_check_access(client)]
    if findings[-1].level is not Level.PROBLEM:
        findings += _check_fields(client, specs, create=create)
    return findings


def _check_access(client: ZohoClient) -> list[Finding]:
    try:
        is_new = client.renew_token()
        granted = client.scopes()
    except CallFailed as failure:
        return [Finding("token", Level.PROBLEM, _describe(failure))]
    # A kept access token works for an hour after its refresh token was revoked.
    kept = "a kept access token is used; the refresh token was not tried, because mints are 90 s apart"
    words = "the refresh token works" if is_new else kept
    token = Finding("token", Level.OK if is_new else Level.NOTE, words)
    if not granted:
        return [token, Finding("scopes", Level.NOTE, "the token does not list its scopes")]
    lacking = [".".join(("ZohoCRM", *needed)) for needed in _NEEDED_SCOPES if not _covers(granted, *needed)]
    if lacking:
        # No problem by itself: the calls below that need these scopes report their own.
        return [token, Finding("scopes", Level.NOTE, f"scopes not granted: {', '.join(lacking)}")]
    return [token, Finding("scopes", Level.OK, "everything that delivery and erasure need")]


def _covers(granted: Sequence[str], scope: str, operation: str) -> bool:
    names = {f"zohocrm.{scope}", f"zohocrm.{scope.partition('.')[0]}"}
    parts = (entry.rpartition(".") for entry in granted)
    return any(name.lower() in names and allowed.upper() in _COVERING[operation] for name, _, allowed in parts)


def _check_fields(client: ZohoClient, specs: Sequence[CustomField], *, create: bool) -> list[Finding]:
    try:
        found = {field.api_name: field for field in client.fields()}
        refusals = {spec.name: _create(client, spec) for spec in specs if create and spec.name not in found}
        if refusals:
            found = {field.api_name: field for field in client.fields()}
    except CallFailed as failure:
        return [Finding("fields", Level.PROBLEM, f"the fields of {MODULE} cannot be read: {_describe(failure)}")]
    return [
        *(_check_field(spec, found.get(spec.name), refusals.get(spec.name)) for spec in specs),
        *(each for each in UNIQUE_CONTACTS if each.subject in found and found[each.subject].unique),
    ]


def _create(client: ZohoClient, spec: CustomField) -> str:
    """Create a field; the CRM's refusal, or "" on success."""
    try:
        client.create_field(spec)
    except CallFailed as failure:
        return f"{_describe(failure)} {failure.detail}".strip()
    return ""


def _check_field(spec: CustomField, found: FieldInfo | None, refusal: str | None) -> Finding:
    # Leads arrive without any field but the event id; what it would have held is then not in the CRM.
    level = Level.PROBLEM if spec.unique else Level.NOTE
    if found is None:
        if refusal:
            return Finding(spec.name, level, f"could not be created: {refusal}")
        why = "missing" if refusal is None else "was created under another API name; check its label"
        lost = "" if spec.unique else f"; the CRM drops {spec.holds}"
        return Finding(spec.name, level, f"{why}{lost} (wanted: {_requirement(spec)})")
    problem = found.mismatch(spec)
    if problem:
        return Finding(spec.name, level, problem)
    if refusal is not None:
        return Finding(spec.name, Level.CREATED, _requirement(spec))
    return Finding(spec.name, Level.OK, _requirement(spec))


def _requirement(spec: CustomField) -> str:
    length = f", {spec.length} characters" if spec.length else ""
    return f"{spec.data_type}{length}{', unique' if spec.unique else ''}"


def _describe(failure: CallFailed) -> str:
    wait, remedy = failure.retry_after_seconds, REMEDIES.get(failure.code, "")
    if not remedy and failure.code in CODES:
        remedy = CODES[failure.code].note
    again = f", again in {wait:.0f} s" if wait else ""
    return f"{failure.code} ({failure.failure}){again}" + (f": {remedy}" if remedy else "")
