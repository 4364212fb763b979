"""Turns: one worker takes what is due, and a lost turn is taken again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from leads.turns import end_turn, fail_turn, take_turn
from tests.support.database import change, rows_of

NOW = datetime.now(UTC)
EARLIER, LATER = NOW - timedelta(minutes=1), NOW + timedelta(days=1)


def test_nothing_is_due_before_its_first_time(engine):
    assert take_turn(engine, "x", first=LATER) is None
    assert take_turn(engine, "x", first=EARLIER) is None


def test_a_due_turn_is_taken_once_and_again_when_it_is_due_again(engine):
    assert take_turn(engine, "x", first=EARLIER) is None
    assert take_turn(engine, "x", first=LATER) == EARLIER
    assert take_turn(engine, "x", first=LATER) is None
    end_turn(engine, "x", due=EARLIER)
    assert take_turn(engine, "x", first=LATER) == EARLIER
    end_turn(engine, "x", due=LATER)
    assert take_turn(engine, "x", first=LATER) is None


def test_a_turn_that_failed_or_was_lost_is_taken_again_in_minutes(engine):
    take_turn(engine, "x", first=EARLIER)
    take_turn(engine, "x", first=EARLIER)
    fail_turn(engine, "x", "REFUSED" * 100)
    assert take_turn(engine, "x", first=EARLIER) is None
    change(engine, "UPDATE turns SET taken_until = taken_until - interval '5 minutes'")
    assert take_turn(engine, "x", first=EARLIER) == EARLIER
    end_turn(engine, "x", due=LATER)
    assert rows_of(engine, "SELECT note FROM turns") == [{"note": None}]
