"""Which of the e-mails that are due may be sent now, in which order, and which never will."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy import text

from dev.servers.waiting import wait_until
from leads.outbox import budgets
from leads.outbox.budgets import MailBudgets, choose_mails
from leads.outbox.rows import Lane
from leads.outbox.store import record_lead
from tests.support.database import change, rows_of
from tests.support.samples import LEAD

BUDGETS = MailBudgets(per_mailbox=100, per_domain=100, per_client=100, per_hour=1000)


@pytest.fixture
def due(engine):
    """Store a lead whose acknowledgement has been due for so many minutes."""

    def store(mailbox="a@gmail.com", client=None, minutes=1.0, **columns):
        lead = record_lead(engine, {**LEAD, "email": mailbox}, owed={"zoho": 0.0, "visitor": 0.0}, client=client).id
        columns["next_retry_at"] = f"now() - make_interval(secs => {60 * minutes})"
        values = ", ".join(f"{column} = {value}" for column, value in columns.items())
        change(engine, f"UPDATE deliveries SET {values} WHERE destination = 'visitor' AND id = :id", id=lead)
        return lead

    return store


def choose(engine, rows=99, lane=Lane.FRESH, **more):
    return choose_mails(engine, lane, rows=rows, budgets=replace(BUDGETS, **more))


def skipped(engine):
    found = rows_of(engine, "SELECT id, destination, last_error FROM deliveries WHERE status = 'skipped'")
    return {row["id"]: (row["destination"], row["last_error"]) for row in found}


def test_the_oldest_and_the_newest_are_chosen_in_turn(engine, due, monkeypatch):
    leads = [due(f"a{minutes}@gmail.com", minutes=minutes) for minutes in (6, 5, 4, 3, 2, 1)]
    due("later@gmail.com", minutes=-5)
    due("again@gmail.com", status="'retrying'")
    assert [leads.index(lead) for lead in choose(engine)] == [0, 5, 1, 4, 2, 3]
    assert [leads.index(lead) for lead in choose(engine, 3)] == [0, 5, 1]
    monkeypatch.setattr(budgets, "CONSIDERED", 2)
    assert [leads.index(lead) for lead in choose(engine)] == [0, 5, 1, 4]


def test_each_lane_has_its_own(engine, due):
    due("a@gmail.com")
    again = due("b@gmail.com", status="'retrying'")
    assert choose(engine, lane=Lane.RETRY) == [again]


@pytest.mark.parametrize(
    ("mailbox", "client", "order"),
    [("a@gmail.com", "other", "abcd"), ("d@gmail.com", "c-a", "abcd"), (None, None, "adbc")],
    ids=["a second one to a mailbox", "a second one of a network", "nothing is known of it"],
)
def test_first_ones_go_before_further_ones(engine, due, mailbox, client, order):
    leads = {
        due(f"{name}@gmail.com", f"c-{name}", minutes): name for name, minutes in (("a", 9), ("b", 8), ("c", 7))
    }
    last = due(mailbox or "d@gmail.com", client, 6)
    if mailbox is None:
        change(engine, "UPDATE mail_budgets SET mailbox = NULL, domain = NULL WHERE lead_id = :id", id=last)
    assert "".join((leads | {last: "d"})[lead] for lead in choose(engine)) == order


@pytest.mark.parametrize(
    ("budget", "given", "words"),
    [
        ("per_mailbox", [("a@gmail.com", None)] * 3, "address within a day"),
        ("per_domain", [(f"{name}@x.catchall.example", None) for name in "abc"], "domain within a day"),
        ("per_client", [(f"{name}@gmail.com", "c") for name in "abc"], "visitor's network within an hour"),
    ],
)
def test_what_is_beyond_a_budget_is_never_sent_and_its_lead_is(engine, due, budget, given, words):
    *kept, beyond = (due(*each, minutes) for each, minutes in zip(given, (9, 8, 7), strict=True))
    assert {*choose(engine, **{budget: 2})} == {*kept}
    assert skipped(engine) == {beyond: ("visitor", f"LIMIT: too many e-mails for one {words}")}
    assert {*choose(engine, **{budget: 2})} == {*kept}


@pytest.mark.parametrize(
    ("before", "counts"),
    [
        ({"status": "'sent'", "sent_at": "now() - interval '23 hours'"}, True),
        ({"status": "'sent'", "sent_at": "now() - interval '25 hours'"}, False),
        ({"status": "'sending'"}, True),
        ({"status": "'retrying'", "minutes": -5}, True),
        ({"status": "'dead'"}, False),
    ],
    ids=["sent today", "sent yesterday", "being sent", "waiting", "given up"],
)
def test_what_counts_towards_a_mailbox(engine, due, before, counts):
    due(**before)
    lead = due()
    assert choose(engine, per_mailbox=1) == ([] if counts else [lead])


def test_what_was_sent_counts_though_it_came_later(engine, due):
    lead = due(minutes=9)
    due(status="'sent'", sent_at="now()")
    assert choose(engine, per_mailbox=1) == []
    assert lead in skipped(engine)


def test_what_may_have_been_sent_already_goes_first_and_whatever_the_budgets_say(engine, due):
    due("b@gmail.com", "c", minutes=9)
    due("c@gmail.com", "c", minutes=5)
    due(minutes=9, status="'sent'", sent_at="now()")
    again = due(minutes=8, lost_leases=1)
    chosen = choose(engine, per_mailbox=1)
    assert (chosen[0], len(chosen), skipped(engine)) == (again, 3, {})
    change(engine, "UPDATE deliveries SET next_retry_at = now() - interval '1 hour'")
    assert choose(engine, per_mailbox=1, per_hour=2) == [again]


@pytest.mark.parametrize(("minutes", "chosen"), [(1.9, 10), (2.1, 8)], ids=["of these minutes", "of the backlog"])
def test_the_last_part_of_an_hours_budget_is_for_what_became_due_just_now(engine, due, minutes, chosen):
    for number in range(12):
        due(f"a{number}@gmail.com", minutes=minutes)
    assert len(choose(engine, per_hour=10)) == chosen


@pytest.mark.parametrize(
    ("before", "destination", "left"),
    [
        ("status = 'sent', sent_at = now() - interval '59 minutes'", "visitor", 1),
        ("status = 'sent', sent_at = now() - interval '61 minutes'", "visitor", 2),
        ("status = 'sending'", "visitor", 1),
        ("status = 'dead'", "visitor", 2),
        ("status = 'sent', sent_at = now()", "zoho", 2),
        ("status = 'sending'", "zoho", 2),
    ],
)
def test_what_counts_towards_the_budget_of_all(engine, due, before, destination, left):
    lead = due("b@gmail.com", status="'dead'")
    change(engine, f"UPDATE deliveries SET {before} WHERE destination = '{destination}' AND id = :id", id=lead)
    for number in range(3):
        due(f"a{number}@gmail.com")
    assert len(choose(engine, per_hour=2)) == left


def test_one_that_is_claimed_meanwhile_is_not_skipped(engine, due):
    due(minutes=9, status="'sent'", sent_at="now()")
    lead = due()
    waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    with ThreadPoolExecutor(1) as pool, engine.connect() as other:
        other.execution_options(isolation_level="READ COMMITTED").begin()
        claim = "UPDATE deliveries SET status = 'sending' WHERE id = :id AND destination = 'visitor'"
        other.execute(text(claim), {"id": lead})
        choosing = pool.submit(choose, engine, per_mailbox=1)
        assert wait_until(lambda: rows_of(engine, waiting), 10)
        other.commit()
        assert choosing.result() == []
    assert skipped(engine) == {}
