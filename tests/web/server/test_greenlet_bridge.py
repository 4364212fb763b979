"""What the site relies on in SQLAlchemy's greenlet bridge: calls that wait, each with its own context."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar

from sqlalchemy.util.concurrency import await_, greenlet_spawn


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
