"""What concerns the whole CRM shuts the gate, and costs no row a try; what stops a worker claims nothing."""

from __future__ import annotations

import pytest
from psycopg import OperationalError as PostgresGone
from sqlalchemy.exc import OperationalError

from leads.outbox.gate import Reason, read_gate, shut_gate
from leads.outbox.permit import Permit
from leads.outbox.rows import Lane
from tests.support.database import change, rows_of, spy_on
from tests.support.pipeline import make_due, record, statuses
from worker.delivery.deliver import Summary, deliver


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ({"too_many_requests": {"cause": "concurrency"}}, "rate"),
        ({"too_many_requests": {"cause": "concurrency", "retry_after": "120"}}, "rate"),
        ({"too_many_requests": {"cause": "credits"}}, "credits"),
        ({"too_many_requests": {"cause": "credits", "body": "b"}}, "credits"),
        ({"scope_mismatch": {}}, "configuration"),
        ({"no_permission": {}}, "configuration"),
        ({"top_level_error": {"code": "INVALID_MODULE"}}, "configuration"),
        ({"token_refused": {}}, "configuration"),
        ({"token_throttled": {}}, "auth"),
    ],
)
def test_the_crms_own_troubles_shut_the_gate_and_cost_no_row_a_try(context, sandbox, fault, reason):
    record(context, 2)
    sandbox.faults(**fault)
    assert deliver(context.delivery, context.crm, Lane.FRESH).deferred == 2
    assert read_gate(context.engine).reason == reason
    assert deliver(context.delivery, context.crm, Lane.FRESH).gate == reason
    assert statuses(context) == {"pending": 2}
    assert rows_of(context.engine, "SELECT DISTINCT retry_count FROM crm_deliveries") == [{"retry_count": 0}]
    calls = sandbox.summary()["calls"]
    assert calls <= 2
    sandbox.only_faults()
    make_due(context)
    change(context.engine, "UPDATE crm_token SET next_mint_at = now()")
    probed = deliver(context.delivery, context.crm, Lane.FRESH).sent
    assert probed == (2 if reason == "configuration" else 1)
    assert read_gate(context.engine).is_open
    assert deliver(context.delivery, context.crm, Lane.FRESH).sent == 2 - probed


def test_an_empty_lane_takes_no_probe(context, sandbox):
    record(context, 1)
    shut_gate(context.engine, Reason.OUTAGE, "test", by="test")
    change(context.engine, "UPDATE crm_gate SET until_at = now()")
    assert deliver(context.delivery, context.crm, Lane.RETRY) == Summary("retry")
    assert read_gate(context.engine).probe_due
    assert sandbox.summary()["calls"] == 0


@pytest.mark.parametrize("lane", Lane)
def test_a_row_that_may_end_its_worker_is_no_probe_while_another_is_due(context, sandbox, lane):
    suspect, innocent = record(context, 2)
    retry = "UPDATE crm_deliveries SET zoho_status = 'retrying', lost_leases = 2 WHERE id = :id"
    change(context.engine, retry, id=suspect)
    if lane is Lane.RETRY:
        change(context.engine, "UPDATE crm_deliveries SET zoho_status = 'retrying' WHERE id = :id", id=innocent)
    shut_gate(context.engine, Reason.CREDITS, "test", by="test")
    change(context.engine, "UPDATE crm_gate SET until_at = now()")
    assert deliver(context.delivery, context.crm, Lane.RETRY).sent == (lane is Lane.RETRY)
    assert deliver(context.delivery, context.crm, lane).sent == 1
    assert [record["Website_Event_ID"] for record in sandbox.records()][-1] == str(innocent)


@pytest.mark.parametrize(("lane", "questions"), [(Lane.FRESH, 2), (Lane.RETRY, 1)])
def test_a_bell_that_finds_nothing_costs_few_statements(context, lane, questions):
    statements = []
    spy_on(context.engine, before=lambda _cursor, statement, _values: statements.append(statement))
    assert deliver(context.delivery, context.crm, lane) == Summary(lane.value)
    assert len([asked for asked in statements if asked != ";"]) == questions  # but for the pool's pings


@pytest.mark.parametrize(
    ("report", "fault"),
    [("shut", {"too_many_requests": {"cause": "concurrency"}}), ("report_failure", {"outage": {}})],
)
def test_results_are_marked_when_the_gate_cannot_be_told(context, sandbox, monkeypatch, report, fault):
    def fail(*_args):
        raise OperationalError("UPDATE gates", {}, PostgresGone("ended"))

    context.access.crm.probe()
    record(context, 2)
    sandbox.faults(**fault)
    monkeypatch.setattr(Permit, report, fail)
    summary = deliver(context.delivery, context.crm, Lane.FRESH)
    assert summary.retrying + summary.deferred == 2
    assert "sending" not in statuses(context)


def test_an_outage_shuts_the_gate_probes_singly_and_heals_by_itself(context, sandbox):
    context.access.crm.probe()
    record(context, 10)
    sandbox.faults(outage={})
    for _ in range(6):
        make_due(context)
        deliver(context.delivery, context.crm, Lane.FRESH)
        deliver(context.delivery, context.crm, Lane.RETRY)
    assert read_gate(context.engine).reason == "outage"
    tries = rows_of(context.engine, "SELECT max(retry_count) AS n FROM crm_deliveries")
    assert tries == [{"n": 4}]  # the fifth failure shut the gate; from then on nothing costs a try
    sandbox.only_faults()
    make_due(context)
    assert deliver(context.delivery, context.crm, Lane.RETRY).claimed == 1
    assert deliver(context.delivery, context.crm, Lane.RETRY).claimed == 1
    assert read_gate(context.engine).is_open
    assert (
        deliver(context.delivery, context.crm, Lane.RETRY).sent == 8
    )  # pulled forward, not waiting out their back-off
    assert sandbox.summary()["duplicate_event_ids"] == 0
    assert statuses(context) == {"sent": 10}


def test_a_paused_gate_sends_nothing(context, sandbox):
    record(context)
    shut_gate(context.engine, Reason.PAUSED, "holiday", by="ann")
    make_due(context)
    assert deliver(context.delivery, context.crm, Lane.FRESH).gate == "paused"
    assert sandbox.summary()["calls"] == 0


def test_a_stopping_worker_claims_nothing(context):
    record(context)
    context.stopping.set()
    assert deliver(context.delivery, context.crm, Lane.FRESH).claimed == 0
    assert statuses(context) == {"pending": 1}
