"""Which of many held rows look real, and in which order they go: without a database."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from leads.outbox import holds
from leads.outbox.holds import (
    MAX_HELD_PER_CLIENT,
    MAX_OF_ONE_PERSON,
    MAX_RELEASED_PER_CLIENT,
    Held,
    HeldRow,
    sort_held,
)

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)


def held(number, *, client="a", reason=Held.ADDRESS, marks=None, words="", says=(), **more):
    """A ripe row of a person of its own, so many minutes after noon."""
    return HeldRow(
        id=UUID(int=number),
        reason=reason,
        client=client,
        marks=marks or (f"ann{number}@example.com", f"+44{number}", f"ann {number}"),
        words=words,
        says=says,
        created_at=more.pop("created_at", NOON + timedelta(minutes=number)),
        **{"ripe": True, **more},
    )


def numbers(rows):
    return [row.id.int for row in rows]


def gone(rows):
    return numbers(sort_held(rows).go)


def test_the_oldest_and_the_newest_go_by_turns_whatever_order_they_came_in():
    rows = [held(number, client=str(number)) for number in (3, 1, 6, 2, 5, 4)]
    assert gone(rows) == [1, 6, 2, 5, 3, 4]


def test_each_address_has_one_before_any_has_two():
    rows = [held(number, client="crowd") for number in range(1, 4)]
    assert gone([*rows, held(9, client="lone")]) == [1, 9, 2, 3]


def test_what_is_not_ripe_neither_goes_nor_counts_as_real_nor_as_surplus(monkeypatch):
    monkeypatch.setattr(holds, "MAX_HELD_PER_CLIENT", 1)
    rows = [held(1, ripe=False), *(held(number, words="www.x.example", ripe=number > 3) for number in (2, 3, 4, 5))]
    found = sort_held(rows)
    assert (found.go, found.real, [row.int for row in found.surplus]) == ([], [], [4, 5])


def test_what_was_released_counts_and_is_neither_let_go_again_nor_deleted(monkeypatch):
    monkeypatch.setattr(holds, "MAX_RELEASED_PER_CLIENT", 3)
    monkeypatch.setattr(holds, "MAX_HELD_PER_CLIENT", 2)
    rows = [held(number, released=number < 3) for number in range(1, 6)]
    found = sort_held(rows)
    assert numbers(found.go) == [3]
    assert [row.int for row in found.real] == [3, 4]
    assert [row.int for row in found.surplus] == [5]


@pytest.mark.parametrize("released", [MAX_RELEASED_PER_CLIENT, MAX_RELEASED_PER_CLIENT + 1])
def test_an_address_that_had_its_share_has_no_more(released):
    assert gone([held(number, released=number < released) for number in range(released + 2)]) == []


def test_an_address_keeps_what_it_may_keep():
    assert sort_held([held(number, words="www.x.example") for number in range(MAX_HELD_PER_CLIENT)]).surplus == []


def test_what_has_something_against_it_makes_no_honest_row_look_like_one_of_many():
    same = ("ann@example.com", "+447911123456", "ann example")
    rows = [held(number, marks=same, words=str(number), reason=Held.PERSON) for number in range(1, 5)]
    found = sort_held([held(9, marks=same), *rows])
    assert (numbers(found.go), [row.int for row in found.real]) == ([9], [9])


def test_each_pair_of_a_persons_rows_must_agree():
    """Two corrections of one enquiry, each another one, may be three people."""
    first, second = ("a@example.com", "+441", "ann"), ("a@example.com", "+442", "ann")
    assert gone([held(1, marks=first), held(2, marks=second)]) == [1, 2]
    assert gone([held(1, marks=first), held(2, marks=second), held(3, marks=("b@example.com", "+442", "ann"))]) == [
        2
    ]


def test_marks_that_are_nothing_are_not_the_same():
    rows = [held(number, marks=(None, None, "ann"), words=str(number)) for number in (1, 2)]
    assert gone(rows) == []


def test_many_who_share_a_person_are_no_one_person_though_no_mark_says_so_alone():
    a, b, c = "a@example.com", "+441", "ann"
    rows = [
        held(1, marks=(a, b, c)),
        held(2, marks=(a, b, "x"), words="2"),
        held(3, marks=("y", b, c), words="3"),
        held(4, marks=(a, "z", c), words="4"),
    ]
    assert MAX_OF_ONE_PERSON == 3
    assert 1 not in gone(rows)


def wave(count, says):
    """Rows within some seconds from as many addresses; `says` gives what each says."""
    return [
        held(
            number,
            client=str(number),
            reason=Held.FLOOD,
            says=says(number),
            created_at=NOON + timedelta(seconds=number / 2),
        )
        for number in range(count)
    ]


def alike(count, says):
    """Those that are not let go."""
    return sorted({*range(count)} - {*gone(wave(count, says))})


def test_a_wave_is_more_than_ten_alike_in_one_moment():
    assert alike(10, lambda _: ("curl",)) == []
    assert alike(11, lambda _: ("curl",)) == [*range(11)]
    late = [
        held(
            number,
            client=str(number),
            reason=Held.FLOOD,
            says=("curl",),
            created_at=NOON + timedelta(seconds=number),
        )
        for number in range(20)
    ]
    assert len(gone(late)) == 20


def test_what_is_said_by_more_than_a_third_is_common():
    """Of twelve rows, four or five."""
    assert alike(12, lambda number: ("curl" if number < 4 else str(number),)) == []
    assert alike(12, lambda number: ("curl" if number < 5 else str(number),)) == [0, 1, 2, 3, 4]


def test_who_says_as_much_of_his_own_goes():
    """Half of it, or more than half."""
    assert alike(12, lambda number: ("curl", "en", str(number), f"{number} more")) == []
    assert alike(12, lambda number: ("curl", "en", "UTC", str(number), f"{number} more")) == [*range(12)]


def test_what_says_nothing_is_no_part_of_a_wave():
    assert alike(12, lambda _: (None, "")) == []


def test_what_two_fields_say_is_not_the_same():
    assert alike(12, lambda number: ("UTC", None) if number % 4 else (None, "UTC")) == [1, 2, 3, 5, 6, 7, 9, 10, 11]


@pytest.mark.parametrize("reason", [reason for reason in Held if reason not in holds.WAVES], ids=str)
def test_pages_without_a_script_say_little_and_are_no_wave(reason):
    rows = wave(12, lambda _: ("curl",))
    rows = [held(row.id.int, client=row.client, reason=reason, says=row.says, created_at=NOON) for row in rows]
    assert len(sort_held(rows).real) == 12


def test_a_row_shows_nothing_of_a_person():
    assert repr(held(1, words="Ann")) == f"HeldRow({UUID(int=1)}, address)"
