"""The day's limit of acknowledgements: nobody is flooded through the form, and no lead is lost over it."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from leads.mail.mailbox import mailbox_of, paying_domain
from leads.outbox.budgets import MailBudgets, choose_mails
from leads.outbox.lease import begin, claim, sweep
from leads.outbox.rows import Lane
from leads.outbox.store import record_lead
from tests.support.database import change, rows_of
from tests.support.messages import make_due, send
from tests.support.messages import states as states_of
from tests.support.samples import LEAD
from worker.delivery.deliver import deliver
from worker.delivery.threads import DestinationThread

OWED = {"zoho": 0.0, "visitor": 0.0}
BUDGETS = MailBudgets(per_mailbox=3, per_domain=1000, per_client=1000, per_hour=1000)


@pytest.fixture
def environment(crm_environment, mail_port, box):
    server = f"smtp://127.0.0.1:{mail_port}"
    return {**crm_environment, "SMTP_URL": server, "MAIL_FROM": "enquiries@clinic.example"}


def store(engine, count=1, email="ann@example.com"):
    for _ in range(count):
        record_lead(engine, {**LEAD, "email": email}, owed=OWED)


def states(engine):
    return states_of(engine, "visitor")


def send_mails(context, **more):
    """Send what is due; gives how many were sent, and how many were skipped for their budgets."""
    before = states(context.engine).get("skipped", 0)
    counts = send(context, "visitor", **more)
    skipped = states(context.engine).get("skipped", 0) - before
    return {**counts, "skipped": skipped} if skipped else counts


def choose(engine, rows, lane=Lane.FRESH):
    return choose_mails(engine, lane, rows=rows, budgets=BUDGETS)


def test_a_fourth_mail_to_one_address_within_a_day_is_skipped_and_its_lead_is_delivered(context, sandbox, box):
    store(context.engine, 5)
    store(context.engine, 1, "bob@example.com")
    assert send_mails(context) == {"sent": 4, "skipped": 2}
    assert sorted(mail["recipient"] for mail in box.mails()) == ["ann@example.com"] * 3 + ["bob@example.com"]
    (reason,) = rows_of(context.engine, "SELECT DISTINCT last_error FROM deliveries WHERE status = 'skipped'")
    assert reason["last_error"] == "LIMIT: too many e-mails for one address within a day"
    assert deliver(context.delivery, context.crm, Lane.FRESH).sent == 6
    assert len(sandbox.records()) == 6


def test_mails_of_the_same_day_count_and_those_of_the_day_before_do_not(context):
    store(context.engine, 3)
    send_mails(context)
    store(context.engine)
    assert send_mails(context) == {"skipped": 1}
    change(context.engine, "UPDATE deliveries SET sent_at = sent_at - interval '25 hours'")
    store(context.engine)
    assert send_mails(context) == {"sent": 1}


@pytest.mark.parametrize("other", ["ANN@example.com", "ann+1@example.com", "Ann+sale@Example.Com"])
def test_another_spelling_of_the_mailbox_does_not_help(context, other):
    store(context.engine, 3)
    store(context.engine, 1, other)
    assert send_mails(context) == {"sent": 3, "skipped": 1}


def test_a_mailbox_is_read_from_an_address():
    assert mailbox_of("A.n.n+x@gmail.com") == mailbox_of("ann@GMAIL.com") == "ann@gmail.com"
    assert mailbox_of("a.nn@example.com") == "a.nn@example.com"
    assert mailbox_of("+@example.com") == "+@example.com"


def test_mails_that_wait_for_the_server_count_too(make_context):
    context = make_context(SMTP_URL="smtp://127.0.0.1:1")
    store(context.engine, 3)
    assert send_mails(context) == {"deferred": 3}
    store(context.engine)
    assert send_mails(context) == {"skipped": 1}


def test_a_mail_that_may_have_been_sent_is_not_skipped_when_its_worker_died(context):
    store(context.engine, 3)
    taken = claim(
        context.engine, Lane.FRESH, rows=3, lease_seconds=0, call_id="c", destination="visitor",
        among=choose(context.engine, 3),
    )  # fmt: skip
    begin(context.engine, taken)
    sweep(context.engine)
    store(context.engine, 3)
    make_due(context.engine)
    assert send_mails(context) == {"sent": 3, "skipped": 3}


def test_the_limit_holds_however_many_workers_claim_at_once(context):
    store(context.engine, 60)

    def take(_):
        among = choose(context.engine, 7)
        return claim(
            context.engine, Lane.FRESH, rows=7, lease_seconds=60, call_id="c", destination="visitor", among=among
        )

    with ThreadPoolExecutor(4) as pool:
        taken = list(pool.map(take, range(16)))
    assert sum(len(owed) for owed in taken) == 3
    assert states(context.engine) == {"sending": 3, "skipped": 57}


def test_a_mail_owed_by_older_code_has_no_mailbox_and_is_sent(context):
    store(context.engine)
    change(context.engine, "UPDATE mail_budgets SET mailbox = NULL")
    assert send_mails(context) == {"sent": 1}


def test_status_tells_what_became_of_the_mails(context, run):
    store(context.engine, 4)
    send_mails(context)
    store(context.engine, 2, "bob@example.com")
    one = "(SELECT id FROM leads WHERE email LIKE 'bob%' LIMIT 1)"
    change(context.engine, f"UPDATE deliveries SET status = 'dead' WHERE destination = 'visitor' AND id = {one}")
    shown = run("status").output
    assert "Visitor: 1 waiting, the oldest for " in shown
    assert "; 3 sent, 1 dead, 1 skipped" in shown
    told = json.loads(run("status", "--json").output)
    mails = told["messages"]["visitor"]
    assert {name: mails[name] for name in ("waiting", "sent", "dead", "skipped")} == {
        "waiting": 1, "sent": 3, "dead": 1, "skipped": 1,
    }  # fmt: skip
    assert mails["oldest_waiting_seconds"] >= 0


def test_a_lead_is_kept_whose_address_grows_in_small_letters(context):
    store(context.engine, email="\u0130" * 80 + "@example.com")
    assert states(context.engine) == {"pending": 1}


def budgets(context, **changed):
    """The same worker with other budgets."""
    (thread,) = [each for each in context.messages if each.destination.name == "visitor"]
    few = replace(thread.destination, settings=replace(context.settings, **changed))
    return replace(context, messages=(DestinationThread(context.delivery, few),))


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


def test_a_domain_that_takes_any_name_gets_no_more_than_its_budget(context, box):
    for number in range(6):
        store(context.engine, 1, f"ann{number}@sub{number}.catchall.example")
    store(context.engine, 1, "bob@gmail.com")
    assert send_mails(budgets(context, mail_per_domain_day=4)) == {"sent": 5, "skipped": 2}


def test_the_enquiries_of_one_network_get_no_more_than_its_budget_within_an_hour(context, box):
    for number in range(5):
        record_lead(context.engine, {**LEAD, "email": f"a{number}@gmail.com"}, owed=OWED, client="c1")
    record_lead(context.engine, {**LEAD, "email": "b@gmail.com"}, owed=OWED, client="c2")
    few = budgets(context, mail_per_client_hour=3)
    assert send_mails(few) == {"sent": 4, "skipped": 2}
    change(context.engine, "UPDATE deliveries SET sent_at = sent_at - interval '61 minutes'")
    record_lead(context.engine, {**LEAD, "email": "c@gmail.com"}, owed=OWED, client="c1")
    assert send_mails(few) == {"sent": 1}


def test_beyond_the_budget_of_all_mails_wait_and_the_last_part_is_for_fresh_ones(context, box):
    for number in range(12):
        store(context.engine, 1, f"a{number}@gmail.com")
    change(context.engine, "UPDATE deliveries SET next_retry_at = now() - interval '1 hour'")
    few = budgets(context, mail_per_hour=10)
    assert send_mails(few) == {"sent": 8}
    store(context.engine, 1, "fresh@gmail.com")
    assert send_mails(few) == {"sent": 1}
    assert "fresh@gmail.com" in {mail["recipient"] for mail in box.mails()}
    assert send_mails(few) == {}
    change(context.engine, "UPDATE deliveries SET sent_at = sent_at - interval '61 minutes'")
    assert send_mails(few) == {"sent": 4}


FLOOD = """
WITH stored AS (
    INSERT INTO leads (id, name, surname, email, country_code, phone, phone_e164)
    SELECT gen_random_uuid(), 'Ann', 'Example', 'ann' || n || '@gmail.com', '+44', '1', '+447911123456'
    FROM generate_series(1, :count) AS n RETURNING id, email
)
, counted AS (INSERT INTO mail_budgets (lead_id, mailbox, client) SELECT id, email, email FROM stored)
INSERT INTO deliveries (id, destination, kind, next_retry_at)
SELECT id, 'visitor', 'lead', now() - interval '10 minutes' FROM stored
"""


def test_an_honest_mail_does_not_wait_behind_five_thousand(context, box):
    change(context.engine, FLOOD, count=5000)
    store(context.engine, 1, "honest@example.org")
    assert send_mails(context, seconds=0)["sent"] == 20
    assert "honest@example.org" in {mail["recipient"] for mail in box.mails()}


def test_first_mails_go_before_further_ones(context):
    for number in range(30):
        record_lead(context.engine, {**LEAD, "email": f"a{number}@gmail.com"}, owed=OWED, client=f"c{number % 3}")
    record_lead(context.engine, {**LEAD, "email": "b@gmail.com"}, owed=OWED, client="c9")
    chosen = choose(context.engine, 4)
    clients = rows_of(context.engine, "SELECT client FROM mail_budgets WHERE lead_id = ANY(:ids)", ids=list(chosen))
    assert len(chosen) == 4
    assert {row["client"] for row in clients} == {"c0", "c1", "c2", "c9"}
