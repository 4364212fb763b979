"""The operator's commands about erasures: what they do, and that they never say whom."""

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
    assert "The workers delete the copies in the CRM" in shown.output
    assert work_off(context).deleted == 1
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


def test_without_a_key_a_person_is_erased_and_the_register_names_nobody(run, context, sandbox):
    record_lead(context.engine, LEAD)
    deliver(context)
    without = {"ERASURE_KEY": ""}
    assert "ERASURE_KEY is not set" in run("erase", "--email", "ann@example.com", env=without).output
    assert rows_of(context.engine, "SELECT 1 FROM leads") == []
    (row,) = rows_of(context.engine, "SELECT email_hash, phone_hash FROM erasures")
    assert set(row.values()) == {None}
    assert work_off(context).deleted == 1
    assert sandbox.records() == []
    assert run("erasures", "--email", "ann@example.com", env=without).exit_code == 1
