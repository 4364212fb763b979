"""The benchmarks' statistics: medians, ranges, percentiles and ratios round by round."""

from __future__ import annotations

import pytest

from benchmarks.series import Series, number, percentile


@pytest.mark.parametrize(("share", "value"), [(0.5, 50), (0.99, 99), (0.991, 100), (1.0, 100), (0.0, 1)])
def test_a_percentile_is_the_smallest_value_that_the_share_does_not_exceed(share, value):
    assert percentile(range(1, 101), share) == value


def test_the_percentile_of_nothing_is_zero_and_of_one_value_that_value():
    assert percentile([], 0.99) == 0.0
    assert percentile([7.0], 0.01) == 7.0


def test_a_series_states_its_median_with_the_spread_of_its_rounds():
    assert str(Series((3.0, 1.0, 2.0), "ms")) == "2.00 ms (1.00 to 3.00)"


def test_a_single_round_has_no_spread():
    assert str(Series((1234.5,), "/s")) == "1,234 /s"


def test_a_ratio_is_taken_round_by_round_so_that_a_slow_minute_counts_for_neither():
    ours, theirs = Series((100.0, 50.0, 300.0)), Series((50.0, 25.0, 100.0))
    assert ours.over(theirs).values == (2.0, 2.0, 3.0)
    assert ours.over(theirs).median == 2.0


def test_a_difference_is_taken_round_by_round_too():
    assert Series((12.0, 31.0), "ms").beyond(Series((10.0, 30.0), "ms")) == Series((2.0, 1.0), "ms")


def test_rounds_that_have_no_counterpart_are_no_ratio():
    with pytest.raises(ValueError, match="shorter"):
        Series((1.0, 2.0)).over(Series((1.0,)))


@pytest.mark.parametrize(
    ("value", "text"),
    [(12_345.6, "12,346"), (123.4, "123"), (12.34, "12.3"), (1.234, "1.23"), (0.0456, "0.046"), (0, "0")],
)
def test_a_number_shows_three_figures_that_matter(value, text):
    assert number(value) == text
