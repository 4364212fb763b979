"""Workers are on record while they live, and what they deliver to has a gate and slots."""

from __future__ import annotations

from uuid import uuid4

import pytest

from leads.outbox.gate import read_gate
from leads.outbox.workers import MAX_SLOTS, Worker
from tests.support.database import change, rows_of


@pytest.fixture
def worker(engine):
    worker = Worker(engine, uuid4())
    worker.note_seen()
    return worker


def workers(engine):
    found = rows_of(engine, "SELECT id, seen_at > now() - interval '30 s' AS seen FROM workers")
    return {row["id"]: row["seen"] for row in found}


def test_each_tick_renews_when_a_worker_was_seen(engine, worker):
    change(engine, "UPDATE workers SET seen_at = now() - interval '1 h'")
    assert workers(engine) == {worker.id: False}
    worker.note_seen()
    assert workers(engine) == {worker.id: True}


def test_the_dead_of_the_day_before_are_forgotten(engine, worker):
    Worker(engine, uuid4()).note_seen()
    change(engine, "UPDATE workers SET seen_at = now() - interval '25 h'")
    other = Worker(engine, uuid4())
    other.note_seen()
    change(engine, "UPDATE workers SET seen_at = now() - interval '23 h' WHERE id = :id", id=other.id)
    worker.note_seen()
    assert workers(engine) == {worker.id: True, other.id: False}


def test_a_destination_that_is_new_gets_its_gate_and_its_slots(engine, worker):
    for _ in range(2):
        seen = worker.note_started(["zoho", "second-crm"])
    assert rows_of(engine, "SELECT seen_at FROM workers") == [{"seen_at": seen}]
    assert read_gate(engine, "second-crm").is_open
    found = rows_of(engine, "SELECT number FROM call_slots WHERE destination = 'second-crm' ORDER BY number")
    assert [row["number"] for row in found] == [*range(1, MAX_SLOTS + 1)]
