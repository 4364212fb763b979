"""Group commit: who waits goes together, each gets its own outcome, and nobody waits for a thread that died."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from leads.db import StoreUnavailable
from leads.outbox.group_commit import MAX_ITEMS, MAX_STATEMENTS, GroupCommit
from tests.support.processes import wait_for


class Work:
    """Doubles numbers; holds its calls while `gate` is shut, and remembers them."""

    def __init__(self):
        self.calls = []
        self.gate = threading.Event()
        self.gate.set()
        self.fails = {}

    def __call__(self, numbers):
        self.calls.append(list(numbers))
        self.gate.wait(10)
        for number in numbers:
            if error := self.fails.get(number):
                raise error
        return [ValueError(number) if number < 0 else 2 * number for number in numbers]


@pytest.fixture
def work():
    return Work()


@pytest.fixture
def group(work):
    return GroupCommit(work)


@pytest.fixture
def crowd(group, work):
    """Hold every statement that may be under way, let others queue behind them; give all callers' futures."""
    with ThreadPoolExecutor(100) as pool:

        def start(numbers):
            work.gate.clear()
            held = []
            for n in range(MAX_STATEMENTS):
                held.append(pool.submit(group.run, 1000 + n))
                wait_for(lambda n=n: len(work.calls) == n + 1, 5, "the first statements")
            futures = {}
            for n in numbers:
                futures[n] = pool.submit(group.run, n)
                wait_for(lambda: len(group._waiting) == len(futures), 5, "the queue")
            work.gate.set()
            return held, futures

        yield start


def test_who_comes_alone_goes_at_once_and_alone(group, work):
    assert [group.run(n) for n in range(3)] == [0, 2, 4]
    assert work.calls == [[0], [1], [2]]


def test_who_waits_goes_together_in_the_order_of_arrival(crowd, work):
    held, futures = crowd(range(10))
    assert {n: future.result(5) for n, future in futures.items()} == {n: 2 * n for n in range(10)}
    assert [future.result(5) for future in held] == [2000, 2002]
    together = work.calls[MAX_STATEMENTS:]
    assert sorted(number for call in together for number in call) == list(range(10))
    assert len(together) <= MAX_STATEMENTS
    assert all(call == sorted(call) for call in together)


def test_no_statement_has_more_than_its_share(crowd, work):
    _, futures = crowd(range(MAX_ITEMS + 20))
    assert [future.result(5) for future in futures.values()] == [2 * n for n in futures]
    assert max(map(len, work.calls)) <= MAX_ITEMS


def test_each_gets_its_own_result_or_exception(crowd):
    _, futures = crowd([3, -1, 4])
    assert (futures[3].result(5), futures[4].result(5)) == (6, 8)
    with pytest.raises(ValueError, match="-1"):
        futures[-1].result(5)


def test_an_unavailable_database_answers_all_who_wait_and_the_next_is_tried(crowd, work, group):
    work.fails[1000] = work.fails[1001] = StoreUnavailable("down")
    held, futures = crowd(range(5))
    for future in [*held, *futures.values()]:
        with pytest.raises(StoreUnavailable):
            future.result(5)
    assert len(work.calls) == MAX_STATEMENTS
    assert group.run(7) == 14


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, MemoryError])
def test_a_thread_that_dies_in_the_statement_leaves_nobody_waiting(crowd, work, group, error):
    work.fails[0] = error()
    _, futures = crowd(range(5))
    for future in futures.values():
        with pytest.raises((StoreUnavailable, error)):
            future.result(5)
    assert group.run(7) == 14
    assert group._under_way == 0
