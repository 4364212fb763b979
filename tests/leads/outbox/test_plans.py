"""A batch's rows are looked up by index while the tables are tiny, too: the plans are kept when these grow."""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace

import pytest
from sqlalchemy import text

from leads.db import connect_engine
from leads.lifecycle import Delivered
from leads.outbox.lease import Mark, claim, mark
from leads.outbox.rows import Lane
from tests.support.database import change, spy_on, store_many


@pytest.fixture
def engine(database_url):
    """As a worker connects."""
    engine = connect_engine(database_url, pool=1, name="worker", by_index=True)
    yield engine
    engine.dispose()


@pytest.fixture
def plans(engine):
    """The plans of the statements that the engine runs from here on, each made before it runs."""
    plans = []

    def explain(cursor, statement, parameters):
        if statement.lstrip().startswith("WITH"):
            lines = cursor.connection.execute(f"EXPLAIN {statement}", parameters)
            plans.append("\n".join(line for (line,) in lines))

    store_many(engine, "leads", 15, {"email": "'p' || n"}, {"zoho_status": "'pending'"})
    change(
        engine,
        "INSERT INTO crm_attempts (kind, row_id, call_id, event)"
        " SELECT 'lead', id, 'before', 'claimed' FROM leads, generate_series(1, 2)",
    )
    change(engine, "ANALYZE")
    spy_on(engine, before=explain)
    return plans


def test_nothing_about_a_batch_reads_a_whole_table(engine, plans):
    claimed = claim(engine, Lane.FRESH, rows=10, lease_seconds=60, call_id="c")
    assert len(claimed) == 10
    assert mark(engine, [Mark(row, Delivered("1"), "c") for row in claimed]).sent == 10
    assert len(plans) == 2
    for plan in plans:
        assert "Seq Scan on deliveries" not in plan
        assert "Seq Scan on leads" not in plan
        assert "Seq Scan on crm_attempts" not in plan


def test_the_plan_of_a_claim_is_kept(engine):
    store_many(engine, "leads", 40, {}, {"zoho_status": "'pending'"})
    with engine.connect() as connection:
        pool = SimpleNamespace(connect=lambda: nullcontext(connection))
        for _ in range(40):
            assert len(claim(pool, Lane.FRESH, rows=1, lease_seconds=60, call_id="c")) == 1
        kept = "SELECT generic_plans FROM pg_prepared_statements WHERE statement LIKE '%same_visit%'"
        assert connection.execute(text(kept)).scalar_one() > 0
