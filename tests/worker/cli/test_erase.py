"""The operator's commands about erasures: what they do, and that they never say whom."""

from __future__ import annotations

import json
import logging

import pytest

from tests.support.database import rows_of
from tests.support.erasure import KEY, work_off
from tests.support.pipeline import deliver
from tests.support.samples import LEAD, record_lead


@pytest.fixture(autouse=True)
def key(crm_environment):
    crm_environment["ERASURE_KEY"] = KEY


def test_the_command_erases_and_says_so_without_saying_who(run, context, sandbox, caplog):
    caplog.set_level(logging.DEBUG)
    record_lead(context.engine, LEAD)
    deliver(context)
    assert "Would erase 1 lead and 0 clicks." in run("erase", "--email", "ann@example.com", "--dry-run").output
    assert len(sandbox.records()) == 1
    shown = run("erase", "--email", " Ann@Example.com ", "--phone", "+44 (7911) 123-456", "--by", "bob")
    assert shown.exit_code == 0, shown.output
    assert "Erased 1 lead and 0 clicks." in shown.output
    assert "CRM: 1 deleted now." in shown.output
    assert sandbox.records() == []
    again = run("erase", "--email", "ann@example.com")
    assert "No data about this person" in again.output
    listed = run("erasures")
    (row,) = json.loads(run("erasures", "--json").output)
    assert (row["by"], row["leads"], row["records_deleted"], row["open"]) == ("bob", 1, 1, 1)
    for text in (shown.output, again.output, listed.output, caplog.text):
        assert "ann@" not in text.lower()
        assert "7911" not in text


def test_a_record_of_an_erasure_is_found_by_the_person_and_by_nobody_without_the_key(run, context, crm_environment):
    record_lead(context.engine, LEAD)
    run("erase", "--email", "ann@example.com")
    (row,) = json.loads(run("erasures", "--email", "ANN@example.com", "--json").output)
    assert row["leads"] == 1
    assert "No erasure of that person." in run("erasures", "--email", "bob@example.com").output
    crm_environment["ERASURE_KEY"] = "another key of sixteen letters"
    assert "No erasure of that person." in run("erasures", "--email", "ann@example.com").output
    crm_environment["ERASURE_KEY"] = ""
    assert run("erasures", "--email", "ann@example.com").exit_code == 1


def test_without_a_key_a_person_is_erased_all_the_same(run, context, crm_environment):
    record_lead(context.engine, LEAD)
    crm_environment["ERASURE_KEY"] = ""
    shown = run("erase", "--email", "ann@example.com")
    assert "ERASURE_KEY is not set" in shown.output
    assert rows_of(context.engine, "SELECT email_hash, phone_hash FROM erasures") == [
        {"email_hash": None, "phone_hash": None}
    ]


def test_nobody_or_nonsense_is_not_erased(run):
    assert run("erase").exit_code == 2
    for words in (("--email", "ann"), ("--phone", "07911 123456"), ("--email", "%")):
        shown = run("erase", *words)
        assert shown.exit_code == 2
        assert words[1] not in shown.output.replace("+44 7911 123456", "")


def test_an_erasure_without_a_crm_leaves_its_part_to_the_workers(run, context, crm_environment, sandbox):
    record_lead(context.engine, LEAD)
    deliver(context)
    crm_environment["ZOHO_CLIENT_ID"] = ""
    assert "the CRM is not set up here" in run("erase", "--email", "ann@example.com").output
    assert work_off(context).deleted == 1
    assert sandbox.records() == []


def test_the_crm_is_cleared_without_the_settings_of_mail(run, context, crm_environment, sandbox):
    """An operator's command needs what it does itself; that workers could not send mail is theirs to say."""
    record_lead(context.engine, LEAD)
    deliver(context)
    crm_environment |= {"MAIL_FROM": "clinic@clinic.example", "SMTP_URL": ""}
    assert "CRM: 1 deleted now." in run("erase", "--email", "ann@example.com").output
    assert sandbox.records() == []
    assert run("reconcile").exit_code == 0
