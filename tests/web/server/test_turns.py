"""Whose turn it is: a crowd waits for itself, and nobody waits for ever."""

from __future__ import annotations

import asyncio

import pytest

from web.server import turns
from web.server.turns import Turns


class Crowd:
    """Requests for the only turn, which somebody has; `served` in the order of their turns."""

    def __init__(self):
        self.turns = Turns(1)
        self.served, self.turned_away, self.tasks = [], [], []

    async def ask(self, name, network="crowd", connection=None):
        """Ask, and wait until the request stands in the queue."""
        self.tasks.append(asyncio.create_task(self._ask(name, network, connection or name)))
        await asyncio.sleep(0)

    async def _ask(self, name, network, connection):
        if await self.turns.take(network, connection):
            self.served.append(name)
        else:
            self.turned_away.append(name)

    async def serve(self, times):
        for _ in range(times):
            self.turns.release()
            for _ in range(3):
                await asyncio.sleep(0)


def played(story):
    async def play():
        crowd = Crowd()
        await crowd.ask("first")
        await story(crowd)
        for task in crowd.tasks:
            task.cancel()
        return crowd

    return asyncio.run(play())


def test_whoever_asks_for_the_first_time_goes_before_a_crowd_that_asks_again():
    async def story(crowd):
        for turn in range(3):
            await crowd.ask(f"again {turn}")
        await crowd.ask("visitor", network="home")
        for turn in range(3, 6):
            await crowd.ask(f"again {turn}")
        await crowd.serve(2)

    assert played(story).served == ["first", "visitor", "again 5"]


def test_within_a_network_a_new_connection_goes_before_one_that_asks_again():
    async def story(crowd):
        for _ in range(3):
            await crowd.ask("again", connection="first")
        await crowd.serve(1)
        await crowd.ask("visitor", connection="new")
        await crowd.ask("again", connection="first")
        await crowd.serve(1)

    assert played(story).served == ["first", "again", "visitor"]


def test_whoever_was_turned_away_and_asks_again_is_not_new(monkeypatch):
    monkeypatch.setattr(turns, "WAIT_SECONDS", 0.02)

    async def story(crowd):
        await crowd.ask("turned away", connection="the same")
        await asyncio.sleep(0.1)
        await crowd.ask("visitor", connection="new")
        await crowd.ask("again", connection="the same")
        await crowd.serve(1)

    assert played(story).served == ["first", "visitor"]


def test_whoever_has_no_turn_in_time_is_turned_away_and_leaves_the_queue(monkeypatch):
    monkeypatch.setattr(turns, "WAIT_SECONDS", 0.02)

    async def story(crowd):
        await crowd.ask("late")
        await asyncio.sleep(0.1)
        await crowd.ask("next")
        await crowd.serve(1)

    crowd = played(story)
    assert (crowd.served, crowd.turned_away) == (["first", "next"], ["late"])


def test_too_many_cost_the_one_with_the_least_claim(monkeypatch):
    monkeypatch.setattr(turns, "MAX_WAITING", 2)

    async def story(crowd):
        await crowd.ask("older")
        await crowd.ask("visitor", network="home")
        await crowd.ask("newer")
        await asyncio.sleep(0)
        await crowd.serve(2)

    crowd = played(story)
    assert (crowd.served, crowd.turned_away) == (["first", "visitor", "newer"], ["older"])


def test_no_turn_is_lost_to_a_request_that_was_cancelled():
    async def story(crowd):
        await crowd.ask("gone")
        crowd.tasks[-1].cancel()
        await crowd.ask("next")
        await crowd.serve(1)

    assert played(story).served == ["first", "next"]


@pytest.mark.parametrize(
    ("windows", "served"), [(1, ["first", "visitor", "first again"]), (2, ["first", "first again", "visitor"])]
)
def test_turns_of_long_ago_count_no_more(monkeypatch, windows, served):
    now = 0.0
    monkeypatch.setattr(turns, "monotonic", lambda: now)

    async def story(crowd):
        nonlocal now
        for _ in range(windows):
            now += turns.REMEMBERED_SECONDS
            crowd.turns._remember("somebody else", "somebody else")
        await crowd.ask("visitor", network="home")
        await crowd.ask("first again", connection="first")
        await crowd.serve(2)

    assert played(story).served == served
