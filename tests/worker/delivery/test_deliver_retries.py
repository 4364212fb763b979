"""Retries have turns: half of a process's threads, all but one while no fresh row is due; each for some batches."""

from __future__ import annotations

from contextlib import closing
from threading import current_thread
from time import perf_counter

import pytest

from leads.outbox.lease import claim
from leads.outbox.store import record_lead
from leads.settings import read_settings
from tests.support.database import change, rows_of, spy_on
from tests.support.samples import LEAD
from worker.context import make_context
from worker.delivery.deliver import deliver_retries


def make_retries(context, count):
    for _ in range(count):
        record_lead(context.engine, LEAD)
    change(context.engine, "UPDATE deliveries SET zoho_status = 'retrying', retry_count = 1, next_retry_at = now()")


def sent(context):
    return rows_of(context.engine, "SELECT count(*) AS n FROM deliveries WHERE zoho_status = 'sent'")[0]["n"]


def test_one_bell_delivers_batch_after_batch_of_retries(context, sandbox):
    make_retries(context, 250)
    last = deliver_retries(context.delivery)
    assert (last.sent, last.full, sent(context), sandbox.summary()["api_calls"]) == (50, False, 250, 3)


def test_rows_that_go_alone_and_batches_beside_them_do_not_wait_for_each_other(context, sandbox):
    make_retries(context, 320)
    change(
        context.engine,
        "UPDATE deliveries SET lost_leases = 2 WHERE id IN (SELECT id FROM leads ORDER BY created_at LIMIT 20)",
    )
    sandbox.faults(latency={"ms": 100})
    begun = perf_counter()
    while sent(context) < 320:
        deliver_retries(context.delivery)
        assert perf_counter() - begun < 20
    assert rows_of(context.engine, "SELECT code FROM crm_attempts WHERE code IS NOT NULL") == []
    assert sorted(rows_of_calls(sandbox)) == [1] * 20 + [100] * 3


def test_a_turns_second_thread_leaves_rows_that_go_alone_to_the_first(context, sandbox, monkeypatch):
    searches = []

    def note(*args, alone, **kwargs):
        searches.append((current_thread().name.startswith("mate"), alone))
        return claim(*args, alone=alone, **kwargs)

    monkeypatch.setattr("worker.delivery.deliver.claim", note)
    make_retries(context, 320)
    assert deliver_retries(context.delivery).sent > 0
    assert set(searches) == {(False, True), (True, False)}


def take_turns(turns):
    count = 0
    while turns.acquire(blocking=False):
        count += 1
    return count


def rows_of_calls(sandbox):
    return [call["rows"] for call in sandbox.calls(kind="api")]


def test_retries_leave_one_of_a_processs_threads_to_fresh_rows(context, sandbox):
    make_retries(context, 1)
    assert (
        take_turns(context.delivery.retry_turns) + take_turns(context.delivery.spare_turns)
        == context.settings.crm_concurrency - 1
    )
    assert deliver_retries(context.delivery).gate == "every turn is busy"
    assert sandbox.summary()["api_calls"] == 0
    context.delivery.retry_turns.release()
    assert deliver_retries(context.delivery).sent == 1


@pytest.mark.parametrize(("threads", "half", "spare"), [(1, 1, 0), (2, 1, 0), (3, 1, 1), (4, 2, 1), (9, 4, 4)])
def test_turns_follow_from_the_number_of_threads(crm_environment, threads, half, spare):
    with closing(make_context(read_settings({**crm_environment, "CRM_CONCURRENCY": str(threads)}))) as context:
        assert (take_turns(context.delivery.retry_turns), take_turns(context.delivery.spare_turns)) == (half, spare)


def test_a_spare_thread_delivers_retries_while_no_fresh_row_is_due(context, sandbox):
    make_retries(context, 250)
    take_turns(context.delivery.retry_turns)
    last = deliver_retries(context.delivery)
    assert (last.full, sent(context), rows_of_calls(sandbox)) == (False, 250, [100, 100, 50])
    assert take_turns(context.delivery.spare_turns) == 1


def test_a_fresh_row_that_comes_in_the_middle_goes_before_the_next_batch_of_retries(context, sandbox):
    make_retries(context, 250)
    take_turns(context.delivery.retry_turns)
    come = []

    def arrive(_cursor, statement, _parameters):
        if "UPDATE deliveries AS t SET" in statement and not come:  # the first batch is marked
            come.append("under way")
            come.append(record_lead(context.engine, LEAD).id)

    spy_on(context.engine, after=arrive)
    assert deliver_retries(context.delivery).full is False
    assert rows_of_calls(sandbox) == [100, 1, 100, 50]
    assert sent(context) == 251


def test_a_turn_is_given_back_after_its_batches(context):
    make_retries(context, 1)
    for _ in range(context.settings.crm_concurrency):
        deliver_retries(context.delivery)
    assert context.delivery.retry_turns.acquire(blocking=False)
    assert sent(context) == 1


def test_a_stopping_worker_ends_its_turn(context):
    make_retries(context, 150)
    context.stopping.set()
    assert deliver_retries(context.delivery).gate == "stopping"
    assert sent(context) == 0
