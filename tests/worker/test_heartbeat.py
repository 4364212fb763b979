"""Whether one worker process is well, judged from its own ticks by whoever stands beside it, without a server."""

from __future__ import annotations

import time

import pytest

from tests.support.processes import WorkerProcess, wait_for
from worker.heartbeat import heartbeat_age, write_heartbeat
from worker.tick import Ticker


@pytest.fixture
def environment(crm_environment, tmp_path):
    # Unwell after 0.2 + 6 x 0.5 s.
    quick = {"CRM_TICK_SECONDS": "0.2", "CRM_CALL_SECONDS": "0.5", "CRM_LEASE_SECONDS": "2"}
    return {**crm_environment, **quick, "WORKER_HEARTBEAT_FILE": str(tmp_path / "pulse")}


@pytest.fixture
def judge(run):
    return lambda: run("healthcheck")


@pytest.mark.slow
def test_a_frozen_worker_is_found_unwell_and_a_thawed_one_well_again(environment, judge, tmp_path):
    assert "has not ticked yet" in judge().output
    with WorkerProcess(environment, tmp_path / "log") as worker:
        wait_for(lambda: judge().exit_code == 0, 30, "a first tick")
        worker.freeze()
        try:
            wait_for(lambda: judge().exit_code == 1, 30, "a worker that is found unwell")
            assert "last ticked" in judge().output
        finally:
            worker.thaw()
        wait_for(lambda: judge().exit_code == 0, 30, "a worker that is well again")
    wait_for(lambda: judge().exit_code == 1, 30, "a worker that was killed to be missed")


def test_a_tick_counts_only_when_the_database_has_answered_it(make_context, tmp_path, caplog):
    context = make_context(DATABASE_URL="postgresql://nobody:x@127.0.0.1:1/none")
    ticker = Ticker(app=None, context=context)
    ticker.start()
    wait_for(lambda: "tick failed" in caplog.text, 30, "a tick without the database")
    ticker.stop()
    ticker.join()
    assert not (tmp_path / "pulse").exists()


def test_a_pulse_from_before_the_machine_was_started_is_none(tmp_path):
    pulse = tmp_path / "pulse"
    pulse.write_text(f"{time.monotonic() + 1000:.3f}")
    assert heartbeat_age(pulse) is None
    pulse.write_text("")
    assert heartbeat_age(pulse) is None


def test_a_disk_that_takes_nothing_stops_no_tick(tmp_path, caplog):
    write_heartbeat(tmp_path / "no such folder" / "pulse")
    assert "could not be written" in caplog.text


def test_without_a_pulse_file_nothing_is_judged(run):
    shown = run("healthcheck", env={"WORKER_HEARTBEAT_FILE": ""})
    assert shown.exit_code == 1
    assert "WORKER_HEARTBEAT_FILE is not set" in shown.output
