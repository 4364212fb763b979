"""A row's call is recorded before it begins, so that the death of a worker is charged to no other row."""

from __future__ import annotations

import pytest

from leads.outbox.lease import sweep
from leads.outbox.rows import Lane
from tests.support.database import change, rows_of
from tests.support.pipeline import record
from worker.delivery import deliver as module
from worker.delivery.deliver import deliver


class Killed(BaseException):
    """The worker died here."""


def die():
    raise Killed


def begun(context):
    return [row["began"] for row in rows_of(context.engine, "SELECT began FROM deliveries")]


def make_killers(context, count=1):
    record(context, count)
    change(context.engine, "UPDATE deliveries SET status = 'retrying', retry_count = 2, lost_leases = 2")


def lose(context):
    change(context.engine, "UPDATE deliveries SET next_retry_at = now() WHERE status = 'sending'")
    assert sweep(context.engine) == 1
    (row,) = rows_of(context.engine, "SELECT status, retry_count, lost_leases FROM deliveries")
    return tuple(row.values())


def send(context, lane=Lane.FRESH, **more):
    return deliver(context.delivery, context.crm, lane, **more)


def test_the_call_is_recorded_while_it_is_in_flight(crm, delivery):
    record(delivery)
    found = []
    crm.during = lambda: found.extend(begun(delivery))
    assert send(delivery).sent == 1
    assert found == [True]


def test_a_worker_that_dies_in_the_call_costs_the_row_a_try(crm, delivery):
    record(delivery)
    crm.during = die
    with pytest.raises(Killed):
        send(delivery)
    assert lose(delivery) == ("retrying", 1, 1)


def test_a_worker_that_dies_before_the_call_costs_the_row_nothing(crm, delivery, monkeypatch):
    record(delivery)
    monkeypatch.setattr(module, "_send", lambda *_: die())
    with pytest.raises(Killed):
        send(delivery)
    assert (begun(delivery), crm.calls) == ([False], [])
    assert lose(delivery) == ("pending", 0, 0)


def test_what_was_taken_back_before_its_call_began_is_not_sent(crm, delivery, monkeypatch):
    """Another worker may be sending it by now."""
    kept, lost = record(delivery, 2)

    def take_back(engine, rows):
        change(engine, "UPDATE deliveries SET next_retry_at = now() WHERE id = :id", id=lost)
        assert sweep(engine) == 1
        return begin(engine, rows)

    begin = module.begin
    monkeypatch.setattr(module, "begin", take_back)
    summary = send(delivery)
    assert (summary.sent, summary.deferred, summary.fenced) == (1, 1, 1)
    assert crm.calls == [[str(kept)]]


def test_rows_that_lost_two_workers_are_sent_one_by_one(crm, delivery):
    make_killers(delivery, 3)
    summaries = [send(delivery, Lane.RETRY) for _ in range(4)]
    assert [summary.sent for summary in summaries] == [1, 1, 1, 0]
    assert [len(call) for call in crm.calls] == [1, 1, 1]
    # The first of them does not show how many others wait.
    assert summaries[0].full


def test_a_row_that_is_sent_again_updates_its_record(crm, delivery):
    (lead,) = record(delivery)
    for lane in (Lane.FRESH, Lane.RETRY):
        assert send(delivery, lane).sent == 1
        change(delivery.engine, "UPDATE deliveries SET status = 'retrying', next_retry_at = now()")
    assert (len(crm.calls), list(crm.records)) == (2, [str(lead)])
