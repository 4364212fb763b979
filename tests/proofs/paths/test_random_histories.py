"""Whatever the outbox's random machine did, the log of attempts is a path of the table."""

from __future__ import annotations

import pytest
from hypothesis.stateful import run_state_machine_as_test

from leads.db import connect_engine
from leads.settings import read_settings
from proofs.harness.outbox import FINALS
from proofs.paths.replay import ATTEMPTS, ERASED_ROWS, replay
from tests.leads.outbox.test_state_machine import Outbox
from tests.support.database import rows_of
from tests.support.properties import HealthCheck, Phase, settings

pytestmark = pytest.mark.slow


class ReplayedOutbox(Outbox):
    lines = 0

    def teardown(self) -> None:
        attempts = rows_of(self.engines[0], ATTEMPTS)
        erased = [row["row"] for row in rows_of(self.engines[0], ERASED_ROWS)]
        assert list(replay(attempts, rows_of(self.engines[0], FINALS), erased)) == []
        type(self).lines += len(attempts)


def test_every_history_is_a_path_of_the_model(database_url):
    url = read_settings({"DATABASE_URL": database_url}).database_url
    engines = [connect_engine(url, pool=2, name=f"machine-{number}") for number in range(3)]
    ReplayedOutbox.engines, ReplayedOutbox.lines = engines, 0
    run_state_machine_as_test(
        ReplayedOutbox,
        settings=settings(
            # What is drawn depends on which modules are loaded: enough for 100 lines in any case.
            max_examples=100,
            stateful_step_count=50,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            derandomize=True,
            phases=[Phase.generate],  # shrinking against a database would take minutes
        ),
    )
    for engine in engines:
        engine.dispose()
    assert ReplayedOutbox.lines > 100
