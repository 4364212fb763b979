"""Ids in the order of time, and references that people can read."""

from __future__ import annotations

import time
from uuid import UUID

from leads.ids import created_at, new_id, reference_of


def test_ids_are_uuids_of_their_time_in_its_order():
    before = time.time_ns() // 1_000_000 / 1000
    ids = [new_id() for _ in range(2000)]
    assert {row_id.version for row_id in ids} == {7}
    assert ids == sorted(set(ids))
    assert before <= created_at(ids[0]) <= created_at(ids[-1]) <= time.time()


def test_a_reference_is_six_digits_of_the_ids_time():
    ids = [
        UUID(f"{millisecond:012x}7f218000000000000000") for millisecond in (1_795_000_999_999, 1_795_001_000_001)
    ]
    assert [reference_of(row_id) for row_id in ids] == ["999999", "000001"]
