"""The simulation holds for a few seeds, repeats itself, and sees a rule that was taken out of the product.

`make simulate` runs as many seeds as there is time for.
"""

from __future__ import annotations

import re
import time
from itertools import pairwise

import psycopg
import pytest

from leads import lifecycle
from leads.ids import new_reference
from leads.lifecycle import MIN_TRIES_DEAD
from proofs.simulation.report import failure, line, replayed
from proofs.simulation.run import Result, Run
from proofs.simulation.seeds import play, play_all
from proofs.simulation.server import REAL_LIMITS, SharedSession, fresh_database

pytestmark = pytest.mark.timeout(600)
OUTAGE = ("the CRM is unreachable",)


@pytest.fixture
def run(server_url):
    def run_seed(seed, only=()) -> Result:
        return Run.of_seed(seed, fresh_database(server_url), only=only, traced=True).play()

    return run_seed


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 21))
def test_a_seed_holds(server_url, seed):
    result = play(server_url, [], seed)
    assert result.violations == [], failure(result, 60)
    assert {"nothing lost", "nothing doubled", "no call after the lease"} <= set(result.checks)


@pytest.mark.slow
def test_seeds_run_side_by_side(server_url):
    # 117: lost statements, a database that restarts, no worker for days.
    (result,) = play_all(server_url, [], range(117, 118), jobs=2)
    assert (result.seed, result.violations) == (117, [])


def test_no_limit_of_real_time_ends_what_a_run_does(server_url):
    options = " ".join(f"-c {limit}=10s" for limit in REAL_LIMITS)
    with psycopg.connect(server_url, options=options) as connection:
        session = SharedSession(connection)
        shown = [session.connection.execute(f"SHOW {limit}").fetchone() for limit in REAL_LIMITS]
    assert shown == [("0",)] * len(REAL_LIMITS)


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
    first = play(server_url, [], 4)  # a crash loop, lost replies, a database that restarts
    again = play(server_url, [], 4, traced=True)
    assert first.violations == []
    assert (again.digest, again.steps, again.checks) == (first.digest, first.steps, first.checks)
    assert first.schedule == []
    steps = [int(entry.split()[0]) for entry in again.schedule]
    assert all(earlier <= later for earlier, later in pairwise(steps))
    printed = replayed(again).splitlines()
    assert printed[: len(again.plan)] == again.plan
    assert printed[len(again.plan) : -1] == again.schedule
    assert printed[-1] == line(again)
    hit = ("insert into leads", "claim", "from leads", "settle", "update destinations")
    for statement in hit:
        assert any(statement in entry for entry in again.schedule), f"no fault can hit: {statement}"
    here = int(new_reference())
    assert (time.time_ns() // 1_000_000 - here) % 1_000_000 < 1000, "the run's time stayed in the product"


@pytest.mark.slow
def test_a_death_by_age_alone_is_found(run, monkeypatch):
    monkeypatch.setattr(lifecycle, "MIN_TRIES_DEAD", 0)
    result = run(1, OUTAGE)
    assert [violation.partition(":")[0] for violation in result.violations] == ["no innocent row dies"]
    tries = re.search(r"no tries left after (\d+)", result.violations[0])
    assert tries is not None
    assert int(tries[1]) < MIN_TRIES_DEAD  # so the rule alone can have prevented this death
