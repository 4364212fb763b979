"""Whether a measurement meets its target, and by how much it misses."""

from __future__ import annotations

import pytest

from benchmarks.series import Series
from benchmarks.targets import TARGETS, Finding


def finding(key, ours, theirs=None, unit="ms"):
    peer = None if theirs is None else Series((theirs,), "/s")
    return Finding(TARGETS[key], Series((ours,), unit), "" if peer is None else "peer", peer)


@pytest.mark.parametrize(
    ("key", "ours", "theirs", "verdict"),
    [
        ("P1", 4500, 1000, "met, and the aim"),
        ("P1", 3600, 1000, "met; the aim missed by 20 %"),
        ("P1", 3150, 1000, "MISSED by 10 %"),
        ("P2b", 80, 100, "met; the aim missed by 33 %"),
        ("P7", 110, 100, "met; the aim missed by 10 %"),
        ("P7", 111, 100, "MISSED by 1 %"),
        ("P7", 100, 100, "met, and the aim"),
    ],
)
def test_a_ratio_is_held_against_least_and_aim(key, ours, theirs, verdict):
    assert finding(key, ours, theirs).verdict == verdict


@pytest.mark.parametrize(
    ("ours", "verdict"),
    [(1.2, "met, and the aim"), (1.5, "met; the aim missed by 25 %"), (2.16, "MISSED by 20 %")],
)
def test_a_figure_without_a_peer_is_held_against_least_and_aim(ours, verdict):
    assert finding("P10", ours).verdict == verdict


def test_a_figure_may_be_shown_beside_a_peers():
    assert finding("P10", 1.5, 0.5, "s").verdict == "met; the aim missed by 25 %"


def test_a_difference_is_told_in_its_own_unit():
    assert finding("P4", 75.0, 10.0).verdict == "MISSED by 15.0 ms"
    assert finding("P4", 20.0, 10.0).verdict == "met; the aim missed by 100 %"


def test_an_aim_of_nothing_is_missed_by_what_there_is():
    assert finding("P10b", 12.0).verdict == "met; the aim missed by 12.0 ms"
    assert finding("P10c", 0.0, unit="").verdict == "met, and the aim"


def test_a_ratio_is_judged_as_it_is_shown():
    assert finding("P7", 100.4, 100).verdict == "met, and the aim"
    assert not finding("P7", 110.6, 100).met


def test_an_aim_counts_only_with_the_minimum():
    assert finding("P4", 9.0, 10.0).aim_met
    assert not finding("P4", 11.0, 10.0).aim_met


def test_what_has_no_bars_is_neither_met_nor_missed():
    shown = finding("S4", 5000, 4000)
    assert (shown.verdict, shown.bars, shown.met, shown.aim_met) == ("—", "—", True, False)


def test_a_target_of_a_ratio_cannot_be_judged_without_a_peer():
    with pytest.raises(ValueError, match="P1 has no peer"):
        _ = finding("P1", 1000).verdict


def test_the_bars_are_told_in_the_figures_unit():
    assert finding("P4", 1.0, 1.0).bars == "≤ peer + 50.0 ms / ≤ 1.00 x"
    assert finding("P10", 1.0, unit="s").bars == "≤ 1.80 s / ≤ 1.20 s"
    assert finding("P10c", 1.0, unit="").bars == "≤ 0.010 / ≤ 0"
