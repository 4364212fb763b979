"""A lost lease is judged by evidence: had the call begun, and does nothing but the row explain the death?"""

from __future__ import annotations

from itertools import product
from uuid import uuid4

import pytest

from leads.outbox.lease import claim, sweep
from leads.outbox.redrive import read_timeline
from leads.outbox.rows import Lane
from leads.outbox.store import record_lead
from tests.support.database import change, rows_of
from tests.support.samples import LEAD

GONE_SECONDS = 35.0
CALLS = ("none", "together", "alone")
# Seconds since each worker was seen, and whether it stopped in an orderly way; the call began 60 s ago.
CLAIMERS = {"dead": (50, False), "alive": (1, False), "stopped": (50, True), "never seen": None}
OTHERS = {
    "no other": None,
    "died meanwhile": (55, False),
    "died shortly before": (80, False),
    "died long before": (200, False),
    "alive": (1, False),
    "stopped": (55, True),
}
EXPLAIN_THE_DEATH = ("died meanwhile", "died shortly before")


@pytest.fixture
def row(engine):
    record_lead(engine, LEAD)
    change(
        engine,
        "UPDATE deliveries SET zoho_status = 'retrying', retry_count = 2, lost_leases = 2, workers_killed = 1",
    )
    take(engine, "the claim before")
    change(engine, "UPDATE deliveries SET zoho_status = 'retrying', next_retry_at = now()")
    note_delivery(engine, uuid4())
    return take(engine, "call")


def note_delivery(engine, row_id):
    change(engine, "INSERT INTO crm_attempts (kind, row_id, event) VALUES ('lead', :id, 'delivered')", id=row_id)


def take(engine, call_id, lane=Lane.RETRY):
    (claimed,) = claim(engine, lane, rows=9, lease_seconds=0.0, call_id=call_id)
    return claimed


def add_worker(engine, seen):
    worker = uuid4()
    if seen is not None:
        change(
            engine,
            "INSERT INTO crm_workers (id, name, seen_at, stopped_at) VALUES (:id, 'w',"
            " now() - make_interval(secs => :ago), CASE WHEN :stopped THEN now() END)",
            id=worker,
            ago=seen[0],
            stopped=seen[1],
        )
    return worker


def begin(engine, worker, *, call_id="call", alone=True):
    change(
        engine,
        "INSERT INTO crm_calls (id, worker_id, alone, began_at)"
        " VALUES (:id, :worker, :alone, now() - interval '60 s')",
        id=call_id,
        worker=worker,
        alone=alone,
    )


def begin_with_proof(engine):
    begin(engine, add_worker(engine, CLAIMERS["dead"]))


def lose(engine):
    """Sweep, and return the row, its wait and the last line of its timeline."""
    assert sweep(engine, gone_seconds=GONE_SECONDS) == 1
    (after,) = rows_of(
        engine, "SELECT *, extract(epoch FROM next_retry_at - now())::float8 AS wait FROM deliveries"
    )
    return after, read_timeline(engine, after["id"])[-1]


@pytest.mark.parametrize(("call", "claimer", "other"), list(product(CALLS, CLAIMERS, OTHERS)))
def test_a_loss_counts_by_its_evidence(engine, row, call, claimer, other):
    worker = add_worker(engine, CLAIMERS[claimer])
    add_worker(engine, OTHERS[other])
    if call != "none":
        begin(engine, worker, alone=call == "alone")
    began = call != "none"
    is_proof = call == "alone" and claimer == "dead" and other not in EXPLAIN_THE_DEATH
    after, line = lose(engine)
    assert (after["retry_count"], after["lost_leases"]) == (2 + began, 2 + began)
    assert after["workers_killed"] == 1 + is_proof
    assert line["code"] == ("WORKER_LOST" if began else "NOT_SENT")


@pytest.mark.parametrize("what", ["nothing", "the row itself", "another, before the last try"])
def test_without_a_delivery_since_the_last_try_nobody_knows_what_killed_the_worker(engine, row, what):
    """Workers that die in every call have, on a quiet night, this row alone to die with."""
    change(engine, "DELETE FROM crm_attempts WHERE event = 'delivered'")
    if what == "the row itself":
        note_delivery(engine, row.id)
    if what == "another, before the last try":
        note_delivery(engine, uuid4())
        change(engine, "UPDATE deliveries SET zoho_status = 'retrying', next_retry_at = now()")
        take(engine, "one more claim")
        change(engine, "UPDATE deliveries SET zoho_status = 'retrying', next_retry_at = now()")
        take(engine, "the call of this test")
        begin(engine, add_worker(engine, CLAIMERS["dead"]), call_id="the call of this test")
    else:
        begin_with_proof(engine)
    after, _ = lose(engine)
    assert (after["lost_leases"], after["workers_killed"]) == (3, 1)


def test_a_row_whose_call_had_not_begun_loses_nothing_and_is_due_at_once(engine):
    record_lead(engine, LEAD)
    take(engine, "call", Lane.FRESH)
    after, line = lose(engine)
    assert (after["zoho_status"], after["retry_count"], after["lost_leases"]) == ("pending", 0, 0)
    assert (after["last_retry_at"], after["last_error"]) == (None, None)
    assert after["wait"] <= 0
    assert (line["event"], line["code"]) == ("lease_lost", "NOT_SENT")


def test_the_call_of_the_last_claim_counts_and_no_earlier_one(engine, row):
    for earlier in ("the claim before", "call"):
        begin(engine, add_worker(engine, CLAIMERS["dead"]), call_id=earlier)
    change(engine, "UPDATE deliveries SET zoho_status = 'retrying', next_retry_at = now()")
    take(engine, "later call")
    after, _ = lose(engine)
    assert (after["lost_leases"], after["workers_killed"]) == (2, 1)


def test_three_deaths_with_proof_end_a_row(engine, row):
    change(engine, "UPDATE deliveries SET workers_killed = 2")
    begin_with_proof(engine)
    after, _ = lose(engine)
    assert (after["zoho_status"], after["workers_killed"]) == ("dead", 3)
    assert "three workers died" in after["last_error"]


def test_losses_without_proof_never_end_a_row(engine, row):
    change(engine, "UPDATE deliveries SET workers_killed = 2, lost_leases = 50, retry_count = 50")
    begin(engine, add_worker(engine, CLAIMERS["alive"]))
    after, _ = lose(engine)
    assert (after["zoho_status"], after["workers_killed"], after["lost_leases"]) == ("retrying", 2, 51)


@pytest.mark.parametrize(
    ("losses", "wait"), [(0, 0.0), (1, 30.0), (2, 900.0), (3, 3600.0), (4, 14400.0), (40, 14400.0)]
)
def test_a_row_that_goes_alone_waits_longer_after_each_loss(engine, losses, wait):
    record_lead(engine, LEAD)
    change(engine, "UPDATE deliveries SET zoho_status = 'retrying', lost_leases = :losses", losses=losses)
    take(engine, "call")
    begin_with_proof(engine)
    after, line = lose(engine)
    assert after["lost_leases"] == losses + 1
    set_wait = (line["next_retry_at"] - line["at"]).total_seconds()
    assert wait * 0.8 - 20 <= set_wait <= wait * 1.2  # the line is written up to some seconds after the sweep began
