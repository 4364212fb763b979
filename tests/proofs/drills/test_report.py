"""The drills' page: written drill by drill, keeping the rows of other runs."""

from __future__ import annotations

from argparse import Namespace
from datetime import UTC, datetime

from proofs.drills.report import page
from proofs.harness.case import Case, Result

LONG = Namespace(short=False, seed=7)


def result(key, seconds=60.0, wrong=()):
    at = datetime(2026, 11, 21, 5, 0, tzinfo=UTC)
    case = Case(key, f"Property {key}", run=lambda _: None)
    return Result(case, seconds, ["10 leads"], {"slowest": "1 s"}, list(wrong), at=at)


def rows(text):
    return [line.split(" | ")[0].strip("| ") for line in text.splitlines() if line.startswith("| ")][1:]


def test_a_row_tells_the_property_what_was_done_the_result_the_figures_and_the_seed():
    assert (
        "| 7 | Property 7 | 10 leads | holds | slowest 1 s | 2026-11-21 05:00 UTC, 60 s, seed 7 |"
        in page([result("7")], LONG).splitlines()
    )


def test_the_rows_of_earlier_runs_stay_in_the_order_of_the_properties():
    first = page([result("20"), result("7")], LONG)
    both = page([result("13"), result("20b")], LONG, first)
    assert rows(both) == ["7", "13", "20", "20b"]
    assert "4 of 4 drills hold, 4 minutes." in both


def test_a_later_run_of_a_drill_takes_the_place_of_the_earlier():
    before = page([result("7", wrong=["a lead | was lost"]), result("6")], LONG)
    assert "1 of 2 drills hold" in before
    assert "**does not hold**: a lead / was lost" in before
    after = page([result("7", seconds=120.0)], LONG, before)
    assert rows(after) == ["6", "7"]
    assert "2 of 2 drills hold, 3 minutes." in after
