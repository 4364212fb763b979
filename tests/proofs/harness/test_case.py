"""What all instruments share: choosing cases, judging one, and a page that keeps the rows of earlier runs."""

from __future__ import annotations

import pytest

from proofs.drills.drill import drill
from proofs.harness.case import Broken, Case, NotHere, Result, judged, require
from proofs.harness.cli import again, arguments, summary
from proofs.harness.page import merged, table
from proofs.hostile.case import case

CASE = Case("kind.name", "it holds", run=lambda _: None)


def keys(cases):
    return [case.key for case in cases]


def test_a_case_is_chosen_by_its_key_or_its_group_and_a_number_means_one_drill():
    assert keys(case.choose(["Protocol.hosts"])) == ["protocol.hosts"]
    assert {key.partition(".")[0] for key in keys(case.choose(["bodies"]))} == {"bodies"}
    assert keys(drill.choose(["20", "13"])) == ["13", "20"]


def test_without_names_all_are_chosen_or_the_short_set():
    assert 0 < len(case.choose(short=True)) < len(case.choose())
    assert set(keys(drill.choose(["13"], short=True))) == {"13"}, (
        "a long drill that is named runs in a short run too"
    )


def test_a_name_that_chooses_nothing_ends_the_command():
    with pytest.raises(SystemExit, match="there is no nothing; see --list"):
        case.choose(["bodies", "nothing"])


@pytest.mark.parametrize(
    ("error", "wrong", "skipped"),
    [
        (None, [], ""),
        (Broken("a lead was lost"), ["a lead was lost"], ""),
        (NotHere("nginx is not installed"), [], "nginx is not installed"),
        (KeyError("id"), ["the case itself broke: KeyError: 'id'"], ""),
    ],
)
def test_how_a_case_ends_is_its_result(error, wrong, skipped):
    result = Result(CASE)
    with judged(result):
        if error is not None:
            raise error
    assert (result.wrong, result.skipped) == (wrong, skipped)
    assert result.holds == (error is None)
    assert (skipped or CASE.promise) in result.text


def test_an_interrupt_is_no_result():
    with pytest.raises(KeyboardInterrupt), judged(Result(CASE)):
        raise KeyboardInterrupt


def test_what_was_not_run_counts_neither_way():
    results = [Result(CASE), Result(CASE, wrong=["no"]), Result(CASE, skipped="nothing here")]
    assert summary(results) == "1 of 2 promises kept, 1 not run"


def test_what_failed_is_told_with_the_command_that_repeats_it():
    parser = arguments("proofs.drills", None, one="N")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    assert (
        again(parser.parse_args(["--short"]), ["6", "7"]) == "python -m proofs.drills --short --only 6 7 --seed 1"
    )
    assert (
        again(arguments("proofs.hostile", None, one="N").parse_args([]), ["a"])
        == "python -m proofs.hostile --only a"
    )


def test_require_raises_only_what_does_not_hold():
    require(1, "unused")
    with pytest.raises(Broken, match="seen: 0"):
        require(0, "seen: 0")


def test_a_page_keeps_earlier_rows_in_order_and_drops_those_of_cases_that_are_gone():
    before = "text\n| key | found |\n|---|---|\n| `b` | old |\n| a | old |\n| gone | old |\n"
    rows = merged(before, {"b": ["`b`", "one | two"], "c": ["c", "new"]}, ["a", "b", "c"])
    assert table(("key", "found"), rows.values(), numbers=1) == [
        "| key | found |",
        "|---|---:|",
        "| a | old |",
        "| `b` | one / two |",
        "| c | new |",
    ]
