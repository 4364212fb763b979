"""The operator's commands, run as the operator runs them, on a real database and the sandbox."""

import json
from dataclasses import astuple

import psycopg
import pytest

from leads.ids import short_id
from leads.outbox.holds import Held
from tests.support.database import change, rows_of
from tests.support.pipeline import deliver
from tests.support.samples import LEAD, record_lead


def test_pausing_says_who_and_why_and_resuming_opens(run):
    assert run("pause", "--why", "moving house", "--by", "ann").exit_code == 0
    shown = run("status").output
    assert "PAUSED" in shown
    assert "by ann" in shown
    assert "moving house" in shown
    assert run("resume").exit_code == 0
    assert "PAUSED" not in run("status").output
    assert run("pause").exit_code == 2  # a reason is required


def test_a_refused_row_is_listed_shown_and_redriven(run, context, sandbox):
    lead, reference, *_ = astuple(record_lead(context.engine, {**LEAD, "surname": "Poison"}))
    sandbox.faults(reject_word={"word": "Poison", "field": "Last_Name"})
    deliver(context)
    shown = run("waiting").output
    assert shown.splitlines()[2].split()[:4] == [short_id(lead), reference, "zoho", "retrying"]
    assert "INVALID_DATA" in shown
    assert "Nothing is dead." in run("waiting", "--state", "dead").output
    assert run("waiting", "--limit", "0").exit_code == 2
    story = run("show", short_id(lead)).output
    assert "claimed" in story
    assert "refused" in story
    assert "Poison" not in story
    assert run("redrive").exit_code == 2  # neither ids nor --all
    assert "1 row redriven" in run("redrive", "--code", "INVALID_DATA").output
    timeline = json.loads(run("show", str(lead), "--json").output)["timeline"]
    assert timeline[-1]["event"] == "redriven"
    sandbox.only_faults()
    assert deliver(context) == ["SENT"]
    assert run("waiting").output == "Nothing waits.\n"


@pytest.mark.parametrize("words", [["--all"], ["--code", "SMTP_554"], []], ids=" ".join)
def test_an_acknowledgement_of_weeks_ago_is_redriven_only_by_name(run, engine, words):
    lead, _ = (record_lead(engine, LEAD, owed={"zoho": 0.0, "visitor": 0.0}).id for _ in range(2))
    change(engine, "DELETE FROM deliveries WHERE destination = 'zoho' AND id <> :id", id=lead)
    change(engine, "UPDATE deliveries SET status = 'dead', last_retry_at = now(), last_error = 'SMTP_554: no'")
    change(engine, "UPDATE deliveries SET queued_at = now() - interval '3 weeks' WHERE id = :id", id=lead)
    asked = words or [str(lead)]
    assert run("redrive", *asked).exit_code == 0
    assert rows_of(engine, "SELECT count(*) AS n FROM deliveries WHERE status = 'pending'") == [{"n": 2}]


def test_a_redrive_is_narrowed_by_code_and_time(run, engine):
    for code in ("INVALID_DATA", "WORKER_LOST"):
        lead = record_lead(engine, LEAD).id
        dead = "status = 'dead', last_retry_at = now() - interval '2 h', last_error = :error"
        change(engine, f"UPDATE deliveries SET {dead} WHERE id = :id", error=f"{code}: why", id=lead)
    assert run("redrive", "--since", "soon").exit_code == 2
    assert "0 rows redriven." in run("redrive", "--since", "1h").output
    assert "1 row redriven." in run("redrive", "--code", "INVALID_DATA", "--since", "3h").output
    assert "1 row redriven." in run("redrive", "--all").output


def test_held_rows_are_listed_deleted_and_released(run, engine):
    record_lead(engine, LEAD, held=Held.HONEYPOT)
    (held,) = json.loads(run("waiting", "--state", "held", "--json").output)
    assert (held["kind"], held["code"]) == ("lead", "honeypot")
    assert "0 rows released" in run("release", "--code", "flood").output
    assert "1 row deleted" in run("release", "--spam", "--code", "honeypot").output
    assert rows_of(engine, "SELECT 1 FROM leads") == []
    record_lead(engine, LEAD, held=Held.HONEYPOT)
    assert "1 row released" in run("release", "--all").output


def test_an_unknown_or_ambiguous_word_is_said_so(run, engine):
    refused = run("show", "ffffffff")
    assert (refused.exit_code, "No row has that id" in refused.output) == (1, True)
    assert run("redrive", "ffffffff").exit_code == 1
    first = record_lead(engine, LEAD)
    record_lead(engine, LEAD)
    change(engine, "UPDATE leads SET reference = '123456'")
    change(engine, "UPDATE crm_deliveries SET zoho_status = 'dead'")
    refused = run("redrive", "123456")
    assert (refused.exit_code, "2 rows begin or are named like 123456" in refused.output) == (1, True)
    assert "1 row redriven." in run("redrive", short_id(first.id)).output
    assert "1 row redriven" in run("redrive", LEAD["phone_e164"]).output


@pytest.mark.parametrize(
    ("command", "state", "told"),
    [
        ("status", "away", ("PostgreSQL does not answer", "Not running: `make run`")),
        ("check", "away", ("PostgreSQL does not answer", "Not running: `make run`")),
        ("status", "empty", ("PostgreSQL refuses", "Behind the code:")),  # no migration has run there
        ("resume", "read-only", ("PostgreSQL refuses", "point it to the primary")),
    ],
)
def test_a_database_that_is_away_or_refuses_is_named_with_what_to_do(
    run, postgres, database_url, command, state, told
):
    url = {"away": "postgresql://u:hush@127.0.0.1:1/none", "empty": postgres.url}.get(state, database_url)
    if state == "read-only":
        with psycopg.connect(postgres.superuser_url, autocommit=True) as connection:
            name = database_url.rpartition("/")[2]
            connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    shown = run(command, env={"DATABASE_URL": url})
    assert (shown.exit_code, "Traceback" in shown.output) == (1, False)
    assert [words for words in told if words not in shown.output] == []
    assert "hush" not in shown.output


def test_check_finds_the_sandbox_ready_and_says_what_is_missing(run, crm_environment):
    ready = run("check")
    assert ready.exit_code == 0, ready.output
    assert "Ready: leads can be delivered." in ready.output
    crm_environment["ZOHO_FIELD_MAP"] = "utm_source=Brand_New_Field"
    missing = run("check", "--json")
    assert missing.exit_code == 0  # leads arrive without it
    found = {item["subject"]: item["text"] for item in json.loads(missing.output)}
    assert "missing; the CRM drops the utm source" in found["Brand_New_Field"]
    assert json.loads(run("status", "--json").output)["fields"]["missing"] == ["Brand_New_Field"]
    assert run("check", "--create").exit_code == 0
    assert "Fields: checked" in run("status").output
    crm_environment["ZOHO_CLIENT_ID"] = ""
    assert "ZOHO_CLIENT_ID" in run("check").output
