"""Without Redis rows are delivered all the same; while tasks come, they are left to the tasks."""

import threading
from contextlib import contextmanager
from unittest.mock import Mock

import pytest
from celery.worker import state

from leads.destinations import CRM
from leads.outbox.pause import read_destinations
from tests.support.crm import MemoryCrm
from tests.support.processes import wait_for
from tests.support.samples import LEAD, record_lead
from worker import fallback
from worker.crm.fields import DEFAULT_FIELDS
from worker.deliver import Deliveries
from worker.destinations.crm import CrmDestination
from worker.fallback import start_fallback


@pytest.fixture
def crm():
    return MemoryCrm()


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Ten looks a second, for rows that are 0.3 s late: a lease as short as that would end on a busy machine."""
    monkeypatch.setattr(fallback, "LOOK_SHARE", 1 / 120)
    monkeypatch.setattr(fallback, "LATE_SHARE", 1 / 40)


@contextmanager
def falling_back(engine, crm):
    record_lead(engine, LEAD)
    work = Deliveries(engine, {CRM: CrmDestination(crm, DEFAULT_FIELDS)}, threading.Event(), lease_seconds=12.0)
    threads = start_fallback(work)
    yield
    work.stopping.set()
    for thread in threads:
        thread.join()


def test_what_has_been_due_for_long_is_delivered_without_a_task(engine, crm):
    with falling_back(engine, crm):
        wait_for(lambda: crm.records, 10, "a delivery")
    assert read_destinations(engine)[CRM].seen_seconds < 10


def test_while_tasks_come_it_does_nothing(engine, crm, monkeypatch):
    looks = []
    monkeypatch.setattr(state, "total_count", Mock(values=lambda: looks.append(1) or [len(looks)]))
    with falling_back(engine, crm):
        wait_for(lambda: len(looks) > 10, 10, "ten looks, of which the row is late for most")
    assert not crm.records


def test_it_survives_a_database_that_fails(engine, crm, monkeypatch):
    real, broken = fallback.find_due, [True, True]
    monkeypatch.setattr(fallback, "find_due", lambda *a, **k: 1 / broken.pop() * 0 if broken else real(*a, **k))
    with falling_back(engine, crm):
        wait_for(lambda: crm.records, 10, "a delivery")
