"""The cutter numbers what is exchanged, and cuts it.

`make simulate ARGS=--cuts` goes through all cuts of all journeys.
"""

from __future__ import annotations

import pytest

from proofs.simulation.cutter import Cut, Kind
from proofs.simulation.journeys import JOURNEYS, play_journey

pytestmark = pytest.mark.sim


def journey(name):
    return next(journey for journey in JOURNEYS if journey.name == name)


LEAD = journey("lead")
WITHOUT_CRM = ("retention",)  # deleting asks nobody


@pytest.fixture(scope="module")
def lead(server_url):
    return play_journey(server_url, LEAD)


def cut(verdict, what: str, how: str) -> Cut:
    """The cut of the first exchange with these words."""
    return Cut(next(each.number for each in verdict.exchanges if what in each.what), how)


@pytest.mark.parametrize("which", JOURNEYS, ids=lambda which: which.name)
def test_a_journey_holds_as_it_is(server_url, which):
    verdict = play_journey(server_url, which, traced=True)
    assert verdict.violations == [], verdict.failure()
    kinds = {exchange.kind for exchange in verdict.exchanges}
    assert Kind.STATEMENT in kinds
    assert (Kind.CALL in kinds) == (which.name not in WITHOUT_CRM)
    assert [exchange.number for exchange in verdict.exchanges] == [*range(1, len(verdict.exchanges) + 1)]


@pytest.mark.parametrize(
    ("what", "how"),
    [
        ("insert into leads", "answer lost"),
        ("publish", "Redis goes"),
        ("claim", "database stands still"),
        ("claim", "dies after"),
        ("claim", "freezes"),
        ("upsert", "500 after commit"),
        ("upsert", "dies in it"),
        ("update deliveries", "cancelled"),
        ("staff.example", "reply lost"),
    ],
)
def test_a_cut_comes_about_and_the_promises_are_kept(server_url, lead, what, how):
    verdict = play_journey(server_url, LEAD, [cut(lead, what, how)], traced=True)
    assert verdict.violations == [], verdict.failure()
    (made,) = verdict.plan
    assert what in made
    assert made.endswith(how)
