"""Counts in windows of time: each name has its own, and no flood of names takes more than its share of memory."""

import time

from api.limits import counts as module
from api.limits.counts import Counts


def test_a_window_begins_with_the_first_request_and_ends_after_its_time(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    counts = Counts()
    assert counts.add("a", 60) == (1, 60)
    now[0] += 59.5
    assert counts.add("a", 60) == (2, 1)
    assert counts.add("a", 60, 0) == (2, 1)  # only looks
    assert counts.add("b", 60) == (1, 60)
    now[0] += 0.5
    assert counts.add("a", 60) == (1, 60)


def test_a_full_memory_forgets_what_was_unused_for_longest_and_nothing_else(monkeypatch):
    monkeypatch.setattr(module, "MAX_NAMES", 100)
    counts = Counts()
    counts.add("old", 60)
    for number in range(500):
        counts.add(number, 60)
        assert counts.add("used", 60)[0] == number + 1
    assert counts.add("old", 60)[0] == 1
    assert counts.add(499, 60)[0] == 2
