"""What the benchmark of claims says: the largest table against the smallest, and a row for each size."""

from __future__ import annotations

from benchmarks.claim import Cost, findings
from benchmarks.finished import Stored


def measured(**sizes):
    return {int(size[1:]): [Cost(wal, 0.5, cpu, 2 * cpu)] for size, (wal, cpu) in sizes.items()}


def by_key(costs):
    stored = {size: Stored(12.0, 3.5) for size in costs}
    return {finding.target.key: finding for finding in findings(costs, stored)}


def test_the_largest_is_compared_with_the_smallest():
    found = by_key(measured(_1000=(2000.0, 40.0), _100000=(2100.0, 41.0), _10000000=(2200.0, 50.0)))
    assert found["P7"].verdict == "met; the aim missed by 10 %"
    assert found["P7b"].verdict == "MISSED by 14 %"
    assert found["P7"].peer == "1,000 finished rows"
    assert found["P7"].notes[1] == "10,000,000 rows with two attempts each, 3.5 GB, made in 12 s"


def test_each_size_has_a_row_of_its_own():
    found = by_key(measured(_1000=(2000.0, 40.0), _1000000=(2100.0, 41.0)))
    assert {key: found[key].ours.median for key in found if key[0] == "S"} == {"S7": 40.0, "S7c": 41.0}
    assert found["S7c"].notes == ["WAL 2,100 bytes, elapsed 82.0 µs per row"]


def test_fewer_rows_than_the_targets_are_told_first():
    found = by_key(measured(_1000=(2000.0, 40.0), _100000=(2100.0, 41.0)))
    assert found["P7"].notes[0] == "ONLY 100,000 finished rows instead of 10,000,000"
