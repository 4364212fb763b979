"""Retention and customers: who became one in the CRM is kept, and nobody goes while the CRM cannot say."""

from __future__ import annotations

import json

import pytest

from leads.outbox.gate import Reason, shut_gate
from leads.outbox.holds import Held
from leads.outbox.rows import Lane
from leads.outbox.store import record_click, record_lead
from leads.privacy.retention import Terms, count_expired, list_runs, retain, retain_today
from tests.support.database import change, rows_of
from tests.support.samples import CLICK, LEAD
from worker.delivery.deliver import deliver
from worker.jobs.retention import make_ask

TERMS = Terms(months=24, days=30)


def deliver_all(context):
    while any(deliver(context.delivery, context.crm, lane).claimed for lane in Lane):
        pass


def age(engine):
    for table in ("leads", "whatsapp_clicks"):
        change(engine, f"UPDATE {table} SET created_at = now() - interval '25 months'")


def record_of(sandbox, row_id):
    (record,) = sandbox.records(Website_Event_ID=str(row_id))
    return record["id"]


def kept(engine, table="leads"):
    return [row["id"] for row in rows_of(engine, f"SELECT id FROM {table}")]


def test_a_customer_is_kept_and_others_go(context, sandbox):
    customer, other = (record_lead(context.engine, LEAD).id for _ in range(2))
    tap = record_click(context.engine, CLICK)
    deliver_all(context)
    sandbox.convert(record_of(sandbox, customer))
    sandbox.convert(record_of(sandbox, tap))
    age(context.engine)
    before = count_expired(context.engine, TERMS, make_ask(context.access))
    assert (before.leads, before.clicks, before.converted) == (1, 0, 2)
    done = retain(context.engine, TERMS, by="ada", ask=make_ask(context.access))
    assert (done.leads, done.clicks, done.converted, done.unasked, done.finished) == (1, 0, 2, 0, True)
    assert kept(context.engine) == [customer] != [other]
    assert kept(context.engine, "whatsapp_clicks") == [tap]
    assert len(sandbox.records()) == 3
    (run,) = list_runs(context.engine)
    assert (run["leads"], run["converted"]) == (1, 2)
    calls = len(sandbox.calls())
    assert retain(context.engine, TERMS, by="ada", ask=make_ask(context.access)).leads == 0
    assert len(sandbox.calls()) == calls  # nobody is asked about a known customer again


def test_a_customer_whose_reply_was_lost_is_found_by_the_event_id(context, sandbox):
    customer, other = (record_lead(context.engine, LEAD).id for _ in range(2))
    deliver_all(context)
    sandbox.convert(record_of(sandbox, customer))
    change(context.engine, "UPDATE crm_deliveries SET zoho_status = 'dead', zoho_record_id = NULL")
    age(context.engine)
    done = retain(context.engine, TERMS, by="ada", ask=make_ask(context.access))
    assert (done.leads, done.converted) == (1, 1)
    assert kept(context.engine) == [customer] != [other]


def test_a_row_that_was_never_sent_goes_without_a_question(context, sandbox):
    record_lead(context.engine, LEAD, held=Held.HONEYPOT)
    age(context.engine)
    assert retain(context.engine, TERMS, by="ada", ask=make_ask(context.access)).leads == 1
    assert sandbox.summary()["calls"] == 0


def test_a_record_that_was_deleted_in_the_crm_keeps_nobody(context, sandbox):
    lead = record_lead(context.engine, LEAD).id
    deliver_all(context)
    context.access.crm.delete(record_of(sandbox, lead), call_id="d")
    age(context.engine)
    assert retain(context.engine, TERMS, by="ada", ask=make_ask(context.access)).leads == 1


@pytest.mark.parametrize("away", ["gate", "error", "no CRM"])
def test_nobody_who_may_be_a_customer_goes_while_the_crm_cannot_say(context, sandbox, away):
    lead = record_lead(context.engine, LEAD).id
    deliver_all(context)
    record_lead(context.engine, LEAD, held=Held.HONEYPOT)
    age(context.engine)
    if away == "gate":
        shut_gate(context.engine, Reason.PAUSED, "test", by="ada")
    if away == "error":
        sandbox.faults(server_error={"path": "Leads"})
    ask = None if away == "no CRM" else make_ask(context.access)
    done = retain_today(context.engine, TERMS, by="w1", ask=ask, may_continue=lambda: True)
    assert done is not None
    assert (done.leads, done.unasked, done.finished) == (1, 1, False)
    assert kept(context.engine) == [lead]
    again = retain_today(context.engine, TERMS, by="w2", ask=ask, may_continue=lambda: True)
    assert again is None  # not at once
    sandbox.only_faults()
    change(context.engine, "UPDATE crm_gate SET state = 'open'")
    change(context.engine, "UPDATE retention_runs SET taken_until = now()")
    again = retain_today(context.engine, TERMS, by="w2", ask=make_ask(context.access), may_continue=lambda: True)
    assert again is not None
    assert (again.leads, again.finished) == (1, True)
    assert kept(context.engine) == []


def test_a_dry_run_asks_the_crm_and_changes_nothing(context, sandbox, run):
    customer, _ = (record_lead(context.engine, LEAD).id for _ in range(2))
    deliver_all(context)
    sandbox.convert(record_of(sandbox, customer))
    age(context.engine)
    result = run("retain", "--dry-run", "--json")
    (told,) = json.loads(result.stdout)
    assert (told["leads"], told["converted"], told["unasked"]) == (1, 1, 0)
    assert len(kept(context.engine)) == 2
    assert rows_of(context.engine, "SELECT 1 FROM leads WHERE converted_at IS NOT NULL") == []


def test_many_old_rows_are_asked_about_in_portions(context, sandbox):
    ids = [record_lead(context.engine, LEAD).id for _ in range(230)]
    deliver_all(context)
    for row_id in ids[::50]:
        sandbox.convert(record_of(sandbox, row_id))
    age(context.engine)
    calls = len(sandbox.calls())
    done = retain(context.engine, TERMS, by="ada", ask=make_ask(context.access))
    assert (done.leads, done.converted) == (225, 5)
    assert len(sandbox.calls()) - calls == 3


def test_a_question_takes_few_searches_so_that_the_tick_goes_on(context):
    ids = {record_lead(context.engine, LEAD).id for _ in range(12)}
    deliver_all(context)
    change(context.engine, "UPDATE crm_deliveries SET zoho_status = 'dead', zoho_record_id = NULL")
    age(context.engine)
    asked = []

    def ask(rows):
        asked.append({row.id for row in rows})
        return set()

    assert retain(context.engine, TERMS, by="ada", ask=ask).leads == 12
    assert [len(portion) for portion in asked] == [5, 5, 2]
    assert set.union(*asked) == ids
