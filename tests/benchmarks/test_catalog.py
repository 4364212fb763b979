"""The list of benchmarks: each target belongs to one, and either names it."""

from __future__ import annotations

from benchmarks.catalog import BENCHMARKS
from benchmarks.targets import JUDGED, TARGETS
from proofs.harness.case import pick


def test_every_target_has_exactly_one_benchmark():
    assert sorted(key for benchmark in BENCHMARKS for key in benchmark.keys) == sorted(TARGETS)


def test_what_is_only_shown_has_a_key_of_its_own_kind():
    assert all(key.startswith("P") == (key in JUDGED) for key in TARGETS)


def test_a_benchmark_is_chosen_by_its_name_or_by_a_target():
    assert [benchmark.name for benchmark in pick(BENCHMARKS, ["P8", "accept", "p2b"])] == ["accept", "cost"]
