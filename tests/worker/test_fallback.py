"""Without Redis rows are delivered all the same; while tasks come, they are left to the tasks."""

from __future__ import annotations

import threading
from contextlib import contextmanager

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


@contextmanager
def falling_back(engine, crm):
    record_lead(engine, LEAD)
    work = Deliveries(engine, {CRM: CrmDestination(crm, DEFAULT_FIELDS)}, threading.Event(), lease_seconds=1.2)
    threads = start_fallback(work)
    yield
    work.stopping.set()
    for thread in threads:
        thread.join()


def test_what_has_been_due_for_long_is_delivered_without_a_task(engine, crm):
    with falling_back(engine, crm):
        threading.Event().wait(0.3)
        assert not crm.records  # a task may still come
        wait_for(lambda: crm.records, 10, "a delivery")
    assert read_destinations(engine)[CRM].seen_seconds < 10


def test_while_tasks_come_it_does_nothing(engine, crm, monkeypatch):
    counts = iter(range(1, 1000))
    monkeypatch.setattr(state, "total_count", type("Counts", (), {"values": lambda _: [next(counts)]})())
    with falling_back(engine, crm):
        threading.Event().wait(2.0)
    assert not crm.records


def test_it_survives_a_database_that_fails(engine, crm, monkeypatch):
    real, broken = fallback.find_due, [True, True]
    monkeypatch.setattr(fallback, "find_due", lambda *a, **k: 1 / broken.pop() * 0 if broken else real(*a, **k))
    with falling_back(engine, crm):
        wait_for(lambda: crm.records, 10, "a delivery")
