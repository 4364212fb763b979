"""Batches: who waits goes together, each gets its own outcome, nobody waits for nothing."""

import asyncio

import pytest
from sqlalchemy.util.concurrency import await_, greenlet_spawn

from web.server.batches import MAX_ITEMS, Batches


class Work:
    """Doubles numbers; holds its calls while `gate` is shut, and remembers them."""

    def __init__(self):
        self.calls = []
        self.begun = asyncio.Event()
        self.gate = None
        self.fails = {}

    def __call__(self, numbers):
        self.calls.append(list(numbers))
        self.begun.set()
        if self.gate is not None:
            await_(self.gate.wait())
        for number in numbers:
            if error := self.fails.get(number):
                raise error
        return [ValueError(number) if number < 0 else 2 * number for number in numbers]


@pytest.fixture
def work():
    return Work()


@pytest.fixture
def batches(work):
    return Batches(work, work)


def run(*calls):
    """Run coroutines side by side; return their results or exceptions."""

    async def gathered():
        return await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), 10)

    try:
        return asyncio.run(gathered())
    except (TimeoutError, asyncio.CancelledError, SystemExit, KeyboardInterrupt) as end:
        raise AssertionError(f"the loop ended, or nobody answered: {type(end).__name__}") from None


def behind(batches, work, numbers, meanwhile=lambda _: None):
    """Run the numbers while a batch of 1000 alone is under way; return all outcomes, the first one's in front."""

    async def together():
        work.gate = asyncio.Event()
        first = asyncio.create_task(greenlet_spawn(batches.run, 1000))
        await work.begun.wait()
        tasks = [first, *(asyncio.create_task(greenlet_spawn(batches.run, number)) for number in numbers)]
        await asyncio.sleep(0)
        meanwhile(tasks)
        await greenlet_spawn(str)  # other requests run
        work.gate.set()
        return await asyncio.gather(*tasks, return_exceptions=True)

    (outcomes,) = run(together())
    return outcomes


def test_who_comes_alone_goes_at_once_and_who_comes_in_one_turn_of_the_loop_together(batches, work):
    assert [run(greenlet_spawn(batches.run, number)) for number in (6, 7)] == [[12], [14]]
    assert run(*(greenlet_spawn(batches.run, number) for number in range(5))) == [0, 2, 4, 6, 8]
    assert work.calls == [[6], [7], [0, 1, 2, 3, 4]]


def test_who_waits_goes_together_in_the_order_of_arrival_in_batches_of_a_limited_size(batches, work):
    assert behind(batches, work, range(MAX_ITEMS + 20))[1:] == [2 * n for n in range(MAX_ITEMS + 20)]
    assert work.calls == [[1000], list(range(MAX_ITEMS)), list(range(MAX_ITEMS, MAX_ITEMS + 20))]


def test_each_gets_its_own_result_or_exception(batches, work):
    _, three, failed, four = behind(batches, work, [3, -1, 4])
    assert (three, four) == (6, 8)
    assert isinstance(failed, ValueError)


def test_an_exception_of_the_work_is_everybodys_who_waits_and_the_next_is_tried(batches, work):
    work.fails[1000] = ConnectionError("down")
    assert [str(outcome) for outcome in behind(batches, work, range(5))] == ["down"] * 6
    assert work.calls == [[1000]]
    assert run(greenlet_spawn(batches.run, 7)) == [14]


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt, MemoryError])
def test_work_that_ends_everything_leaves_nobody_waiting_and_does_not_end_the_loop(batches, work, error):
    work.fails[1000] = error("over")
    assert {isinstance(outcome, Exception) for outcome in behind(batches, work, range(5))} == {True}
    assert run(greenlet_spawn(batches.run, 7)) == [14]


def test_a_request_that_is_cancelled_keeps_nobody_from_an_answer(batches, work):
    first, second, third = behind(batches, work, [1, 2], lambda tasks: tasks[1].cancel())
    assert (first, third) == (2000, 4)
    assert isinstance(second, asyncio.CancelledError)
