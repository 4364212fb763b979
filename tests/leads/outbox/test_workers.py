"""Workers are on record while they live, and what they deliver to has a gate and slots."""

from __future__ import annotations

from uuid import uuid4

import pytest

from leads.outbox.gate import read_gate
from leads.outbox.workers import MAX_SLOTS, Worker
from tests.support.database import change, rows_of


@pytest.fixture
def worker(engine):
    worker = Worker(engine, uuid4(), "host:1")
    worker.note_seen()
    return worker


def workers(engine):
    query = "SELECT id, seen_at > now() - interval '30 s' AS seen, stopped_at IS NOT NULL AS ended FROM workers"
    return {row["id"]: (row["seen"], row["ended"]) for row in rows_of(engine, query)}


def test_each_tick_renews_when_a_worker_was_seen(engine, worker):
    change(engine, "UPDATE workers SET seen_at = now() - interval '1 h'")
    assert workers(engine) == {worker.id: (False, False)}
    worker.note_seen()
    assert workers(engine) == {worker.id: (True, False)}


def test_an_orderly_end_is_recorded(engine, worker):
    worker.note_stopped()
    assert workers(engine) == {worker.id: (True, True)}


def test_the_dead_of_the_day_before_are_forgotten(engine, worker):
    Worker(engine, uuid4(), "host:2").note_seen()
    change(engine, "UPDATE workers SET seen_at = now() - interval '25 h'")
    worker.note_seen()
    assert workers(engine) == {worker.id: (True, False)}


def test_a_destination_that_is_new_gets_its_gate_and_its_slots(engine, worker):
    for _ in range(2):
        worker.note_started(["zoho", "second-crm"])
    assert read_gate(engine, "second-crm").is_open
    (found,) = rows_of(engine, "SELECT count(*) AS n FROM call_slots WHERE destination = 'second-crm'")
    assert found["n"] == MAX_SLOTS
