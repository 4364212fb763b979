"""The cutter numbers what is exchanged, and cuts it.

`make simulate ARGS=--cuts` goes through all cuts of all journeys; `make proofs ARGS="--pairs 200"` draws pairs.
"""

from random import Random

import pytest

from tools.simulation.cutter import Cut, Kind, draw_pairs
from tools.simulation.journeys import JOURNEYS, play_journey

pytestmark = [pytest.mark.sim, pytest.mark.slow, pytest.mark.timeout(3600)]


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
def test_a_journey_holds_as_it_is_and_with_pairs_of_cuts(server_url, which, pytestconfig):
    verdict = play_journey(server_url, which, traced=True)
    assert verdict.violations == [], verdict.failure()
    kinds = {exchange.kind for exchange in verdict.exchanges}
    assert Kind.STATEMENT in kinds
    assert (Kind.CALL in kinds) == (which.name not in WITHOUT_CRM)
    assert [exchange.number for exchange in verdict.exchanges] == [*range(1, len(verdict.exchanges) + 1)]
    for pair in draw_pairs(verdict.exchanges, pytestconfig.getoption("pairs"), Random(which.name)):
        cut = play_journey(server_url, which, pair)
        assert cut.violations == [], cut.failure()


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
        ("claim", "cancelled"),
        ("staff.example", "reply lost"),
    ],
)
def test_a_cut_comes_about_and_the_promises_are_kept(server_url, lead, what, how):
    verdict = play_journey(server_url, LEAD, [cut(lead, what, how)], traced=True)
    assert verdict.violations == [], verdict.failure()
    (made,) = verdict.plan
    assert what in made
    assert made.endswith(how)
