"""Ids in the order of time, and references that differ."""

import time
from concurrent.futures import ThreadPoolExecutor

from leads.ids import References, created_at, new_id


def test_ids_are_uuids_of_their_time_in_its_order():
    before = time.time_ns() // 1_000_000 / 1000
    ids = [new_id() for _ in range(2000)]
    assert {row_id.version for row_id in ids} == {7}
    assert ids == sorted(set(ids))
    assert before <= created_at(ids[0]) <= created_at(ids[-1]) <= time.time()


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
