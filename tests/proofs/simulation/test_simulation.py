"""The simulation holds for a few seeds, repeats itself, and sees a rule that was taken out of the product.

`make simulate` runs as many seeds as there is time for.
"""

from __future__ import annotations

import re
import time

import psycopg
import pytest

from leads import lifecycle
from leads.ids import new_reference
from leads.lifecycle import MIN_TRIES_DEAD
from proofs.simulation.run import play_seed
from proofs.simulation.server import fresh_database

pytestmark = [pytest.mark.sim, pytest.mark.timeout(600)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [*range(1, 21), 117])
def test_a_seed_holds(server_url, seed):
    result = play_seed(server_url, [], seed)
    assert result.violations == [], result.failure()
    assert {"nothing lost", "nothing doubled", "no call after the lease"} <= set(result.checks)


def test_a_deployment_changes_the_tables_under_the_plans_of_those_who_run(server_url):
    database = fresh_database(server_url)
    names_no_column = "SELECT * FROM destinations"
    assert database.session.connection.execute(names_no_column).fetchall() != []
    database.migrate()
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="cached plan"):
        database.session.connection.execute(names_no_column)
    next_one = fresh_database(server_url)
    columns = "SELECT count(*) FROM information_schema.columns WHERE column_name = 'of_the_next_version'"
    assert next_one.session.connection.execute(columns).fetchone() == (0,)


@pytest.mark.slow
def test_a_seed_repeats_itself_and_its_replay_is_its_schedule(server_url):
    first = play_seed(server_url, [], 4)  # a crash loop, lost replies, a database that restarts
    again = play_seed(server_url, [], 4, traced=True)
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
