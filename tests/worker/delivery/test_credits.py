"""Credits that ran low and came back: retries and requeued rows flow again with the next answer."""

from __future__ import annotations

from leads.outbox.gate import read_gate
from leads.outbox.rows import Lane
from tests.support.database import change
from tests.support.pipeline import record
from worker.delivery.deliver import deliver

SCARCE = "credits are kept for fresh leads"


def add_retry(delivery):
    (lead,) = record(delivery)
    change(
        delivery.engine,
        "UPDATE crm_deliveries SET zoho_status = 'retrying', retry_count = 1 WHERE id = :id",
        id=lead,
    )


def test_retries_flow_again_when_an_answer_says_nothing_of_credits(crm, delivery):
    add_retry(delivery)
    record(delivery)
    crm.credits_left = 99
    assert deliver(delivery.delivery, delivery.crm, Lane.FRESH).sent == 1
    assert deliver(delivery.delivery, delivery.crm, Lane.RETRY).gate == SCARCE
    record(delivery)
    crm.credits_left = None
    assert deliver(delivery.delivery, delivery.crm, Lane.FRESH).sent == 1
    assert read_gate(delivery.engine).credits_left is None
    assert deliver(delivery.delivery, delivery.crm, Lane.RETRY).sent == 1


def test_requeued_rows_wait_while_credits_are_scarce(crm, delivery):
    record(delivery)
    change(delivery.engine, "UPDATE crm_deliveries SET requeued = true")
    record(delivery)
    crm.credits_left = 99
    assert [deliver(delivery.delivery, delivery.crm, Lane.FRESH).sent for _ in range(2)] == [1, 0]
    record(delivery)
    crm.credits_left = None
    assert [deliver(delivery.delivery, delivery.crm, Lane.FRESH).sent for _ in range(2)] == [1, 1]
