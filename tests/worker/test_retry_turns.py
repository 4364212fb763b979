"""Retries have turns: at most half of a process's threads, and a turn that is held is not given up in between."""

from __future__ import annotations

from leads.outbox.record import record_lead
from tests.rows import LEAD, change, rows_of
from worker.sync import deliver_retries


def make_retries(crm, count):
    for _ in range(count):
        record_lead(crm.engine, LEAD)
    change(crm.engine, "UPDATE leads SET zoho_status = 'retrying', retry_count = 1, next_retry_at = now()")


def sent(crm):
    return rows_of(crm.engine, "SELECT count(*) AS n FROM leads WHERE zoho_status = 'sent'")[0]["n"]


def test_one_bell_delivers_batch_after_batch_of_retries(crm, sandbox):
    make_retries(crm, 250)
    last = deliver_retries(crm)
    assert (last.sent, last.full, sent(crm), sandbox.summary()["api_calls"]) == (50, False, 250, 3)


def test_retries_use_no_more_than_half_of_a_processs_threads(crm, sandbox):
    make_retries(crm, 1)
    for _ in range(crm.settings.crm_concurrency // 2):
        assert crm.retry_turns.acquire(blocking=False)
    assert deliver_retries(crm).gate == "every turn is busy"
    assert sandbox.summary()["api_calls"] == 0
    crm.retry_turns.release()
    assert deliver_retries(crm).sent == 1


def test_a_turn_is_given_back_after_its_batches(crm):
    make_retries(crm, 1)
    for _ in range(crm.settings.crm_concurrency):
        deliver_retries(crm)
    assert crm.retry_turns.acquire(blocking=False)
    assert sent(crm) == 1


def test_a_stopping_worker_ends_its_turn(crm):
    make_retries(crm, 150)
    crm.stopping.set()
    assert deliver_retries(crm).gate == "stopping"
    assert sent(crm) == 0
