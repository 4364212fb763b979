"""The rows of the past: as many as asked for, in time order, with every index that the product has."""

from __future__ import annotations

import psycopg
import pytest

from benchmarks.finished import fill
from benchmarks.payload import row
from leads.ids import new_id
from tests.support.database import rows_of

COUNT = 1_200
INDEXES = """
SELECT indexrelid::regclass::text AS index, indisunique, indkey::text AS columns, indpred IS NULL AS whole
FROM pg_index WHERE indrelid IN ('leads'::regclass, 'attempts'::regclass) ORDER BY 1
"""


@pytest.fixture
def before(engine):
    return rows_of(engine, INDEXES)


@pytest.fixture
def said(before, database_url):
    lines = []
    fill(database_url, COUNT, lines.append)
    return lines


def test_every_lead_is_delivered_and_has_its_two_attempts(said, engine):
    found = rows_of(
        engine,
        "SELECT leads.id, array_agg(event ORDER BY event) AS events FROM leads JOIN crm_deliveries USING (id)"
        " JOIN crm_attempts ON row_id = leads.id WHERE zoho_status = 'sent' GROUP BY leads.id",
    )
    assert len(found) == COUNT
    assert all(row["events"] == ["claimed", "delivered"] for row in found)
    assert said[-1].startswith("1,200 finished rows stored in ")


def test_ids_are_in_the_order_of_time_and_sort_before_those_of_new_leads(said, engine):
    ids = [row["id"] for row in rows_of(engine, "SELECT id FROM leads ORDER BY created_at")]
    assert ids == sorted(ids)
    assert {each.version for each in ids} == {7}
    assert ids[-1] < new_id()


def test_addresses_and_phones_are_distinct_and_scattered(said, engine):
    found = rows_of(engine, "SELECT email, phone_e164 FROM leads ORDER BY created_at")
    for column in ("email", "phone_e164"):
        values = [row[column] for row in found]
        assert len(set(values)) == COUNT
        assert values != sorted(values)


def test_none_of_them_is_of_somebody_who_will_wait(said, engine):
    found = rows_of(engine, "SELECT email, phone_e164 FROM leads")
    waiting = [row(number) for number in range(2 * COUNT)]
    for column in ("email", "phone_e164"):
        assert {each[column] for each in found}.isdisjoint(each[column] for each in waiting)


def test_the_indexes_are_those_of_the_product(before, said, engine):
    assert before
    assert rows_of(engine, INDEXES) == before


def test_autovacuum_stays_off(said, database_url):
    with psycopg.connect(database_url) as connection:
        options = connection.execute("SELECT reloptions FROM pg_class WHERE relname IN ('leads', 'attempts')")
        assert ["autovacuum_enabled=off" in found for (found,) in options] == [True, True]
