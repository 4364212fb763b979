"""`status`: what an operator sees first, and the exit code for cron."""

import json

import pytest

from leads.advice import advice_here
from leads.lifecycle import Reason
from leads.outbox.holds import Held, settle_held
from leads.outbox.pause import pause
from tests.support.database import change
from tests.support.samples import LEAD, WEBHOOK_SECRET, record_lead


@pytest.fixture
def status(run, valkey):
    def show(*words, color=False, **variables):
        return run("status", *words, env={"REDIS_URL": valkey.url, **variables}, color=color)

    return show


def store_failing_lead(engine):
    record_lead(engine, LEAD)
    change(
        engine,
        "UPDATE crm_deliveries SET zoho_status = 'retrying', retry_count = 2, last_error = 'CONNECTION_LOST: x',"
        " next_retry_at = now() + interval '2 min', queued_at = now() - interval '20 min'",
    )
    change(
        engine,
        "INSERT INTO attempts (destination, kind, row_id, event, code, at)"
        " SELECT 'zoho', 'lead', id, 'retry', 'CONNECTION_LOST', now() - interval '20 min' FROM leads",
    )


def test_a_lone_lead_in_an_outage_is_seen_though_nothing_is_paused(status, engine):
    """Each failure makes the row due later, so how long it has been due says nothing."""
    store_failing_lead(engine)
    shown = " ".join(status().output.split())
    assert "The CRM has failed for 20 min: CONNECTION_LOST, 1 lead waits, next try" in shown
    assert "Waiting: the oldest row to zoho for 20 min" in shown
    assert "All is well" not in shown


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("oldest", 1),
        ("oldest=3600", 0),
        ("failing", 1),
        ("failing=1800", 0),
        ("refused", 0),
        ("paused", 0),
        ("redis", 0),
        ("workers", 1),
    ],
)
def test_cron_gets_an_exit_code(status, engine, condition, code):
    store_failing_lead(engine)
    done = status("--fail-if", condition)
    assert done.exit_code == code
    assert ("Failed: " in done.output) == bool(code)


def test_a_pause_and_dead_rows_fail_the_check(status, engine):
    record_lead(engine, LEAD)
    change(engine, "UPDATE crm_deliveries SET zoho_status = 'dead', last_error = 'INVALID_DATA: Last_Name'")
    pause(engine, "zoho", Reason.PAUSED, "maintenance", by="ann")
    done = status("--fail-if", "refused", "--fail-if", "paused")
    assert done.exit_code == 1
    assert "refused is 1, paused is" in done.output
    shown = " ".join(done.output.split())
    assert "The CRM is PAUSED (paused, by ann)" in shown
    assert "maintenance; until an operator resumes" in shown
    assert "Refused: 1 to zoho GIVEN UP (INVALID_DATA: Last_Name)" in shown


def test_a_database_that_is_gone_is_the_verdict_with_what_to_do(status):
    done = status(DATABASE_URL="postgresql://nobody@127.0.0.1:1/none")
    assert done.exit_code == 1
    shown = " ".join(done.output.split())
    assert "Database: NO ENQUIRY CAN BE STORED (PostgreSQL does not answer: OperationalError)" in shown
    assert "Not running:" in shown
    assert "GB free at" in shown


@pytest.mark.parametrize("condition", ["moon", "refused=x", "=1", ""])
def test_an_unknown_condition_is_refused(status, condition):
    assert status("--fail-if", condition).exit_code == 2


def test_json_has_everything(status, engine):
    store_failing_lead(engine)
    document = json.loads(status("--json").output)
    assert document["reasons"][0]["code"] == "CONNECTION_LOST"
    assert document["redis_error"] is None
    assert document["destinations"]["zoho"]["reason"] is None
    found = {trouble["name"]: trouble["advice"] for trouble in document["troubles"] if trouble["is_red"]}
    assert found == {name: advice_here(name) for name in ("workers", "failing", "oldest")}


def test_a_product_without_trouble_says_so(status, engine):
    change(engine, "UPDATE destinations SET seen_at = now()")
    assert status().output.startswith("All is well.\n")
    record_lead(engine, LEAD)
    change(engine, "UPDATE crm_deliveries SET zoho_status = 'dead'")
    assert "All is well" not in status().output


def test_a_destination_that_has_rows_and_is_not_set_up_here_is_named(status, engine):
    """As after a deployment that adds one, while the workers' settings do not."""
    record_lead(engine, LEAD, owed={"zoho": 0.0, "staff-webhook": 0.0})
    change(engine, "UPDATE deliveries SET queued_at = now() - interval '20 min'")
    words = "staff-webhook: NOT SET UP in these settings"
    assert words in " ".join(status().output.split())
    assert json.loads(status("--json").output)["not_set_up"] == ["staff-webhook"]
    known = {"LEAD_WEBHOOK_URL": "https://staff.example/hook", "LEAD_WEBHOOK_SECRET": WEBHOOK_SECRET}
    assert words not in " ".join(status(**known).output.split())


def test_held_rows_that_wait_for_a_person_are_shown_in_red_and_fail_the_check(status, engine):
    receipt = record_lead(engine, LEAD, held=Held.FLOOD)
    assert "WAIT FOR A PERSON" not in status().output
    change(engine, "UPDATE deliveries SET queued_at = now() - interval '11 minutes'")
    settle_held(engine)
    shown = status("--fail-if", "held", color=True)
    assert shown.exit_code == 1
    assert "\x1b[31mHeld: 1 WAIT FOR A PERSON and are not in the CRM (1 flood):" in shown.output
    assert json.loads(status("--json").output)["held"][0]["reference"] == receipt.reference
