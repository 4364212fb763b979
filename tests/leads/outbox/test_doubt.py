"""Which rows are in doubt: tried minutes ago, without a record, and not due soon by themselves."""

from __future__ import annotations

import pytest

from leads.outbox.doubt import START, Doubt, read_doubt, read_in_doubt
from leads.outbox.store import record_lead
from tests.support.database import change
from tests.support.samples import LEAD

IN_DOUBT = {
    "status": "'retrying'",
    "last_retry_at": "now() - interval '6 min'",
    "next_retry_at": "now() + interval '61 s'",
}


def store(engine, **other):
    """A lead whose delivery is in doubt, but for these columns."""
    row = record_lead(engine, LEAD).id
    values = ", ".join(f"{column} = {value}" for column, value in {**IN_DOUBT, **other}.items())
    change(engine, f"UPDATE deliveries SET {values} WHERE id = :id", id=row)
    return row


def ids(engine, after=START, rows=10):
    return [row.id for _, row in read_in_doubt(engine, after, rows=rows)]


@pytest.mark.parametrize(
    "other",
    [
        {"destination": "'visitor'"},
        {"status": "'dead'"},
        {"record_id": "'1'"},
        {"last_retry_at": "now() - interval '4 min'"},
    ],
    ids=str,
)
def test_what_is_not_in_doubt(engine, other):
    store(engine, **other)
    assert (ids(engine), read_doubt(engine).rows) == ([], 0)


def test_what_is_due_within_a_minute_is_in_doubt_and_not_looked_for(engine):
    store(engine, next_retry_at="now() + interval '59 s'")
    assert (ids(engine), read_doubt(engine).rows) == ([], 1)


def test_they_come_by_their_last_try_from_a_place_on(engine):
    rows = [store(engine, last_retry_at=f"now() - interval '{minutes} min'") for minutes in (6, 8, 7)]
    first, second, third = rows[1], rows[2], rows[0]
    assert ids(engine) == [first, second, third]
    assert ids(engine, rows=2) == [first, second]
    (place, _), *_ = read_in_doubt(engine, START, rows=1)
    assert ids(engine, after=place) == [second, third]


def test_found_ones_are_of_the_last_day(engine):
    row = store(engine)
    for hours in (1, 23, 25):
        change(
            engine,
            "INSERT INTO attempts (destination, kind, row_id, event, code, at)"
            " VALUES ('zoho', 'lead', :id, 'sent', 'FOUND', now() - make_interval(hours => :hours))",
            id=row,
            hours=hours,
        )
    assert read_doubt(engine) == Doubt(rows=1, found=2)
