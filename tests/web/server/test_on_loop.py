"""Synchronous code on the event loop's thread."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar

import pytest

from web.server.on_loop import is_on_loop, run_on_loop, wait_for


def test_a_call_that_waits_lets_others_run_and_keeps_its_own_context():
    name = ContextVar("name")
    order = []

    def call(own, future):
        name.set(own)
        order.append(f"{own} begins")
        got = wait_for(future)
        order.append(f"{own} gets {got}")
        return name.get()

    async def both():
        futures = {own: asyncio.get_running_loop().create_future() for own in "ab"}
        tasks = [asyncio.create_task(run_on_loop(call, own, future)) for own, future in futures.items()]
        await asyncio.sleep(0)
        futures["b"].set_result(2)
        await tasks[1]
        futures["a"].set_result(1)
        return [await task for task in tasks]

    assert asyncio.run(both()) == ["a", "b"]
    assert order == ["a begins", "b begins", "b gets 2", "a gets 1"]


def test_exceptions_reach_the_call_and_its_caller():
    def call(future):
        try:
            return wait_for(future)
        except KeyError:
            raise ValueError("seen") from None

    async def failing():
        future = asyncio.get_running_loop().create_future()
        future.set_exception(KeyError("x"))
        return await run_on_loop(call, future)

    with pytest.raises(ValueError, match="seen"):
        asyncio.run(failing())


def test_code_knows_where_it_runs():
    async def asked():
        return await run_on_loop(is_on_loop), is_on_loop()

    assert asyncio.run(asked()) == (True, False)


def test_code_elsewhere_must_not_wait():
    async def waiting():
        wait_for(asyncio.get_running_loop().create_future())

    with pytest.raises(RuntimeError, match="run_on_loop"):
        asyncio.run(waiting())


def test_the_next_call_begins_anew_after_one_that_failed_or_was_cancelled():
    def call(future, begun):
        begun.append(future)
        return wait_for(future)

    async def one_after_another():
        loop, begun = asyncio.get_running_loop(), []
        cancelled = asyncio.create_task(run_on_loop(call, loop.create_future(), begun))
        await asyncio.sleep(0)
        cancelled.cancel()
        with pytest.raises(asyncio.CancelledError):
            await cancelled
        with pytest.raises(ZeroDivisionError):
            await run_on_loop(divmod, 1, 0)
        future = loop.create_future()
        future.set_result("third")
        return await run_on_loop(call, future, begun), await run_on_loop(str, 4), len(begun)

    assert asyncio.run(one_after_another()) == ("third", "4", 2)


def test_many_calls_at_once_each_get_their_own_result():
    async def many():
        futures = [asyncio.get_running_loop().create_future() for _ in range(200)]
        tasks = [asyncio.create_task(run_on_loop(wait_for, future)) for future in futures]
        await asyncio.sleep(0)
        for number, future in reversed(list(enumerate(futures))):
            future.set_result(number)
        return await asyncio.gather(*tasks)

    assert asyncio.run(many()) == list(range(200))


def test_each_thread_has_greenlets_of_its_own():
    def run():
        return asyncio.run(run_on_loop(sum, [1, 2]))

    with ThreadPoolExecutor(1) as pool:
        assert [run(), pool.submit(run).result(10), run()] == [3, 3, 3]
