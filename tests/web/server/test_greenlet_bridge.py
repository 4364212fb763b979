"""What the site relies on in SQLAlchemy's greenlet bridge: synchronous code on the event loop's thread."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar

import pytest
from sqlalchemy.exc import MissingGreenlet
from sqlalchemy.util.concurrency import await_, greenlet_spawn, in_greenlet


def test_a_call_that_waits_lets_others_run_and_keeps_its_own_context():
    name = ContextVar("name")
    order = []

    def call(own, future):
        name.set(own)
        order.append(f"{own} begins")
        got = await_(future)
        order.append(f"{own} gets {got}")
        return name.get()

    async def both():
        futures = {own: asyncio.get_running_loop().create_future() for own in "ab"}
        tasks = [asyncio.create_task(greenlet_spawn(call, own, future)) for own, future in futures.items()]
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
            return await_(future)
        except KeyError:
            raise ValueError("seen") from None

    async def failing():
        future = asyncio.get_running_loop().create_future()
        future.set_exception(KeyError("x"))
        return await greenlet_spawn(call, future)

    with pytest.raises(ValueError, match="seen"):
        asyncio.run(failing())


def test_code_knows_where_it_runs():
    async def asked():
        return await greenlet_spawn(in_greenlet), in_greenlet()

    assert asyncio.run(asked()) == (True, False)


def test_code_elsewhere_must_not_wait():
    async def waiting():
        await_(asyncio.get_running_loop().create_future())

    with pytest.raises(MissingGreenlet, match="greenlet_spawn"):
        asyncio.run(waiting())


def test_the_next_call_begins_anew_after_one_that_failed_or_was_cancelled():
    def call(future, begun):
        begun.append(future)
        return await_(future)

    async def one_after_another():
        loop, begun = asyncio.get_running_loop(), []
        cancelled = asyncio.create_task(greenlet_spawn(call, loop.create_future(), begun))
        await asyncio.sleep(0)
        cancelled.cancel()
        with pytest.raises(asyncio.CancelledError):
            await cancelled
        with pytest.raises(ZeroDivisionError):
            await greenlet_spawn(divmod, 1, 0)
        future = loop.create_future()
        future.set_result("third")
        return await greenlet_spawn(call, future, begun), await greenlet_spawn(str, 4), len(begun)

    assert asyncio.run(one_after_another()) == ("third", "4", 2)
