"""A delivery's task is one try: its state in Flower, and what it says, is what became of the row."""

from __future__ import annotations

import pytest
from celery.utils.saferepr import saferepr

from leads.crm_state import read_field_check
from leads.db import exclusively
from leads.destinations import CRM
from leads.ids import short_id
from tests.support.crm import server_error
from tests.support.database import rows_of
from tests.support.samples import LEAD, record_lead
from worker import tasks
from worker.app import app
from worker.tasks import NotDelivered


@pytest.fixture
def deliver(delivery, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgresql://clinic@127.0.0.1/clinic")  # Celery reads its configuration
    monkeypatch.setattr(tasks, "get_context", lambda: delivery)
    monkeypatch.setattr("worker.enqueue._enqueue_messages", lambda *_: None)
    return lambda lead: tasks.deliver.run(CRM, str(lead.id))


def test_a_delivery_succeeds_with_what_arrived(deliver, delivery):
    lead = record_lead(delivery.engine, LEAD)
    assert deliver(lead) == f"{short_id(lead.id)} SENT"
    assert deliver(lead) == "nothing was due"


def test_a_delivery_that_failed_fails_with_its_code_and_the_next_try(deliver, delivery, crm):
    lead = record_lead(delivery.engine, LEAD)
    crm.answer = lambda _: server_error()
    with pytest.raises(NotDelivered) as failed:
        deliver(lead)
    (row,) = rows_of(delivery.engine, "SELECT next_retry_at AS at FROM deliveries")
    assert saferepr(failed.value) == f"{short_id(lead.id)} HTTP_500, next try {row['at']:%d %b %H:%M:%S} UTC"


def test_all_that_is_periodic_has_a_task_and_each_runs_at_most_once_at_a_time(context, sandbox, monkeypatch):
    """What is not harmless when doubled takes a lock."""
    monkeypatch.setenv("DATABASE_URL", "postgresql://clinic@127.0.0.1/clinic")  # Celery reads its configuration
    monkeypatch.setattr(tasks, "get_context", lambda: context)
    monkeypatch.setattr(tasks, "enqueue_due", lambda *_: 0)
    names = {each["task"] for each in app.conf.beat_schedule.values()}
    for name in names:
        app.tasks[name].run()
    assert read_field_check(context.engine).checked_at is not None
    for name in ("erase", "retain"):
        with exclusively(context.engine, name):
            assert app.tasks[name].run() == "another worker does it"
