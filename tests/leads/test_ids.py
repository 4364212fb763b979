"""Ids in the order of time, and references that differ."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

from leads.ids import References, new_id, short_id


def test_ids_are_uuids_of_their_time_in_its_order():
    before = time.time_ns() // 1_000_000
    ids = [new_id() for _ in range(2000)]
    after = time.time_ns() // 1_000_000
    assert len(set(ids)) == 2000
    assert {(row_id.version, row_id.variant) for row_id in ids} == {(7, "specified in RFC 4122")}
    assert [row_id.int >> 68 for row_id in ids] == sorted(row_id.int >> 68 for row_id in ids)
    assert before <= ids[0].int >> 80 <= ids[-1].int >> 80 <= after
    assert short_id(ids[0]) == f"{ids[0].int >> 96:08x}-{ids[0].int >> 80 & 0xFFFF:04x}"


def test_references_are_six_digits_of_the_time_and_differ_within_a_burst():
    references = References()
    first = int(references.new())
    assert 0 <= (time.time_ns() // 1_000_000 - first) % 1_000_000 < 1000
    with ThreadPoolExecutor(8) as pool:
        burst = list(pool.map(lambda _: references.new(), range(5000)))
    assert len({*burst, f"{first:06}"}) == 5001
    assert {len(reference) for reference in burst} == {6}
    assert all(reference.isdigit() for reference in burst)


def test_references_begin_anew_after_the_last(monkeypatch):
    monkeypatch.setattr(time, "time_ns", lambda: 1_795_000_999_999 * 1_000_000)
    references = References()
    assert [references.new() for _ in range(3)] == ["999999", "000000", "000001"]
