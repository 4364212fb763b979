"""Deliveries as /metrics tells them: from the first scrape on, each attempt once, whichever worker noted it."""

from __future__ import annotations

import re

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from leads.outbox.rows import Lane
from leads.outbox.store import record_lead
from tests.support.database import change
from tests.support.samples import LEAD
from tests.support.slots import call_slot
from web.metrics.deliveries import Deliveries
from web.metrics.outbox import OutboxCollector
from web.probes import database_probe


class Scrape:
    """What one application's /metrics says of deliveries, without the wait for late writers."""

    def __init__(self, engine):
        self._deliveries = Deliveries(engine, settled_seconds=0)

    def collect(self):
        yield from self._deliveries.metrics(self._deliveries.read())

    def value(self, metric):
        registry = CollectorRegistry()
        registry.register(self)
        found = re.search(rf"^{re.escape(metric)} (\S+)$", generate_latest(registry).decode(), re.MULTILINE)
        return found and float(found[1])

    # Registering must not ask the database.
    def describe(self):
        return []


@pytest.fixture
def scrape(engine):
    return Scrape(engine)


def note(engine, event, code=None, row=None):
    change(
        engine,
        "INSERT INTO crm_attempts (kind, row_id, event, code) VALUES ('lead', :row, :event, :code)",
        row=row or record_lead(engine, LEAD).id,
        event=event,
        code=code,
    )


def test_attempts_are_counted_once_by_event_and_code_from_the_first_scrape_on(engine, scrape):
    note(engine, "rejected", "INVALID_DATA")
    rejected = 'clinic_attempts_total{code="INVALID_DATA",event="rejected",kind="lead"}'
    assert scrape.value(rejected) is None
    for event, code in (("rejected", "INVALID_DATA"), ("fenced", None), ("lease_lost", "WORKER_LOST")):
        note(engine, event, code)
    assert scrape.value(rejected) == 1
    assert scrape.value(rejected) == 1
    note(engine, "rejected", "INVALID_DATA")
    assert scrape.value(rejected) == 2
    assert scrape.value('clinic_attempts_total{code="",event="fenced",kind="lead"}') == 1
    assert scrape.value('clinic_attempts_total{code="WORKER_LOST",event="lease_lost",kind="lead"}') == 1


def test_the_way_from_stored_to_delivered_is_a_histogram(engine, scrape):
    count = 'clinic_accept_to_crm_seconds_count{kind="lead"}'
    assert scrape.value(count) is None
    row = record_lead(engine, LEAD).id
    change(engine, "UPDATE leads SET created_at = now() - interval '100 s' WHERE id = :row", row=row)
    note(engine, "delivered", row=row)
    assert scrape.value(count) == 1
    assert scrape.value('clinic_accept_to_crm_seconds_bucket{kind="lead",le="60.0"}') == 0
    assert scrape.value('clinic_accept_to_crm_seconds_bucket{kind="lead",le="120.0"}') == 1


def test_calls_in_flight_are_those_of_every_worker(engine, scrape):
    assert scrape.value("clinic_calls_in_flight") == 0
    with (
        call_slot(engine, Lane.FRESH, cap=4, seconds=60.0) as one,
        call_slot(engine, Lane.FRESH, cap=4, seconds=60.0) as two,
    ):
        assert one
        assert two
        assert scrape.value("clinic_calls_in_flight") == 2
    assert scrape.value("clinic_calls_in_flight") == 0


def test_a_refresh_of_the_token_shows_as_its_age(engine, scrape):
    change(engine, "UPDATE crm_token SET minted_at = now() - interval '1 h'")
    assert scrape.value("clinic_token_age_seconds") == pytest.approx(3600, abs=30)


def test_what_a_slow_writer_may_still_add_waits_for_the_next_scrape(engine):
    careful = Deliveries(engine)
    careful.read()
    note(engine, "fenced")
    careful.read()
    (family,) = [metric for metric in careful.metrics(careful.read()) if metric.name == "clinic_attempts"]
    assert family.samples == []


def test_metrics_hold_them_and_the_credits_that_are_left(engine):
    change(engine, "UPDATE crm_gate SET credits_left = 4321, credits_at = now()")
    registry = CollectorRegistry()
    registry.register(OutboxCollector(engine, database_probe(engine)))
    told = generate_latest(registry).decode()
    assert "clinic_credits_left 4321.0" in told
    assert "clinic_calls_in_flight 0.0" in told
