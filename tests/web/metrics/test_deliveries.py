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
    rejected = 'clinic_attempts_total{code="INVALID_DATA",destination="zoho",event="rejected",kind="lead"}'
    assert scrape.value(rejected) is None
    for event, code in (("rejected", "INVALID_DATA"), ("fenced", None), ("lease_lost", "WORKER_LOST")):
        note(engine, event, code)
    assert scrape.value(rejected) == 1
    assert scrape.value(rejected) == 1
    note(engine, "rejected", "INVALID_DATA")
    assert scrape.value(rejected) == 2
    assert scrape.value('clinic_attempts_total{code="",destination="zoho",event="fenced",kind="lead"}') == 1
    assert (
        scrape.value('clinic_attempts_total{code="WORKER_LOST",destination="zoho",event="lease_lost",kind="lead"}')
        == 1
    )


def test_the_way_from_stored_to_delivered_is_a_histogram(engine, scrape):
    count = 'clinic_accept_to_delivered_seconds_count{destination="zoho",kind="lead"}'
    assert scrape.value(count) is None
    row = record_lead(engine, LEAD).id
    change(engine, "UPDATE leads SET created_at = now() - interval '100 s' WHERE id = :row", row=row)
    note(engine, "delivered", row=row)
    assert scrape.value(count) == 1
    assert scrape.value('clinic_accept_to_delivered_seconds_bucket{destination="zoho",kind="lead",le="60.0"}') == 0
    assert scrape.value('clinic_accept_to_delivered_seconds_bucket{destination="zoho",kind="lead",le="120.0"}') == 1


def test_calls_in_flight_are_those_of_every_worker(engine, scrape):
    assert scrape.value('clinic_calls_in_flight{destination="zoho"}') == 0
    with (
        call_slot(engine, Lane.FRESH, cap=4, seconds=60.0) as one,
        call_slot(engine, Lane.FRESH, cap=4, seconds=60.0) as two,
    ):
        assert one
        assert two
        assert scrape.value('clinic_calls_in_flight{destination="zoho"}') == 2
    assert scrape.value('clinic_calls_in_flight{destination="zoho"}') == 0


def test_what_a_slow_writer_may_still_add_waits_for_the_next_scrape(engine):
    careful = Deliveries(engine)
    careful.read()
    note(engine, "fenced")
    careful.read()
    (family,) = [metric for metric in careful.metrics(careful.read()) if metric.name == "clinic_attempts"]
    assert family.samples == []


def outbox_metrics(engine):
    registry = CollectorRegistry()
    registry.register(OutboxCollector(engine, database_probe(engine)))
    return generate_latest(registry).decode()


def test_metrics_hold_the_calls_in_flight(engine):
    told = outbox_metrics(engine)
    assert 'clinic_calls_in_flight{destination="zoho"} 0.0' in told


@pytest.mark.parametrize("status", ["retrying", "sending"])
def test_a_row_that_loses_its_workers_is_told_between_its_calls_and_in_them(engine, status):
    """Else the alarm would end with each call, and ring anew after it."""
    row = record_lead(engine, LEAD).id
    lost = "UPDATE deliveries SET status = :status, lost_leases = :times, next_retry_at = now() WHERE id = :row"
    change(engine, lost, status=status, times=4, row=row)
    assert 'clinic_trouble{name="losing"} 0.0' in outbox_metrics(engine)
    change(engine, lost, status=status, times=5, row=row)
    assert 'clinic_trouble{name="losing"} 1.0' in outbox_metrics(engine)


def test_each_destination_has_its_own_rows_gate_and_waits(engine):
    row = record_lead(engine, LEAD, owed={"zoho": 0.0, "staff-mail": 10.0}).id
    waited = (
        "UPDATE deliveries SET queued_at = now() - interval '700 s' WHERE id = :row AND destination = 'staff-mail'"
    )
    change(engine, waited, row=row)
    change(
        engine,
        "UPDATE gates SET state = 'shut', reason = 'outage', failing_since = now() - interval '300 s'"
        " WHERE destination = 'staff-mail'",
    )
    told = {
        (name, destination): float(value)
        for name, destination, value in re.findall(
            r'^(\w+)\{destination="([\w-]+)"(?:,kind="lead",state="pending"|,reason="outage")?\} (\S+)$',
            outbox_metrics(engine),
            re.MULTILINE,
        )
    }
    for destination, rows, is_shut, waited, failing in (
        ("zoho", 1, 0, 0, 0),
        ("staff-mail", 1, 1, 700, 300),
        ("staff-webhook", 0, 0, 0, 0),
        ("visitor", 0, 0, 0, 0),
    ):
        assert told["clinic_rows", destination] == rows
        assert told["clinic_gate_reason", destination] == is_shut
        assert told["clinic_oldest_undelivered_seconds", destination] == pytest.approx(waited, abs=30)
        assert told["clinic_failing_seconds", destination] == pytest.approx(failing, abs=30)
