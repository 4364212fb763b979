"""The day's limit of acknowledgements: nobody is flooded through the form, and no lead is lost over it."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from click.testing import CliRunner

from dev.servers.state_files import free_port
from leads.mail.acknowledgements import MailBudgets, claim_owed
from leads.mail.mailbox import mailbox_of, paying_domain
from leads.mail.owed import count_messages
from leads.outbox.rows import Lane
from leads.outbox.store import record_lead
from leads.settings import read_settings
from sandbox.process import SandboxProcess
from tests.support.database import change, rows_of
from tests.support.samples import LEAD
from worker.cli.commands import operate
from worker.context import make_context
from worker.delivery.deliver import deliver
from worker.jobs.acknowledgements import acknowledge

BUDGETS = MailBudgets(per_mailbox=3, per_domain=1000, per_client=1000, per_hour=1000)


@pytest.fixture
def mail(tmp_path):
    port = free_port()
    with SandboxProcess.start(tmp_path / "mail", mail_port=port) as process:
        process.smtp_url = f"smtp://127.0.0.1:{port}"
        yield process


@pytest.fixture
def environment(crm_environment, mail):
    return {**crm_environment, "SMTP_URL": mail.smtp_url, "MAIL_FROM": "enquiries@clinic.example"}


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
    assert reason["last_error"] == "LIMIT: too many e-mails for one address within a day"
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
    claim_owed(context.engine, rows=3, lease_seconds=0, budgets=BUDGETS)
    store(context.engine, 3)
    assert acknowledge(context.mail) == {"sent": 3, "skipped": 3}


def test_the_limit_holds_however_many_workers_claim_at_once(context):
    store(context.engine, 60)

    def claim(_):
        return claim_owed(context.engine, rows=7, lease_seconds=60, budgets=BUDGETS)

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
    counted = count_messages(context.engine, "acknowledgements")
    assert (counted.owed, counted.sent, counted.failed, counted.skipped) == (1, 3, 1, 1)
    shown = CliRunner().invoke(operate, ["status"], env=environment).output
    assert "Acknowledgements: 1 owed (oldest due " in shown
    assert ", 3 sent, 1 failed, 1 skipped" in shown
    told = json.loads(CliRunner().invoke(operate, ["status", "--json"], env=environment).output)
    oldest = told["acknowledgements"].pop("oldest_due_seconds")
    assert told["acknowledgements"] == {"owed": 1, "sent": 3, "failed": 1, "skipped": 1}
    assert oldest >= 0


def test_a_lead_is_kept_whose_address_grows_in_small_letters(context):
    store(context.engine, email="\u0130" * 80 + "@example.com")
    assert states(context.engine) == {"pending": 1}


def budgets(context, **changed):
    return replace(context.mail, settings=replace(context.settings, **changed))


SPELLINGS = [
    "v@\uff45xample.com",
    "v@\u24d4xample.com",
    "v@exa\u00admple.com",
    '"v"@example.com',
    "V@EXAMPLE.com",
    "v+1@example.com.",
]


@pytest.mark.parametrize("other", SPELLINGS)
def test_no_spelling_of_a_domain_makes_another_mailbox(other):
    assert mailbox_of(other) == "v@example.com"


def test_aliases_of_one_provider_are_one_mailbox():
    assert mailbox_of("a.nn+x@googlemail.com") == mailbox_of("ann@gmail.com")
    assert mailbox_of("a-n_n@pm.me") == mailbox_of("ann@proton.me")


@pytest.mark.parametrize(
    ("mailbox", "domain"),
    [
        ("a@x.y.example.com", "example.com"),
        ("a@x.example.co.uk", "example.co.uk"),
        ("a@example.co.uk", "example.co.uk"),
        ("a@gmail.com", None),
        ("a@btinternet.com", None),
    ],
)
def test_a_domain_pays_for_all_names_below_it_and_large_providers_do_not(mailbox, domain):
    assert paying_domain(mailbox) == domain


def test_a_domain_that_takes_any_name_gets_no_more_than_its_budget(context, mail):
    for number in range(6):
        store(context.engine, 1, f"ann{number}@sub{number}.catchall.example")
    store(context.engine, 1, "bob@gmail.com")
    assert acknowledge(budgets(context, mail_per_domain_day=4)) == {"sent": 5, "skipped": 2}


def test_the_enquiries_of_one_network_get_no_more_than_its_budget_within_an_hour(context, mail):
    for number in range(5):
        record_lead(context.engine, {**LEAD, "email": f"a{number}@gmail.com"}, acknowledge=True, client="c1")
    record_lead(context.engine, {**LEAD, "email": "b@gmail.com"}, acknowledge=True, client="c2")
    few = budgets(context, mail_per_client_hour=3)
    assert acknowledge(few) == {"sent": 4, "skipped": 2}
    change(context.engine, "UPDATE acknowledgements SET sent_at = sent_at - interval '61 minutes'")
    record_lead(context.engine, {**LEAD, "email": "c@gmail.com"}, acknowledge=True, client="c1")
    assert acknowledge(few) == {"sent": 1}


def test_beyond_the_budget_of_all_mails_wait_and_the_last_part_is_for_fresh_ones(context, mail):
    for number in range(12):
        store(context.engine, 1, f"a{number}@gmail.com")
    change(context.engine, "UPDATE acknowledgements SET next_retry_at = now() - interval '1 hour'")
    few = budgets(context, mail_per_hour=10)
    assert acknowledge(few) == {"sent": 8}
    store(context.engine, 1, "fresh@gmail.com")
    assert acknowledge(few) == {"sent": 1}
    assert "fresh@gmail.com" in {mail["recipient"] for mail in mail.mails()}
    assert acknowledge(few) == {}
    change(context.engine, "UPDATE acknowledgements SET sent_at = sent_at - interval '61 minutes'")
    assert acknowledge(few) == {"sent": 4}


FLOOD = """
WITH stored AS (
    INSERT INTO leads (id, name, surname, email, country_code, phone, phone_e164)
    SELECT gen_random_uuid(), 'Ann', 'Example', 'ann' || n || '@gmail.com', '+44', '1', '+447911123456'
    FROM generate_series(1, :count) AS n RETURNING id, email
)
INSERT INTO acknowledgements (lead_id, mailbox, client, next_retry_at)
SELECT id, email, email, now() - interval '10 minutes' FROM stored
"""


def test_an_honest_mail_does_not_wait_behind_five_thousand(context, mail):
    change(context.engine, FLOOD, count=5000)
    store(context.engine, 1, "honest@example.org")
    assert acknowledge(context.mail, seconds=0)["sent"] == 20
    assert "honest@example.org" in {mail["recipient"] for mail in mail.mails()}


def test_first_mails_go_before_further_ones(context):
    for number in range(30):
        record_lead(
            context.engine, {**LEAD, "email": f"a{number}@gmail.com"}, acknowledge=True, client=f"c{number % 3}"
        )
    record_lead(context.engine, {**LEAD, "email": "b@gmail.com"}, acknowledge=True, client="c9")
    owed, _ = claim_owed(context.engine, rows=4, lease_seconds=60, budgets=BUDGETS)
    clients = rows_of(context.engine, "SELECT client FROM acknowledgements WHERE status = 'sending'")
    assert len(owed) == 4
    assert {row["client"] for row in clients} == {"c0", "c1", "c2", "c9"}
