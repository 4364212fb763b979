"""Retention and customers: who became one in the CRM is kept, and nobody goes while the CRM cannot say."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from leads.crm_state.gate import Reason, shut_gate
from leads.outbox.rows import Lane
from leads.outbox.store import record_click, record_lead
from leads.privacy.retention import Terms, count_expired, list_runs, retain, retain_today
from tests.rows import CLICK, LEAD, change, rows_of
from worker.cli.commands import operate
from worker.delivery.deliver import deliver
from worker.jobs.retention import make_ask

TERMS = Terms(months=24, days=30)


def deliver_all(crm):
    while any(deliver(crm, lane).claimed for lane in Lane):
        pass


def age(engine):
    for table in ("leads", "whatsapp_clicks"):
        change(engine, f"UPDATE {table} SET created_at = now() - interval '25 months'")


def record_of(sandbox, row_id):
    (record,) = sandbox.records(Website_Event_ID=str(row_id))
    return record["id"]


def kept(engine, table="leads"):
    return [row["id"] for row in rows_of(engine, f"SELECT id FROM {table}")]


def test_a_customer_is_kept_and_others_go(crm, sandbox):
    customer, other = (record_lead(crm.engine, LEAD).id for _ in range(2))
    tap = record_click(crm.engine, CLICK)
    deliver_all(crm)
    sandbox.convert(record_of(sandbox, customer))
    sandbox.convert(record_of(sandbox, tap))
    age(crm.engine)
    before = count_expired(crm.engine, TERMS, make_ask(crm))
    assert (before.leads, before.clicks, before.converted) == (1, 0, 2)
    done = retain(crm.engine, TERMS, by="ada", ask=make_ask(crm))
    assert (done.leads, done.clicks, done.converted, done.unasked, done.finished) == (1, 0, 2, 0, True)
    assert kept(crm.engine) == [customer] != [other]
    assert kept(crm.engine, "whatsapp_clicks") == [tap]
    assert len(sandbox.records()) == 3
    (run,) = list_runs(crm.engine)
    assert (run["leads"], run["converted"]) == (1, 2)
    calls = len(sandbox.calls())
    assert retain(crm.engine, TERMS, by="ada", ask=make_ask(crm)).leads == 0
    assert len(sandbox.calls()) == calls  # nobody is asked about a known customer again


def test_a_customer_whose_reply_was_lost_is_found_by_the_event_id(crm, sandbox):
    customer, other = (record_lead(crm.engine, LEAD).id for _ in range(2))
    deliver_all(crm)
    sandbox.convert(record_of(sandbox, customer))
    change(crm.engine, "UPDATE leads SET zoho_status = 'dead', zoho_record_id = NULL")
    age(crm.engine)
    done = retain(crm.engine, TERMS, by="ada", ask=make_ask(crm))
    assert (done.leads, done.converted) == (1, 1)
    assert kept(crm.engine) == [customer] != [other]


def test_a_row_that_was_never_sent_goes_without_a_question(crm, sandbox):
    record_lead(crm.engine, LEAD, held=True)
    age(crm.engine)
    assert retain(crm.engine, TERMS, by="ada", ask=make_ask(crm)).leads == 1
    assert sandbox.summary()["calls"] == 0


def test_a_record_that_was_deleted_in_the_crm_keeps_nobody(crm, sandbox):
    lead = record_lead(crm.engine, LEAD).id
    deliver_all(crm)
    crm.client.delete("Leads", record_of(sandbox, lead))
    age(crm.engine)
    assert retain(crm.engine, TERMS, by="ada", ask=make_ask(crm)).leads == 1


@pytest.mark.parametrize("away", ["gate", "error", "no CRM"])
def test_nobody_who_may_be_a_customer_goes_while_the_crm_cannot_say(crm, sandbox, away):
    lead = record_lead(crm.engine, LEAD).id
    deliver_all(crm)
    record_lead(crm.engine, LEAD, held=True)
    age(crm.engine)
    if away == "gate":
        shut_gate(crm.engine, Reason.PAUSED, "test", by="ada")
    if away == "error":
        sandbox.faults(server_error={"path": "Leads"})
    ask = None if away == "no CRM" else make_ask(crm)
    done = retain_today(crm.engine, TERMS, by="w1", ask=ask, go_on=lambda: True)
    assert done is not None
    assert (done.leads, done.unasked, done.finished) == (1, 1, False)
    assert kept(crm.engine) == [lead]
    assert retain_today(crm.engine, TERMS, by="w2", ask=ask, go_on=lambda: True) is None  # not at once again
    sandbox.only_faults()
    change(crm.engine, "UPDATE crm_gate SET state = 'open'")
    change(crm.engine, "UPDATE retention_runs SET taken_until = now()")
    again = retain_today(crm.engine, TERMS, by="w2", ask=make_ask(crm), go_on=lambda: True)
    assert again is not None
    assert (again.leads, again.finished) == (1, True)
    assert kept(crm.engine) == []


def test_a_dry_run_asks_the_crm_and_changes_nothing(crm, sandbox, crm_environment):
    customer, _ = (record_lead(crm.engine, LEAD).id for _ in range(2))
    deliver_all(crm)
    sandbox.convert(record_of(sandbox, customer))
    age(crm.engine)
    result = CliRunner().invoke(operate, ["retain", "--dry-run", "--json"], env=crm_environment)
    (told,) = json.loads(result.stdout)
    assert (told["leads"], told["converted"], told["unasked"]) == (1, 1, 0)
    assert len(kept(crm.engine)) == 2
    assert rows_of(crm.engine, "SELECT 1 FROM leads WHERE converted_at IS NOT NULL") == []


def test_many_old_rows_are_asked_about_in_portions(crm, sandbox):
    ids = [record_lead(crm.engine, LEAD).id for _ in range(230)]
    deliver_all(crm)
    for row_id in ids[::50]:
        sandbox.convert(record_of(sandbox, row_id))
    age(crm.engine)
    calls = len(sandbox.calls())
    done = retain(crm.engine, TERMS, by="ada", ask=make_ask(crm))
    assert (done.leads, done.converted) == (225, 5)
    assert len(sandbox.calls()) - calls == 3


def test_a_question_takes_few_searches_so_that_the_tick_goes_on(crm):
    ids = {record_lead(crm.engine, LEAD).id for _ in range(12)}
    deliver_all(crm)
    change(crm.engine, "UPDATE leads SET zoho_status = 'dead', zoho_record_id = NULL")
    age(crm.engine)
    asked = []

    def ask(rows):
        asked.append({row.id for row in rows})
        return set()

    assert retain(crm.engine, TERMS, by="ada", ask=ask).leads == 12
    assert [len(portion) for portion in asked] == [5, 5, 2]
    assert set.union(*asked) == ids
