"""A call is recorded before it begins; a row that lost two workers is sent with no other call in its process."""

from __future__ import annotations

import pytest

from leads.crm_state.permit import hold_permit
from leads.outbox.lease import claim, sweep
from leads.outbox.rows import Lane
from tests.support.database import change, rows_of
from tests.support.pipeline import record
from worker.crash import CrashPoint
from worker.delivery import deliver as module
from worker.delivery.deliver import deliver


class Killed(BaseException):
    """The worker died here."""


def begun(delivery):
    return rows_of(
        delivery.engine,
        "SELECT crm_calls.worker_id, crm_calls.alone FROM crm_calls JOIN crm_attempts ON call_id = crm_calls.id"
        " WHERE event = 'claimed'",
    )


def make_killers(delivery, count=1):
    record(delivery, count)
    change(delivery.engine, "UPDATE deliveries SET zoho_status = 'retrying', retry_count = 2, lost_leases = 2")


def lose(delivery):
    change(delivery.engine, "UPDATE deliveries SET next_retry_at = now() WHERE zoho_status = 'sending'")
    assert sweep(delivery.engine, gone_seconds=35) == 1
    (row,) = rows_of(delivery.engine, "SELECT zoho_status, retry_count, lost_leases FROM deliveries")
    return tuple(row.values())


def die():
    raise Killed


def test_the_call_is_recorded_while_it_is_in_flight(crm, delivery):
    record(delivery)
    found = []
    crm.during = lambda: found.extend(begun(delivery))
    assert deliver(delivery, Lane.FRESH).sent == 1
    assert found == [{"worker_id": delivery.worker.id, "alone": False}]


def test_a_worker_that_dies_in_the_call_costs_the_row_a_try(crm, delivery):
    record(delivery)
    crm.during = die
    with pytest.raises(Killed):
        deliver(delivery, Lane.FRESH)
    assert lose(delivery) == ("retrying", 1, 1)


def test_a_worker_that_dies_before_the_call_costs_the_row_nothing(crm, delivery, monkeypatch):
    record(delivery)
    monkeypatch.setattr(module, "crash", lambda point: die() if point is CrashPoint.AFTER_CLAIM else None)
    with pytest.raises(Killed):
        deliver(delivery, Lane.FRESH)
    assert (begun(delivery), crm.calls) == ([], [])
    assert lose(delivery) == ("pending", 0, 0)


def test_no_other_call_begins_while_a_row_is_sent_alone(crm, delivery):
    make_killers(delivery)
    (fresh,) = record(delivery)
    refused, found = [], []

    def look():
        crm.during = lambda: None
        refused.append(deliver(delivery, Lane.FRESH).gate)
        found.extend(begun(delivery))

    crm.during = look
    assert deliver(delivery, Lane.RETRY).sent == 1
    assert (refused, found) == (["a row is being sent alone"], [{"worker_id": delivery.worker.id, "alone": True}])
    assert deliver(delivery, Lane.FRESH).sent == 1
    assert str(fresh) in crm.records


def test_a_row_with_company_in_its_process_waits(crm, delivery, monkeypatch):
    monkeypatch.setattr(module, "ALONE_PATIENCE_SECONDS", 0.0)
    make_killers(delivery)
    with hold_permit(delivery.engine, delivery.limits, Lane.FRESH):
        assert deliver(delivery, Lane.RETRY).deferred == 1
    assert (crm.calls, begun(delivery)) == ([], [])


def test_rows_that_lost_two_workers_are_sent_one_by_one(crm, delivery):
    make_killers(delivery, 3)
    assert [deliver(delivery, Lane.RETRY).sent for _ in range(4)] == [1, 1, 1, 0]
    assert [len(call) for call in crm.calls] == [1, 1, 1]


def test_of_the_rows_that_lost_two_workers_one_is_in_flight(crm, delivery):
    make_killers(delivery, 2)
    claimed = []

    def look():
        # Another process: it knows nothing of the calls of this one.
        claimed.append(claim(delivery.engine, Lane.RETRY, rows=9, lease_seconds=60, call_id="other"))

    crm.during = look
    assert deliver(delivery, Lane.RETRY).sent == 1
    assert claimed == [[]]


def test_a_row_that_is_sent_again_updates_its_record(crm, delivery):
    (lead,) = record(delivery)
    for lane in (Lane.FRESH, Lane.RETRY):
        assert deliver(delivery, lane).sent == 1
        change(delivery.engine, "UPDATE deliveries SET zoho_status = 'retrying', next_retry_at = now()")
    assert (len(crm.calls), list(crm.records)) == (2, [str(lead)])
