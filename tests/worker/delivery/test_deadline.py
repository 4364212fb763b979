"""No call begins late in a lease or through a gate that has shut meanwhile."""

from __future__ import annotations

import time
from dataclasses import replace
from types import SimpleNamespace

import pytest

from leads.destinations import CRM
from leads.lifecycle import Sync
from leads.outbox.gate import Reason, shut_gate
from leads.outbox.rows import Claimed, Kind, Lane
from tests.support.crm import server_error
from tests.support.database import change, rows_of, spy_on
from tests.support.pipeline import record, statuses
from worker.crm.port import CallFailed, FailureClass
from worker.crm.send import prepare, send
from worker.delivery.deliver import deliver

LEASE_SECONDS = 60.0


def rows(lead_ids):
    return [Claimed(CRM, Kind.LEAD, lead, None, Sync(), {"id": lead, "surname": "Example"}) for lead in lead_ids]


@pytest.fixture
def clock(monkeypatch):
    """The clock of deliveries: it stands still unless a test moves it."""
    clock = SimpleNamespace(now=1000.0, monotonic=lambda: clock.now)
    for module in ("delivery.deliver", "crm.send"):
        monkeypatch.setattr(f"worker.{module}.time", clock)
    return clock


def test_no_call_begins_after_its_deadline(crm, delivery):
    mapping = delivery.crm.mapping
    items, _ = prepare(rows("ab"), mapping)
    answers = list(send(crm, items, mapping, call_id="c", deadline=time.monotonic() - 1))
    assert [answer.result for answer in answers] == [None]
    assert crm.calls == []


@pytest.mark.parametrize(("more", "calls"), [(-0.001, 1), (0.001, 0)], ids=["less", "more"])
def test_no_call_begins_when_more_than_half_of_the_lease_is_over(crm, delivery, clock, more, calls):
    (lead,) = record(delivery)

    def wait(_cursor, statement, _parameters):
        if "SET began = true" in statement:
            clock.now += LEASE_SECONDS / 2 + more

    spy_on(delivery.engine, after=wait)
    deliver(delivery.delivery, replace(delivery.crm, lease_seconds=LEASE_SECONDS), Lane.FRESH)
    assert len(crm.calls) == calls
    assert rows_of(delivery.engine, "SELECT id, zoho_status, retry_count FROM crm_deliveries") == [
        {"id": lead, "zoho_status": "sent" if calls else "pending", "retry_count": 0}
    ]


def test_of_several_calls_none_begins_after_the_deadline(crm, delivery, clock):
    record(delivery, 8)

    def fail():
        clock.now += LEASE_SECONDS / 4 + 0.001
        raise CallFailed(FailureClass.REQUEST, "FILE_TOO_LARGE", http_status=413)

    crm.during = fail
    summary = deliver(delivery.delivery, replace(delivery.crm, lease_seconds=LEASE_SECONDS), Lane.FRESH)
    assert [len(call) for call in crm.calls] == [8, 4]
    assert (summary.deferred, summary.dead) == (8, 0)
    assert statuses(delivery) == {"pending": 8}


def test_nothing_is_claimed_when_the_gate_shuts_after_the_permit_was_given(crm, delivery):
    record(delivery, 2)
    seen = []

    def shut(_cursor, statement, _parameters):
        if "WITH due AS" in statement and not seen:
            seen.append(statement)
            shut_gate(delivery.engine, Reason.PAUSED, "moving house", by="ann")

    spy_on(delivery.engine, before=shut)
    assert deliver(delivery.delivery, delivery.crm, Lane.FRESH).claimed == 0
    assert (len(seen), crm.calls, statuses(delivery)) == (1, [], {"pending": 2})


def test_a_probe_sends_one_row_through_the_shut_gate(crm, delivery):
    record(delivery, 3)
    shut_gate(delivery.engine, Reason.RATE, "429", by="worker")
    assert deliver(delivery.delivery, delivery.crm, Lane.FRESH).gate == "rate"
    change(delivery.engine, "UPDATE crm_gate SET until_at = now()")
    summary = deliver(delivery.delivery, delivery.crm, Lane.FRESH)
    assert (summary.sent, summary.full) == (1, False)
    assert [len(call) for call in crm.calls] == [1]


def test_an_outage_costs_no_try_once_it_has_shut_the_gate(crm, delivery):
    record(delivery, 3)
    crm.during = lambda: (_ for _ in ()).throw(server_error())
    for _ in range(4):
        assert deliver(delivery.delivery, delivery.crm, Lane.FRESH).deferred == 0
        change(
            delivery.engine,
            "UPDATE crm_deliveries SET zoho_status = 'pending', retry_count = 0, next_retry_at = now()",
        )
    assert deliver(delivery.delivery, delivery.crm, Lane.FRESH).deferred == 3
    assert rows_of(delivery.engine, "SELECT id FROM deliveries WHERE next_retry_at > now()") == []
    assert deliver(delivery.delivery, delivery.crm, Lane.FRESH).gate == "outage"
