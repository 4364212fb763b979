"""The simulation holds for a few seeds, repeats itself, and sees a rule that was taken out of the product.

`make proofs ARGS="--seeds 1000"`, or `make simulate`, plays as many seeds as there is time for.
"""

import re
import time

import pytest

from leads import lifecycle
from leads.ids import new_reference
from leads.lifecycle import MIN_TRIES_DEAD
from tools.simulation.run import play_seed

pytestmark = [pytest.mark.sim, pytest.mark.timeout(600)]


def pytest_generate_tests(metafunc):
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", [*range(1, metafunc.config.getoption("seeds") + 1)])


@pytest.mark.slow
def test_a_seed_holds(server_url, seed):
    result = play_seed(server_url, [], seed)
    assert result.violations == [], result.failure()
    assert {"nothing lost", "nothing doubled", "no call after the lease"} <= set(result.checks)


@pytest.mark.slow
def test_a_seed_repeats_itself_and_its_replay_is_its_schedule(server_url):
    first = play_seed(server_url, [], 3)  # lost statements, spent credits, replies with odd codes
    again = play_seed(server_url, [], 3, traced=True)
    assert first.violations == []
    assert (again.digest, again.steps, again.checks) == (first.digest, first.steps, first.checks)
    for statement in ("insert into leads", "claim", "from leads", "settle", "update destinations"):
        assert any(statement in entry for entry in again.schedule), f"no fault can hit: {statement}"
    here = int(new_reference())
    assert (time.time_ns() // 1_000_000 - here) % 1_000_000 < 1000, "the run's time stayed in the product"


@pytest.mark.slow
def test_a_death_by_age_alone_is_found(server_url, monkeypatch):
    monkeypatch.setattr(lifecycle, "MIN_TRIES_DEAD", 0)
    result = play_seed(server_url, ["the CRM is unreachable"], 1)
    assert [violation.partition(":")[0] for violation in result.violations] == ["no innocent row dies"]
    tries = re.search(r"no tries left after (\d+)", result.violations[0])
    assert tries is not None
    assert int(tries[1]) < MIN_TRIES_DEAD  # so the rule alone can have prevented this death
