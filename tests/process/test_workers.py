"""Workers killed, stopped, replaced and on machines with wrong clocks: each lead arrives exactly once."""

import sys
import time

import psycopg
import pytest

from tests.process.ledger import violations
from tests.process.product import OWED, pause

pytestmark = [pytest.mark.process, pytest.mark.timeout(900)]

# An additive migration of a table under writes: a column, then an index built without blocking them.
MIGRATION = (
    "ALTER TABLE leads ADD COLUMN of_the_next_version varchar(40)",
    "CREATE INDEX CONCURRENTLY ix_next_version ON leads (of_the_next_version)",
)


def test_a_kill_a_second_leaves_each_lead_in_the_crm_exactly_once(product, record_property):
    """Half of the leads wait at the start, the others arrive during the storm; dead workers are replaced."""
    leads, storm, workers = (10_000, 150, 2) if product.is_long else (240, 6, 2)
    product.sandbox.faults(latency={"ms": 200, "jitter_ms": 300})
    product.store(leads // 2)
    fleet = [product.start_worker() for _ in range(workers)]
    for _ in range(storm):
        pause(1.0)
        number = product.random.randrange(workers)
        fleet[number].kill()
        fleet[number] = product.start_worker()
        product.store(leads // 2 // storm)
    began = time.monotonic()

    def is_settled():
        if not product.is_long:  # it does not wait for the back-off
            product.make_due("zoho_status = 'retrying'")
        return product.count(OWED) == 0

    product.wait(is_settled, 600 if product.is_long else 100, "all rows to be settled")
    record_property("from the storm's end to all delivered", f"{time.monotonic() - began:.0f} s")
    assert product.count("zoho_status = 'dead'") == 0
    assert violations(product) == []


@pytest.mark.process(long=True)
def test_rolling_restarts_under_load_leave_no_unknown_outcome(product, record_property):
    """Two workers are replaced in turn, while leads keep arriving and calls take 300 ms."""
    product.sandbox.faults(latency={"ms": 300})
    fleet, slowest = product.start_workers(2), 0.0
    for number in range(20):
        product.store(150)
        pause(product.random.uniform(0.1, 0.6))
        slowest = max(slowest, fleet[number % 2].stop_within(product.call_limit))
        (fleet[number % 2],) = product.start_workers()
    record_property("slowest exit", f"{slowest:.1f} s")
    product.wait_delivered(60)
    assert product.rows("SELECT code FROM crm_attempts WHERE code IN ('TIMEOUT', 'CONNECTION_LOST')") == []
    assert product.sandbox.summary()["updates"] == 0, "a row was sent twice"
    assert violations(product) == []


@pytest.mark.process(long=True)
def test_old_and_new_code_side_by_side_with_a_migration_between_them(product, database_url, record_property):
    """Two workers and the site run under load while a table is migrated; then the workers are replaced."""
    site = product.start_site()
    old, refused = product.start_workers(2), []

    def arrive(stored):
        refused.extend(answer.status for answer in product.post(site, 20) if not answer.accepted)
        product.store(stored)

    for _ in range(15):
        arrive(100)
    began = time.monotonic()
    with psycopg.connect(database_url, autocommit=True) as connection:
        for statement in MIGRATION:
            connection.execute(statement)
            arrive(100)
    record_property("migration under load", f"{time.monotonic() - began:.1f} s")
    for worker in old:
        product.start_workers()
        arrive(200)
        worker.stop_within(product.call_limit)
    for _ in range(15):
        arrive(0)
    assert refused == []
    product.wait_delivered(120)
    assert product.sandbox.summary()["updates"] == 0, "a row was sent twice"
    assert violations(product) == []


@pytest.mark.process(long=True)
def test_clocks_an_hour_off_either_way_send_nothing_early_and_lose_nothing(product):
    """One worker an hour fast, one an hour slow; some rows fail first, so that there are waits to respect."""
    product.sandbox.faults(record_locked={"probability": 0.2}, latency={"ms": 100})
    for offset in (3600, -3600):
        product.start_workers(celery=f"{sys.executable} -m tests.process.wrong_clock {offset}")
    for _ in range(10):
        product.store(200)
        pause(0.5)
    pause(30)
    product.sandbox.only_faults(latency={"ms": 100})
    product.wait_delivered(400)
    early = """
SELECT row_id FROM (
    SELECT row_id, event, at, lag(next_retry_at) OVER (PARTITION BY row_id ORDER BY id) AS due FROM crm_attempts
) AS attempt WHERE event = 'claimed' AND at < due"""
    assert product.rows(early) == []
    assert all(worker.alive() and "Traceback" not in worker.text for worker in product.workers)
    assert violations(product) == []
