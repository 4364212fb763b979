"""Whether a measurement meets its target, and by how much it misses."""

from __future__ import annotations

import pytest

from dev.benchmarks.catalog import BENCHMARKS, choose
from dev.benchmarks.series import Series
from dev.benchmarks.targets import TARGETS, Finding


def finding(key, ours, theirs=None):
    peer = None if theirs is None else Series((theirs,), "/s")
    return Finding(TARGETS[key], Series((ours,), "ms"), "" if peer is None else "peer", peer)


@pytest.mark.parametrize(
    ("key", "ours", "theirs", "verdict"),
    [
        ("P1", 2000, 1000, "met, and the aim"),
        ("P1", 1200, 1000, "met; the aim missed by 40 %"),
        ("P1", 1080, 1000, "MISSED by 10 %"),
        ("P2", 750, 1000, "met; the aim missed by 25 %"),
        ("P7", 120, 100, "met; the aim missed by 20 %"),
        ("P7", 121, 100, "MISSED by 1 %"),
        ("P7", 100, 100, "met, and the aim"),
    ],
)
def test_a_ratio_is_held_against_least_and_aim(key, ours, theirs, verdict):
    assert finding(key, ours, theirs).verdict == verdict


@pytest.mark.parametrize(
    ("ours", "verdict"),
    [(8.0, "met, and the aim"), (10.0, "met; the aim missed by 25 %"), (24.0, "MISSED by 20 %")],
)
def test_a_figure_without_a_peer_is_held_against_least_and_aim(ours, verdict):
    assert finding("P6", ours).verdict == verdict


def test_a_difference_is_told_in_its_own_unit():
    assert finding("P4", 75.0, 10.0).verdict == "MISSED by 15.0 ms"
    assert finding("P4", 20.0, 10.0).verdict == "met; the aim missed by 100 %"


def test_a_bar_of_the_ratio_and_one_of_the_figure_go_together():
    assert finding("P3", 9.0, 12.0).verdict == "met, and the aim"
    assert finding("P3", 12.0, 12.0).verdict == "met; the aim missed by 20 %"
    assert finding("P3", 9.0, 8.0).verdict == "MISSED by 12 %"


def test_a_ratio_is_judged_as_it_is_shown():
    assert finding("P7", 100.4, 100).verdict == "met, and the aim"
    assert not finding("P7", 120.6, 100).met


def test_a_target_of_a_ratio_cannot_be_judged_without_a_peer():
    with pytest.raises(ValueError, match="P1 has no peer"):
        _ = finding("P1", 1000).verdict


def test_the_bars_are_told_in_the_figures_unit():
    assert finding("P4", 1.0, 1.0).bars == "≤ peer + 50.0 ms / ≤ 1.00 x"
    assert finding("P8", 1.0, 1.0).bars == "≤ 1.20 ms / ≤ 0.80 ms"


def test_every_target_has_exactly_one_benchmark():
    assert sorted(key for benchmark in BENCHMARKS for key in benchmark.keys) == sorted(TARGETS)


def test_a_benchmark_is_chosen_by_its_name_or_by_a_target():
    assert [benchmark.name for benchmark in choose(["P8", "accept", "p2"])] == ["accept", "cost"]
    assert choose(None) == list(BENCHMARKS)
    with pytest.raises(SystemExit, match="no benchmark is called p99"):
        choose(["accept", "p99"])
