"""Counts in windows of time: each name has its own, and no flood of names takes more than its share of memory."""

from __future__ import annotations

import pytest

from api.limits import counts as module
from api.limits.counts import Counts


@pytest.fixture
def clock(monkeypatch):
    class Clock:
        now = 1000.0

        def monotonic(self):
            return self.now

    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    return clock


def test_a_window_begins_with_the_first_request_and_ends_after_its_time(clock):
    counts = Counts()
    assert counts.add("a", 60) == (1, 60)
    clock.now += 59.5
    assert counts.add("a", 60) == (2, 1)
    assert counts.add("b", 60) == (1, 60)
    clock.now += 0.5
    assert counts.add("a", 60) == (1, 60)


def test_who_only_looks_counts_nothing(clock):
    counts = Counts()
    assert [counts.add("a", 60, by)[0] for by in (1, 0, 0, 1)] == [1, 1, 1, 2]


def test_a_full_memory_forgets_what_was_unused_for_longest_and_nothing_else(monkeypatch):
    monkeypatch.setattr(module, "MAX_NAMES", 100)
    counts = Counts()
    counts.add("old", 60)
    for number in range(500):
        counts.add(number, 60)
        assert counts.add("used", 60)[0] == number + 1
    assert counts.add("old", 60)[0] == 1
    assert counts.add(499, 60)[0] == 2
