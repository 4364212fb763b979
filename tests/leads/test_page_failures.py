"""Failures on pages: counted by the hour, bounded, and forgotten after a week."""

from __future__ import annotations

from leads import page_failures
from leads.page_failures import PageFailure, count_page_failure, read_page_failures
from tests.support.database import change

CHUNK = PageFailure("chunk", "form", "chromium", 156)


def test_this_hour_and_the_one_before_are_read_the_most_frequent_first(engine):
    for failure in (CHUNK, PageFailure("error", "app", "firefox", 153), CHUNK):
        count_page_failure(engine, failure)
    change(engine, "UPDATE page_failures SET hour = hour - interval '1 hour' WHERE engine = 'chromium'")
    count_page_failure(engine, CHUNK)
    assert read_page_failures(engine) == [(CHUNK, 3), (PageFailure("error", "app", "firefox", 153), 1)]
    change(engine, "UPDATE page_failures SET hour = hour - interval '2 hours'")
    assert read_page_failures(engine) == []


def test_invented_versions_do_not_fill_the_table(engine, monkeypatch):
    monkeypatch.setattr(page_failures, "MAX_ROWS", 3)
    for version in range(101, 111):
        count_page_failure(engine, PageFailure("error", "app", "chromium", version))
    count_page_failure(engine, PageFailure("error", "app", "chromium", 102))
    found = {(failure.engine, failure.version): times for failure, times in read_page_failures(engine)}
    assert found == {("other", 0): 7, ("chromium", 101): 1, ("chromium", 102): 2, ("chromium", 103): 1}
