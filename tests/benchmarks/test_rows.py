"""Emptying the tables beside workers that go on looking for rows."""

from __future__ import annotations

import psycopg
import pytest

from benchmarks import rows
from benchmarks.programs import BenchmarkError
from leads.outbox.store import record_lead
from tests.support.database import rows_of
from tests.support.samples import LEAD


@pytest.fixture
def deadlocks(monkeypatch):
    """Let so many of the next statements end in a deadlock; the others run."""
    execute = rows._execute

    def let(count):
        left = iter(range(count))

        def run(database, words):
            if next(left, None) is not None:
                raise psycopg.errors.DeadlockDetected
            execute(database, words)

        monkeypatch.setattr(rows, "_execute", run)

    return let


def test_a_deadlock_with_the_product_does_not_end_the_run(deadlocks, engine, database_url):
    record_lead(engine, LEAD)
    deadlocks(rows.MAX_DEADLOCKS - 1)
    rows.empty(database_url)
    assert rows_of(engine, "SELECT id FROM leads") == []


def test_deadlocks_without_end_are_named(deadlocks, engine, database_url):
    record_lead(engine, LEAD)
    deadlocks(rows.MAX_DEADLOCKS)
    with pytest.raises(BenchmarkError, match="could not be emptied: 5 deadlocks"):
        rows.empty(database_url)
    assert len(rows_of(engine, "SELECT id FROM leads")) == 1
