"""The outbox as /metrics tells it; attempts from the first scrape on, each once, whichever worker noted it."""

import re
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from tests.support.database import change
from tests.support.samples import LEAD, record_lead
from web.metrics.outbox import OutboxCollector


def metrics_text(engine, **options):
    """What a scrape says."""
    registry = CollectorRegistry()
    registry.register(OutboxCollector(engine, Path.cwd(), lambda: None, **options))
    return lambda: generate_latest(registry).decode()


@pytest.fixture
def value(engine):
    """The value of a metric at a new scrape, without the wait for late writers; None: there is none."""
    scrape = metrics_text(engine, settled_seconds=0)

    def read(metric):
        found = re.search(rf"^{re.escape(metric)} (\S+)$", scrape(), re.MULTILINE)
        return found and float(found[1])

    return read


def note(engine, event, code=None, row=None):
    row = row or record_lead(engine, LEAD).id
    words = "INSERT INTO crm_attempts (kind, row_id, event, code) VALUES ('lead', :row, :event, :code)"
    change(engine, words, row=row, event=event, code=code)


def attempts(event, code):
    return f'clinic_attempts_total{{code="{code}",destination="zoho",event="{event}",kind="lead"}}'


def test_attempts_are_counted_once_by_event_and_code_from_the_first_scrape_on(engine, value):
    note(engine, "refused", "INVALID_DATA")
    refused = attempts("refused", "INVALID_DATA")
    assert value(refused) is None
    for event, code in (("refused", "INVALID_DATA"), ("fenced", None), ("unavailable", "SPENT")):
        note(engine, event, code)
    assert value(refused) == 1
    note(engine, "refused", "INVALID_DATA")
    assert value(refused) == 2
    assert value(attempts("fenced", "")) == value(attempts("unavailable", "SPENT")) == 1


def test_the_way_from_stored_to_delivered_is_a_histogram(engine, value):
    count = 'clinic_accept_to_delivered_seconds_count{destination="zoho",kind="lead"}'
    assert value(count) is None
    row = record_lead(engine, LEAD).id
    change(engine, "UPDATE leads SET created_at = now() - interval '100 s' WHERE id = :row", row=row)
    note(engine, "sent", "SENT", row=row)
    assert value(count) == 1
    for limit, times in (("60.0", 0), ("120.0", 1)):
        bucket = f'clinic_accept_to_delivered_seconds_bucket{{destination="zoho",kind="lead",le="{limit}"}}'
        assert value(bucket) == times


@pytest.mark.parametrize("status", ["retrying", "sending"])
def test_a_row_that_loses_its_workers_is_told_between_its_calls_and_in_them(engine, value, status):
    """Otherwise the alarm would end with each call and ring again after it."""
    row = record_lead(engine, LEAD).id
    lost = "UPDATE deliveries SET status = :status, lost_leases = :times, next_retry_at = now() WHERE id = :row"
    for times in (4, 5):
        change(engine, lost, status=status, times=times, row=row)
        assert (value('clinic_trouble{destination="zoho",name="losing"}') or 0) == (2 if times == 5 else 0)


def test_each_destination_has_its_own_rows_pause_and_waits(engine, value):
    record_lead(engine, LEAD, owed={"zoho": 0.0, "staff-mail": 10.0})
    change(engine, "UPDATE deliveries SET queued_at = now() - interval '700 s' WHERE destination = 'staff-mail'")
    change(engine, "UPDATE destinations SET reason = 'outage', changed_at = now() WHERE name = 'staff-mail'")
    assert value('clinic_trouble{destination="staff-mail",name="oldest"}') == 2
    assert value('clinic_trouble{destination="staff-mail",name="failing"}') == 1
    for name, rows, is_paused, waited in (("zoho", 1, 0, 0), ("staff-mail", 1, 1, 700), ("visitor", 0, 0, 0)):
        assert value(f'clinic_rows{{destination="{name}",kind="lead",state="pending"}}') == rows
        assert value(f'clinic_paused{{destination="{name}",reason="outage"}}') == is_paused
        oldest = value(f'clinic_oldest_undelivered_seconds{{destination="{name}"}}')
        assert oldest == pytest.approx(waited, abs=30)
