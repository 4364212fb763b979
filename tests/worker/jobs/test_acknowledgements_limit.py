"""The day's limit of acknowledgements: nobody is flooded through the form, and no lead is lost over it."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from click.testing import CliRunner

from dev.sandbox.process import SandboxProcess
from dev.servers.state_files import free_port
from leads.mail.acknowledgements import claim_owed, count_acknowledgements
from leads.mail.mailbox import mailbox_of
from leads.outbox.rows import Lane
from leads.outbox.store import record_lead
from leads.settings import read_settings
from tests.support.database import change, rows_of
from tests.support.samples import LEAD
from worker.cli.commands import operate
from worker.context import make_context
from worker.delivery.deliver import deliver
from worker.jobs.acknowledgements import acknowledge


@pytest.fixture
def mail(tmp_path):
    port = free_port()
    with SandboxProcess.start(tmp_path / "mail", mail_port=port) as process:
        process.smtp_url = f"smtp://127.0.0.1:{port}"
        yield process


@pytest.fixture
def environment(crm_environment, mail):
    return {**crm_environment, "SMTP_URL": mail.smtp_url}


@pytest.fixture
def context(environment):
    context = make_context(read_settings(environment))
    yield context
    context.close()


def store(engine, count=1, email="ann@example.com"):
    for _ in range(count):
        record_lead(engine, {**LEAD, "email": email}, acknowledge=True)


def states(engine):
    found = rows_of(engine, "SELECT status, count(*) AS n FROM acknowledgements GROUP BY status")
    return {row["status"]: row["n"] for row in found}


def test_a_fourth_mail_to_one_address_within_a_day_is_skipped_and_its_lead_is_delivered(context, sandbox, mail):
    store(context.engine, 5)
    store(context.engine, 1, "bob@example.com")
    assert acknowledge(context.mail) == {"sent": 4, "skipped": 2}
    assert sorted(mail["recipient"] for mail in mail.mails()) == ["ann@example.com"] * 3 + ["bob@example.com"]
    (reason,) = rows_of(context.engine, "SELECT DISTINCT last_error FROM acknowledgements WHERE status = 'skipped'")
    assert reason["last_error"] == "LIMIT: more than 3 e-mails to this address within a day"
    assert deliver(context.delivery, Lane.FRESH).sent == 6
    assert len(sandbox.records()) == 6


def test_mails_of_the_same_day_count_and_those_of_the_day_before_do_not(context):
    store(context.engine, 3)
    acknowledge(context.mail)
    store(context.engine)
    assert acknowledge(context.mail) == {"skipped": 1}
    change(context.engine, "UPDATE acknowledgements SET sent_at = sent_at - interval '25 hours'")
    store(context.engine)
    assert acknowledge(context.mail) == {"sent": 1}


@pytest.mark.parametrize("other", ["ANN@example.com", "ann+1@example.com", "Ann+sale@Example.Com"])
def test_another_spelling_of_the_mailbox_does_not_help(context, other):
    store(context.engine, 3)
    store(context.engine, 1, other)
    assert acknowledge(context.mail) == {"sent": 3, "skipped": 1}


def test_a_mailbox_is_read_from_an_address():
    assert mailbox_of("A.n.n+x@gmail.com") == mailbox_of("ann@GMAIL.com") == "ann@gmail.com"
    assert mailbox_of("a.nn@example.com") == "a.nn@example.com"
    assert mailbox_of("+@example.com") == "+@example.com"


def test_mails_that_wait_for_the_server_count_too(context, mail):
    mail.stop()
    store(context.engine, 3)
    assert acknowledge(context.mail) == {"retrying": 3}
    store(context.engine)
    assert acknowledge(context.mail) == {"skipped": 1}


def test_a_mail_that_may_have_been_sent_is_not_skipped_when_its_worker_died(context):
    store(context.engine, 3)
    claim_owed(context.engine, rows=3, lease_seconds=0, daily_limit=3)
    store(context.engine, 3)
    assert acknowledge(context.mail) == {"sent": 3, "skipped": 3}


def test_the_limit_holds_however_many_workers_claim_at_once(context):
    store(context.engine, 60)

    def claim(_):
        return claim_owed(context.engine, rows=7, lease_seconds=60, daily_limit=3)

    with ThreadPoolExecutor(4) as pool:
        taken = list(pool.map(claim, range(16)))
    assert sum(len(owed) for owed, _ in taken) == 3
    assert states(context.engine) == {"sending": 3, "skipped": 57}


def test_a_mail_owed_by_older_code_has_no_mailbox_and_is_sent(context):
    store(context.engine)
    change(context.engine, "UPDATE acknowledgements SET mailbox = NULL")
    assert acknowledge(context.mail) == {"sent": 1}


def test_status_tells_what_became_of_the_mails(context, environment):
    store(context.engine, 4)
    acknowledge(context.mail)
    store(context.engine, 2, "bob@example.com")
    one = "(SELECT id FROM leads WHERE email LIKE 'bob%' LIMIT 1)"
    change(context.engine, f"UPDATE acknowledgements SET status = 'dead' WHERE lead_id = {one}")
    counted = count_acknowledgements(context.engine)
    assert (counted.owed, counted.sent, counted.failed, counted.skipped) == (1, 3, 1, 1)
    shown = CliRunner().invoke(operate, ["status"], env=environment).output
    assert "Acknowledgements: 1 owed (oldest due " in shown
    assert ", 3 sent, 1 failed, 1 skipped over the daily limit" in shown
    told = json.loads(CliRunner().invoke(operate, ["status", "--json"], env=environment).output)
    oldest = told["acknowledgements"].pop("oldest_due_seconds")
    assert told["acknowledgements"] == {"owed": 1, "sent": 3, "failed": 1, "skipped": 1}
    assert oldest >= 0


def test_a_lead_is_kept_whose_address_grows_in_small_letters(context):
    store(context.engine, email="\u0130" * 80 + "@example.com")
    assert states(context.engine) == {"pending": 1}
