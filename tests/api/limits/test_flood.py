"""The breaker trips above a multiple of what is usual, reacts at once, and ends by itself."""

from __future__ import annotations

import threading

import pytest

from api.limits import flood
from api.limits.flood import Flood, FloodBreaker
from leads.db import StoreUnavailable
from leads.outbox.holds import Held
from leads.outbox.rates import count_last_hour, usual_hour
from leads.outbox.store import record_lead
from tests.support.database import change
from tests.support.samples import LEAD


class Database:
    def __init__(self, last_hour=0, usual=0):
        self.last_hour, self.usual = last_hour, usual

    def breaker(self, least=10, multiple=4):
        return FloodBreaker(lambda: self.last_hour, lambda: self.usual, least=least, multiple=multiple)


@pytest.fixture(autouse=True)
def reads_at_once(monkeypatch):
    monkeypatch.setattr(flood, "READ_SECONDS", 0.0)
    monkeypatch.setattr(flood, "LEARN_SECONDS", 0.0)


def read(breaker):
    breaker.check()
    breaker._thread.join()
    return breaker.check()


def test_it_holds_first_what_has_no_history_and_then_all_and_ends_by_itself(caplog):
    database = Database(last_hour=9)
    breaker = database.breaker()
    assert read(breaker) is Flood.NONE
    database.last_hour = 10
    assert read(breaker) is Flood.RISING
    database.last_hour = 30
    assert read(breaker) is Flood.FULL
    database.last_hour = 9
    assert read(breaker) is Flood.NONE
    told = [record.getMessage() for record in caplog.records]
    assert [line.split(",")[0] for line in told] == [
        "flood: 10 enquiries within the last hour",
        "flood: 30 enquiries within the last hour",
        "flood: over",
    ]
    breaker.close()


def test_what_is_usual_raises_the_limit():
    database = Database(last_hour=39, usual=10)
    breaker = database.breaker()
    assert read(breaker) is Flood.NONE
    assert breaker.limit == 40
    database.last_hour = 40
    assert read(breaker) is Flood.RISING
    breaker.close()


def test_it_reacts_before_the_database_is_read_again(monkeypatch):
    breaker = Database().breaker()
    read(breaker)
    monkeypatch.setattr(flood, "READ_SECONDS", 1e9)
    for _ in range(10):
        assert breaker.check() is Flood.NONE
        breaker.note_let_through()
    assert breaker.check() is Flood.RISING
    breaker.close()


def test_a_database_that_is_away_changes_nothing_and_delays_nobody():
    asked = threading.Event()

    def away():
        asked.set()
        raise StoreUnavailable("x")

    breaker = FloodBreaker(away, away, least=10, multiple=4)
    assert read(breaker) is Flood.NONE
    assert asked.is_set()
    breaker.close()


def test_the_database_counts_what_was_let_through_and_knows_the_middle_busy_hour(engine):
    for _ in range(3):
        record_lead(engine, LEAD)
    record_lead(engine, LEAD, held=Held.FLOOD)
    assert count_last_hour(engine) == 3
    assert usual_hour(engine) == 0
    for days, count in ((2, 5), (3, 40), (4, 7)):
        for _ in range(count):
            lead = record_lead(engine, LEAD).id
            moved = "created_at = date_trunc('day', now()) - make_interval(days => :days)"
            change(engine, f"UPDATE leads SET {moved} WHERE id = :id", days=days, id=lead)
    assert usual_hour(engine) == 7
