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
    assert len(json.loads(run("erasures", "--email", "ANN@example.com", "--json").output)) == 1
    assert "No erasure of that person." in run("erasures", "--email", "bob@example.com").output
    for text in (shown.output, again.output, listed.output, caplog.text):
        assert "ann@" not in text.lower()
        assert "7911" not in text


def test_nobody_or_nonsense_is_not_erased(run):
    assert run("erase").exit_code == 2
    for words in (("--email", "ann"), ("--phone", "07911 123456"), ("--email", "%")):
        shown = run("erase", *words)
        assert shown.exit_code == 2
        assert words[1] not in shown.output.replace("+44 7911 123456", "")


@pytest.mark.parametrize(
    ("settings", "words", "left"),
    [
        ({"ERASURE_KEY": ""}, "ERASURE_KEY is not set", 0),
        ({"ZOHO_CLIENT_ID": ""}, "the CRM is not set up here", 1),
        # An operator's command needs what it does itself; that workers could not send mail is theirs to say.
        ({"MAIL_FROM": "clinic@clinic.example", "SMTP_URL": ""}, "CRM: 1 deleted now.", 0),
    ],
)
def test_a_person_is_erased_whatever_else_is_not_set(run, context, sandbox, settings, words, left):
    """And what it cannot do itself, it leaves to the workers."""
    record_lead(context.engine, LEAD)
    deliver(context)
    assert words in run("erase", "--email", "ann@example.com", env=settings).output
    assert rows_of(context.engine, "SELECT 1 FROM leads") == []
    (row,) = rows_of(context.engine, "SELECT email_hash, phone_hash FROM erasures")
    assert (set(row.values()) == {None}) == ("ERASURE_KEY" in settings)
    assert len(sandbox.records()) == left
    assert work_off(context).deleted == left
    assert sandbox.records() == []
    assert run("erasures", "--email", "ann@example.com", env=settings).exit_code == ("ERASURE_KEY" in settings)
