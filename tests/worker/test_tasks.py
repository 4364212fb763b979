"""A delivery's task is one try: its state in Flower, and what it says, is what became of the row."""

import pytest
from celery.utils.saferepr import saferepr

from leads.crm_state import read_field_check
from leads.db import exclusively
from leads.destinations import CRM
from leads.durations import clock_and_zone
from leads.ids import short_id
from tests.support.database import rows_of
from tests.support.pipeline import make_due
from tests.support.samples import LEAD, record_lead
from worker import tasks
from worker.app import app
from worker.tasks import NotDelivered


@pytest.fixture(autouse=True)
def tasks_of(context, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgresql://clinic@127.0.0.1/clinic")  # Celery reads its configuration
    monkeypatch.setattr(tasks, "get_context", lambda: context)


def test_a_delivery_tells_what_arrived_or_fails_with_its_code_and_the_next_try(context, sandbox, monkeypatch):
    monkeypatch.setattr("worker.enqueue._enqueue_messages", lambda *_: None)
    lead = record_lead(context.engine, LEAD)
    sandbox.faults(server_error={"count": 1})
    with pytest.raises(NotDelivered) as failed:
        tasks.deliver.run(CRM, str(lead.id))
    (row,) = rows_of(context.engine, "SELECT next_retry_at AS at FROM deliveries")
    assert saferepr(failed.value) == f"{short_id(lead.id)} HTTP_502, next try {clock_and_zone(row['at'])}"
    make_due(context)
    assert tasks.deliver.run(CRM, str(lead.id)) == f"{short_id(lead.id)} SENT"
    assert tasks.deliver.run(CRM, str(lead.id)) == "nothing was due"


def test_all_that_is_periodic_has_a_task_and_each_runs_at_most_once_at_a_time(context, sandbox, monkeypatch):
    """What is not harmless when doubled takes a lock."""
    monkeypatch.setattr(tasks, "enqueue_due", lambda *_: 0)
    names = {each["task"] for each in app.conf.beat_schedule.values()}
    for name in names:
        app.tasks[name].run()
    assert read_field_check(context.engine).checked_at is not None
    for name in ("erase", "retain"):
        with exclusively(context.engine, name):
            assert app.tasks[name].run() is None  # another worker does it
