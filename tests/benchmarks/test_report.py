"""The benchmarks' table and page: their content, and which rows of an earlier page stay."""

from __future__ import annotations

from datetime import UTC, datetime

from benchmarks.report import Run, cells, explained, page, table, totals
from benchmarks.series import Series
from benchmarks.targets import JUDGED, TARGETS, Finding

RUN = Run(datetime(2026, 11, 21, 9, 15, tzinfo=UTC), 8, 3, 7, 12.4)


def finding(key, *ratios):
    theirs = tuple(1000.0 for _ in ratios)
    ours = tuple(1000.0 * ratio for ratio in ratios)
    return Finding(TARGETS[key], Series(ours, "/s"), "FastAPI | asyncpg", Series(theirs, "/s"), ["32 connections"])


def keys(text):
    return [line.split(" | ")[0].strip("| ") for line in text.splitlines() if line.startswith(("| P", "| S"))]


def test_a_row_tells_figure_peer_ratio_with_spread_bars_and_result():
    assert cells(finding("P2", 1.2, 1.1, 1.3)) == (
        "P2",
        "accept throughput against FastAPI + asyncpg",
        "1,200 /s (1,100 to 1,300)",
        "FastAPI | asyncpg",
        "1,000 /s (1,000 to 1,000)",
        "1.20 x (1.10 to 1.30)",
        "≥ 1.10 x / ≥ 1.50 x",
        "met; the aim missed by 20 %",
    )


def test_what_has_no_peer_shows_none():
    row = cells(Finding(TARGETS["P10"], Series((1.5,), "s")))
    assert row[3:6] == ("—", "—", "—")


def test_the_table_aligns_its_columns():
    head, *rows = table([finding("P1", 4.5), finding("P2", 0.55)]).splitlines()
    at = head.index("result")
    assert [row[at:] for row in rows] == ["met, and the aim", "MISSED by 50 %"]


def test_the_last_line_counts_targets_and_aims():
    assert totals([finding("P1", 5.0), finding("P1", 3.6), finding("P2", 0.5), finding("S3", 1.5)], 9.96) == (
        "2 of 3 targets met, 1 aims; 10.0 minutes"
    )
    assert explained([finding("P1", 2.0)]) == "P1   32 connections"


def test_the_page_tells_date_machine_rounds_and_seed_and_marks_what_is_missed():
    text = page([finding("P1", 4.0), finding("P2", 0.55)], RUN, "Machine: two cores")
    assert "2026-11-21, `python -m benchmarks`: 1 of 2 targets met. Not measured yet: P2b, P3, " in text
    assert "Machine: two cores" in text
    assert "| FastAPI / asyncpg |" in text
    ran = "2026-11-21 09:15 UTC, 3 rounds of 8 s, seed 7, 12 % of the machine busy otherwise"
    assert f"| **MISSED by 50 %** | 32 connections | {ran} |" in text


def test_rows_of_an_earlier_run_stay_and_a_later_run_takes_their_place():
    before = page([finding("P12", 2.0), finding("P2", 0.5)], RUN, "")
    both = page([finding("P2", 1.2), finding("P1", 4.0)], RUN, "", before)
    assert keys(both) == ["P1", "P2", "P12"]
    assert "**MISSED" not in both


def test_what_has_no_bars_stands_in_a_table_of_its_own_and_counts_for_nothing():
    text = page([finding("S3", 1.5), finding("P1", 4.0)], RUN, "")
    assert "1 of 1 targets met." in text
    targets, scale = text.split("## How it scales")
    assert (keys(targets), keys(scale)) == (["P1"], ["S3"])
    assert keys(page([finding("P1", 5.0)], RUN, "", text)) == ["P1", "S3"]


def test_nothing_is_missing_when_everything_was_measured():
    everything = [finding(key, 1.0) for key in JUDGED]
    assert "Not measured yet" not in page(everything, RUN, "")
