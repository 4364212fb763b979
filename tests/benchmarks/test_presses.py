"""Which press counts."""

from __future__ import annotations

import pytest

from benchmarks.presses import slowest
from benchmarks.programs import BenchmarkError


def test_the_slowest_press_of_all_pages_counts():
    assert slowest({"/": {"Close": 24, "Next": 56}, "/dental-implants": {"Send": 48}}) == (56, "Next")


@pytest.mark.parametrize("found", [{}, {"/": {}}, {"/": {"Close": 0}}])
def test_a_run_without_a_press_is_no_figure(found):
    with pytest.raises(BenchmarkError):
        slowest(found)
