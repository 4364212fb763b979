"""Workers and their begun calls are on record for as long as a lost lease may ask about them."""

from __future__ import annotations

from uuid import uuid4

import pytest

from leads.crm_state.workers import Worker
from tests.support.database import change, rows_of


@pytest.fixture
def worker(engine):
    worker = Worker(engine, uuid4(), "host:1")
    worker.note_seen()
    return worker


def workers(engine):
    query = "SELECT id, seen_at > now() - interval '30 s' AS seen, stopped_at IS NOT NULL AS ended FROM crm_workers"
    return {row["id"]: (row["seen"], row["ended"]) for row in rows_of(engine, query)}


def test_each_tick_renews_when_a_worker_was_seen(engine, worker):
    change(engine, "UPDATE crm_workers SET seen_at = now() - interval '1 h'")
    assert workers(engine) == {worker.id: (False, False)}
    worker.note_seen()
    assert workers(engine) == {worker.id: (True, False)}


def test_an_orderly_end_is_recorded(engine, worker):
    worker.note_stopped()
    assert workers(engine) == {worker.id: (True, True)}


def test_the_dead_of_the_day_before_are_forgotten_and_their_calls(engine, worker):
    other = Worker(engine, uuid4(), "host:2")
    other.note_seen()
    for call_id in ("old", "new"):
        other.begin_call(call_id, alone=True)
    change(engine, "UPDATE crm_calls SET began_at = now() - interval '25 h' WHERE id = 'old'")
    change(engine, "UPDATE crm_workers SET seen_at = now() - interval '25 h'")
    worker.note_seen()
    assert workers(engine) == {worker.id: (True, False)}
    assert rows_of(engine, "SELECT id, worker_id, alone FROM crm_calls") == [
        {"id": "new", "worker_id": other.id, "alone": True}
    ]
