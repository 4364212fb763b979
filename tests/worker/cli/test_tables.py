"""What the commands print fits a terminal of 80 columns, and JSON has all of it."""

from __future__ import annotations

import json

import pytest

from leads.crm_state.fields import record_field_check
from leads.lifecycle import Reason
from leads.outbox.holds import Held
from leads.outbox.pause import pause
from leads.outbox.store import record_click, record_lead
from tests.support.database import change
from tests.support.erasure import KEY
from tests.support.pipeline import deliver
from tests.support.samples import CLICK, LEAD
from worker.cli.commands import operate
from worker.cli.terminal import show

WIDTH = 80
LONG = "a reason that nobody could say in fewer words: " + "and another, " * 8
FIELD = "A_Field_Whose_Name_Is_As_Long_As_Zoho_Lets_It_Be_And_Then_A_Little"
GONE = "gone@example.com"
# Each with something that stands in what it prints.
TABLES = [
    (["status"], "MISSING or unfit in the CRM"),
    (["waiting"], "retrying"),
    (["waiting", "--state", "dead"], "INVALID_DATA"),
    (["waiting", "--state", "held"], "honeypot"),
    (["show", LEAD["email"]], "retrying"),
    (["show", "AB12C"], "01234567"),
    (["redrive", "--all", "--dry-run"], "INVALID_DATA"),
    (["release", "--all", "--dry-run"], "honeypot"),
    (["check"], "Submitted_At"),
    (["reconcile"], "missing"),
    (["erase", "--email", LEAD["email"], "--dry-run"], "Would erase"),
    (["erasures"], "ann"),
]
NAMES = [" ".join(words) for words, _ in TABLES]
# They list nothing: a sentence, or a document.
WITHOUT_TABLE = {"pause", "resume", "export"}


@pytest.fixture
def environment(crm_environment):
    more = {"COLUMNS": str(WIDTH), "ERASURE_KEY": KEY, "ZOHO_FIELD_MAP": f"utm_source={FIELD}"}
    return crm_environment | more


@pytest.fixture
def seeded(run, context):
    """Rows in every state, with the longest texts that there may be; gives the id of the retrying lead."""
    engine = context.engine
    record_lead(engine, {**LEAD, "email": GONE, "phone_e164": "+447911999999"})
    deliver(context)
    assert run("erase", "--email", GONE, "--by", "ann of the patients' office").exit_code == 0
    change(engine, "UPDATE erased_rows SET last_error = :error", error=LONG)
    failed = (
        "UPDATE crm_deliveries SET zoho_status = :status, last_error = :error, last_retry_at = now() WHERE id = :id"
    )
    change(engine, failed, status="dead", error=f"INVALID_DATA: {LONG}", id=record_lead(engine, LEAD).id)
    retrying = record_lead(engine, LEAD).id
    change(engine, failed, status="retrying", error=f"RECORD_LOCKED: {LONG}", id=retrying)
    change(engine, failed, status="sent", error=None, id=(sent := record_lead(engine, LEAD).id))
    change(engine, "UPDATE crm_deliveries SET zoho_sent_at = now(), zoho_record_id = '1' WHERE id = :id", id=sent)
    record_lead(engine, LEAD, held=Held.HONEYPOT)
    click = record_click(engine, {**CLICK, "unique_code": "AB12C"})
    change(
        engine,
        "INSERT INTO crm_attempts (kind, row_id, event, code, http_status, detail, call_id, next_retry_at)"
        " VALUES ('click', :id, 'retry', 'RECORD_LOCKED', 200, :detail, :call, now() + interval '2 days')",
        id=click,
        detail=LONG,
        call="0123456789abcdef" * 2 + ".a.b.r-2",
    )
    record_click(engine, {**CLICK, "unique_code": "X" * 80, "session_id": "other"})
    assert run("pause", "--why", LONG, "--by", "ann of the patients' office (Flower)").exit_code == 0
    assert run("resume").exit_code == 0
    record_field_check(engine, [FIELD, *(f"Field_{number}" for number in range(20))])
    return retrying


@pytest.mark.parametrize(("words", "known"), TABLES, ids=NAMES)
def test_a_table_fits_a_narrow_terminal_and_is_there_as_json(run, context, seeded, words, known):
    if words == ["status"]:
        pause(context.engine, "zoho", Reason.CONFIGURATION, LONG, by="ann of the patients' office (Flower)")
    shown = run(*words)
    assert shown.exit_code in {0, 1}, shown.output
    assert known in shown.output
    assert [line for line in shown.output.splitlines() if len(line) > WIDTH] == []
    assert json.loads(run(*words, "--json").stdout)


def test_every_command_that_lists_is_tried():
    assert {words[0] for words, _ in TABLES} == set(operate.commands) - WITHOUT_TABLE


def test_json_has_what_a_table_shortens(run, seeded):
    assert str(seeded) not in run("waiting").output
    found = {row["id"] for row in json.loads(run("waiting", "--json").output)}
    assert str(seeded) in found


def test_the_newest_rows_are_listed_up_to_the_limit(run, seeded, engine):
    change(engine, "UPDATE whatsapp_clicks SET created_at = now() + interval '1 min'")
    change(engine, "UPDATE crm_deliveries SET zoho_status = 'dead' WHERE kind = 'click'")
    listed = json.loads(run("waiting", "--state", "dead", "--limit", "2", "--json").output)
    assert [row["kind"] for row in listed] == ["click", "click"]


@pytest.mark.parametrize("command", ["waiting", "erasures"])
def test_no_row_at_all_is_not_asked_for(run, command):
    assert run(command, "--limit", "0").exit_code == 2


def test_what_looks_like_markup_is_printed_as_it_is(capsys):
    show([{"text": "[bold]:smile: WhatsApp [AB12C]"}], ["text"], as_json=False, empty="")
    assert "[bold]:smile: WhatsApp [AB12C]" in capsys.readouterr().out
