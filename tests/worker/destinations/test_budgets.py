"""The budgets of acknowledgements: nobody is flooded through the form, and no lead is lost over it."""

from __future__ import annotations

import pytest

from leads.lifecycle import Skipped, Unavailable
from leads.outbox import budgets
from leads.outbox.budgets import find_beyond
from leads.outbox.claim import claim
from tests.support.database import change, rows_of
from tests.support.pipeline import deliver, make_due
from tests.support.samples import LEAD, record_lead

OWED = {"zoho": 0.0, "visitor": 0.0}


@pytest.fixture
def environment(crm_environment, mail_port, box):
    server = f"smtp://127.0.0.1:{mail_port}"
    return {**crm_environment, "SMTP_URL": server, "MAIL_FROM": "enquiries@clinic.example"}


def store(engine, count=1, email="ann@example.com"):
    return [record_lead(engine, {**LEAD, "email": email}, owed=OWED).id for _ in range(count)]


def test_a_fourth_mail_to_one_address_within_a_day_is_skipped_and_its_lead_is_delivered(context, sandbox, box):
    store(context.engine, 5)
    store(context.engine, 1, "bob@example.com")
    assert sorted(deliver(context, "visitor")) == ["LIMIT"] * 2 + ["SENT"] * 4
    assert sorted(mail["recipient"] for mail in box.mails()) == ["ann@example.com"] * 3 + ["bob@example.com"]
    (reason,) = rows_of(context.engine, "SELECT DISTINCT last_error FROM deliveries WHERE status = 'skipped'")
    assert reason["last_error"] == "LIMIT: too many e-mails for one address within a day"
    assert deliver(context) == ["SENT"] * 6
    assert len(sandbox.records()) == 6


@pytest.mark.parametrize("other", ["ann@example.com", "Ann+sale@Example.Com"])
def test_mails_of_the_same_day_count_and_those_of_the_day_before_do_not(context, other):
    store(context.engine, 3)
    deliver(context, "visitor")
    store(context.engine, 1, other)
    assert deliver(context, "visitor") == ["LIMIT"]
    change(context.engine, "UPDATE deliveries SET sent_at = sent_at - interval '23 hours'")
    store(context.engine, 1, other)
    assert deliver(context, "visitor") == ["LIMIT"]
    change(context.engine, "UPDATE deliveries SET sent_at = sent_at - interval '2 hours'")
    store(context.engine, 1, other)
    assert deliver(context, "visitor") == ["SENT"]


def test_beyond_the_budget_of_all_mails_wait_for_the_next_hour_and_spend_no_try(context, monkeypatch):
    monkeypatch.setattr(budgets, "MAILS_AN_HOUR", 2)
    for number in range(3):
        store(context.engine, 1, f"a{number}@example.com")
    assert deliver(context, "visitor") == ["SENT", "SENT", "LIMIT"]
    waiting = rows_of(context.engine, "SELECT retry_count FROM deliveries WHERE status = 'pending'")
    assert waiting == [{"retry_count": 0}] * 4  # three to the CRM
    change(context.engine, "UPDATE deliveries SET sent_at = sent_at - interval '61 minutes'")
    assert deliver(context, "visitor") == []  # the destination is paused meanwhile
    make_due(context)
    assert deliver(context, "visitor") == ["SENT"]


@pytest.mark.parametrize(("limit", "outcome"), [("MAILS_TO_A_MAILBOX", Skipped), ("MAILS_AN_HOUR", Unavailable)])
def test_of_mails_that_several_workers_send_at_once_the_earliest_count(engine, monkeypatch, limit, outcome):
    monkeypatch.setattr(budgets, limit, 3)
    ids = [store(engine, 1, f"{n if limit == 'MAILS_AN_HOUR' else 0}@example.com")[0] for n in range(5)]
    assert all(claim(engine, "visitor", row_id, call_id="c") for row_id in ids)
    beyond = find_beyond(engine)
    assert {row_id: type(what) for row_id, what in beyond.items()} == dict.fromkeys(ids[3:], outcome)
