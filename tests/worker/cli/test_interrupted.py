"""Operators press Ctrl-C, and machines lose power: the commands as real processes, stopped in the middle."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from dev.servers.server_process import ROOT
from tests.support.database import change, rows_of, store_many
from tests.support.pipeline import deliver
from tests.support.processes import WorkerProcess, wait_for
from tests.support.samples import LEAD, record_lead

pytestmark = pytest.mark.slow


@pytest.fixture
def start(crm_environment):
    started = []

    def start(*words):
        process = subprocess.Popen(
            [sys.executable, "-m", "worker", *words],
            cwd=ROOT,
            env={**os.environ, **crm_environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_a_redrive_stopped_by_ctrl_c_has_moved_whole_steps_and_goes_on_when_run_again(start, engine):
    store_many(engine, "leads", 50_000, {}, {"status": "'dead'", "last_retry_at": "now()"})
    process = start("redrive", "--all", "--by", "ann")
    assert "1,000 rows so far" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 1
    moved = rows_of(engine, "SELECT count(*) AS n FROM crm_deliveries WHERE zoho_status = 'pending'")[0]["n"]
    assert 0 < moved < 50_000
    assert moved % 1000 == 0
    again = start("redrive", "--all", "--by", "bob")
    out, _ = again.communicate(timeout=60)
    assert f"{50_000 - moved:,} rows redriven." in out
    (audit,) = rows_of(engine, "SELECT count(*) AS n, count(DISTINCT row_id) AS rows FROM crm_attempts")
    assert (audit["n"], audit["rows"]) == (50_000, 50_000)


def test_an_erasure_killed_in_the_middle_is_finished_by_a_worker(
    start, context, sandbox, crm_environment, valkey, tmp_path
):
    for _ in range(3):
        record_lead(context.engine, LEAD)
    deliver(context)
    sandbox.faults(latency={"ms": 1_000, "path": "Leads/4"})
    process = start("erase", "--email", LEAD["email"], "--by", "ann")
    wait_for(lambda: sandbox.calls(method="DELETE"), 20, "the first deletion")
    process.kill()
    assert process.wait(10) == -signal.SIGKILL
    assert rows_of(context.engine, "SELECT 1 FROM leads") == []
    assert sandbox.records() != []
    sandbox.only_faults()
    change(context.engine, "UPDATE erased_rows SET check_at = now(), watch_until = now()")
    with WorkerProcess({**crm_environment, "REDIS_URL": valkey.url}, tmp_path / "log"):
        wait_for(lambda: sandbox.records() == [], 40, "the records to be deleted")
        done = "SELECT count(*) AS n FROM erased_rows WHERE done_at IS NOT NULL"
        wait_for(lambda: rows_of(context.engine, done)[0]["n"] == 3, 20, "the end of the erasure")
    assert LEAD["email"] not in (tmp_path / "log").read_text()
