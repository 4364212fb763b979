"""The check of an organisation says what stands in the way, and can add what is missing."""

import pytest

from tests.support.token_store import MemoryTokenStore
from tools.sandbox.lead_fields import CUSTOM
from tools.sandbox.process import SandboxProcess
from worker.crm.fields import DEFAULT_FIELDS, ESSENTIAL_FIELDS, custom_fields, needed_fields
from worker.crm.port import CustomField, Level
from worker.zoho.auth import MINT_SPACING_SECONDS
from worker.zoho.check import check
from worker.zoho.client import FieldInfo, ZohoClient

CUSTOM_FIELDS = custom_fields(DEFAULT_FIELDS)
SPEC = CustomField("Website_Event_ID", "Website Event ID", "text", 100, unique=True)


def marks(report, mark):
    return [finding.subject for finding in report if finding.level is mark]


def is_ready(report):
    return marks(report, Level.PROBLEM) == []


def test_the_sandbox_has_everything_that_delivery_needs(make_client):
    report = check(make_client(), CUSTOM_FIELDS)
    assert is_ready(report), report
    assert marks(report, Level.OK)[:3] == ["credentials", "token", "scopes"]
    assert len(report) == 3 + len(CUSTOM_FIELDS)


def test_a_small_edition_needs_nine_fields_and_gets_no_more(tmp_path, make_config):
    essential = custom_fields(ESSENTIAL_FIELDS)
    with SandboxProcess.start(tmp_path, without_fields=[spec.api_name for spec in CUSTOM]) as crm:
        config = make_config(accounts_url=crm.url, api_url=crm.url)
        client = ZohoClient(config, MemoryTokenStore())
        standard = {field.api_name for field in client.fields()}
        created = check(client, essential, create=True)
        after = check(client, essential)
        there = {field.api_name for field in client.fields()} - standard
        client.close()
    assert is_ready(created)
    assert len(marks(created, Level.CREATED)) == 9
    assert is_ready(after)
    assert sorted(there) == sorted(spec.name for spec in essential)


def test_missing_fields_are_named_then_created(tmp_path, make_config):
    without = ["Website_Event_ID", "Landing_URL", "Submitted_At", "UTM_Source"]
    with SandboxProcess.start(tmp_path, without_fields=without) as crm:
        config = make_config(accounts_url=crm.url, api_url=crm.url)
        client = ZohoClient(config, MemoryTokenStore())
        before, unfit = check(client, CUSTOM_FIELDS), client.unfit_fields(CUSTOM_FIELDS)
        created = check(client, CUSTOM_FIELDS, create=True)
        after = check(client, CUSTOM_FIELDS)
        client.close()
    assert marks(before, Level.PROBLEM) == ["Website_Event_ID"]  # without it nothing is exactly once
    lost = {item.subject: item.text for item in before if "the CRM drops" in item.text}
    assert sorted(lost) == ["Landing_URL", "Submitted_At", "UTM_Source"]
    assert "the CRM drops the landing url" in lost["Landing_URL"]
    assert sorted(unfit) == sorted(without)
    assert sorted(marks(created, Level.CREATED)) == sorted(without)
    assert is_ready(created)
    assert is_ready(after)
    assert marks(after, Level.CREATED) == []


@pytest.mark.parametrize(
    ("limit", "field", "level", "ready"),
    [("email_unique", "Email", Level.NOTE, True), ("phone_unique", "Phone", Level.PROBLEM, False)],
)
def test_a_unique_address_or_number_is_named(sandbox, make_client, limit, field, level, ready):
    sandbox.faults(limits={limit: True})
    report = check(make_client(), CUSTOM_FIELDS)
    assert marks(report, level) == [field]
    assert is_ready(report) is ready


@pytest.mark.parametrize(
    ("life", "subject", "words"),
    [
        ({"read_only_field": {"field": "UTM_Source"}}, "UTM_Source", "read-only for the API's user; the CRM drops"),
        ({"renamed_choice": {}}, "Lead_Source", "has no choice Website: "),
    ],
)
def test_what_changed_in_the_organisation_is_named_with_what_to_do(sandbox, make_client, life, subject, words):
    sandbox.faults(**life)
    report = check(make_client(), needed_fields(DEFAULT_FIELDS))
    (note,) = [finding for finding in report if finding.level is Level.NOTE]
    assert (note.subject, words in note.text, is_ready(report)) == (subject, True, True)


def test_a_refused_token_ends_the_check(make_client):
    changes = {"refresh_token": "1000.revoked"}
    report = check(make_client(**changes), CUSTOM_FIELDS)
    assert not is_ready(report)
    assert report[-1].subject == "token"
    assert "invalid_code" in report[-1].text


def test_a_revoked_refresh_token_is_found_though_an_access_token_still_works(sandbox, make_config):
    now = [0.0]
    client = ZohoClient(make_config(), MemoryTokenStore(lambda: now[0]))
    assert marks(check(client, CUSTOM_FIELDS), Level.PROBLEM) == []
    sandbox.faults(token_refused={"error": "invalid_code"})
    now[0] = MINT_SPACING_SECONDS
    reports = [check(client, CUSTOM_FIELDS) for _ in range(2)]  # the second may mint no token yet
    client.close()
    for report in reports:
        (problem,) = [finding for finding in report if finding.level is Level.PROBLEM]
        assert problem.subject == "token"
        assert "invalid_code" in problem.text
        assert "make a new one" in problem.text


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (FieldInfo("Website_Event_ID", "text", 100, unique=False), "duplicate values"),
        (FieldInfo("Website_Event_ID", "picklist", 120, unique=True), "of type picklist"),
        (FieldInfo("Website_Event_ID", "text", 20, unique=True), "holds 20 characters"),
        (FieldInfo("Website_Event_ID", "text", 100, unique=True, read_only=True), "a second record"),
    ],
)
def test_a_field_that_does_not_do_says_why(found, words):
    assert words in found.mismatch(SPEC)
