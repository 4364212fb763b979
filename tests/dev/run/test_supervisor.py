"""Children, their supervision and output: descendants, back-off, giving up."""

from __future__ import annotations

import os
import signal
import threading

import psutil
import pytest

from dev.run import supervisor as supervisor_module
from dev.run.child import Child, Output
from dev.run.started import StartedProcesses
from dev.run.supervisor import Supervisor
from dev.servers.waiting import wait_until

ENVIRON = {"PATH": os.environ["PATH"]}


class Lines(list):
    def __contains__(self, words):
        return any(words in line for line in self)


@pytest.fixture
def printed():
    return Lines()


@pytest.fixture
def supervisor(printed):
    supervisor = Supervisor(printed.append, lambda _: None)
    yield supervisor
    supervisor.stop()
    for part in supervisor.parts:
        part.kill()


def child(script: str, printed: list | None = None, **options) -> Child:
    take = (lambda _: None) if printed is None else printed.append
    return Child("part", ["/bin/sh", "-c", script], ENVIRON, take, **options)


def gone(pid: int) -> bool:
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def test_a_child_relays_its_lines_and_remembers_the_last(printed):
    part = child("echo one; echo two >&2", printed)
    part.start()
    assert wait_until(lambda: "two" in printed, 20)
    part.kill()
    assert part.last_lines() == "one\ntwo"


def test_stopping_a_child_ends_its_descendants_too(printed):
    part = child("sleep 300 & echo grandchild $!; wait", printed)
    part.start()
    assert wait_until(lambda: "grandchild" in printed, 20)
    grandchild = int(printed[0].split()[1])
    part.stop()
    assert not part.alive()
    assert wait_until(lambda: gone(grandchild), 20)


def test_a_child_that_ignores_the_request_is_ended_by_force(printed):
    part = child("trap '' TERM; echo ignoring; while :; do sleep 0.05; done", printed, stop_seconds=0.3)
    part.start()
    assert wait_until(lambda: "ignoring" in printed, 20)
    part.stop()
    assert not part.alive()


def test_a_killed_part_is_started_again_and_said_so(supervisor, printed):
    part = child("exec sleep 300")
    part.start()
    supervisor.watch(part)
    first = part.pid
    os.kill(first, signal.SIGKILL)
    assert wait_until(lambda: "part runs again" in printed, 10)
    assert part.alive()
    assert part.pid != first
    assert not supervisor.failed.is_set()


@pytest.mark.slow
def test_pauses_grow_and_patience_ends_with_the_last_lines(supervisor, printed, monkeypatch):
    monkeypatch.setattr(supervisor_module, "PAUSE_SECONDS", 0.01)
    part = child("echo no database; exit 3")
    part.start()
    supervisor.watch(part)
    assert supervisor.failed.wait(20)
    assert sum("has died; starting it again" in line for line in printed) == supervisor_module.MAX_QUICK_DEATHS - 1
    assert "no database" in printed


@pytest.mark.slow
def test_a_part_that_had_lived_long_enough_is_forgiven(supervisor, printed, monkeypatch):
    monkeypatch.setattr(supervisor_module, "PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(supervisor_module, "QUICK_SECONDS", 0.0)
    part = child("exit 3")
    part.start()
    supervisor.watch(part)
    again = "part runs again"
    assert wait_until(lambda: sum(again in line for line in printed) > supervisor_module.MAX_QUICK_DEATHS, 20)
    assert not supervisor.failed.is_set()


def test_what_a_killed_launcher_left_running_is_ended(tmp_path):
    part = child("exec sleep 300")
    part.start()
    record = tmp_path / "processes.json"
    with StartedProcesses(record) as started:
        started.add(part)
        text = record.read_text()
    assert not record.exists()
    record.write_text(text)
    threading.Thread(target=part._child.wait, daemon=True).start()  # this process is its parent and must reap it
    with StartedProcesses(record) as started:
        assert started.end_leftovers() == ["part"]
    assert wait_until(lambda: not part.alive(), 10)


def test_a_process_that_only_has_the_same_number_is_left_alone(tmp_path):
    part = child("exec sleep 300")
    part.start()
    record = tmp_path / "processes.json"
    record.write_text(f'{{"web": [{part.pid}, 1.0]}}')
    with StartedProcesses(record) as started:
        assert started.end_leftovers() == []
    assert part.alive()
    part.kill()


def test_lines_go_to_the_screen_with_a_name_and_to_a_file(tmp_path, capsys):
    output = Output(tmp_path)
    output.writer("web")("a 100 % line")
    output.close()
    assert capsys.readouterr().out == "web      | a 100 % line\n"
    assert (tmp_path / "web.log").read_text() == "a 100 % line\n"


def test_a_quiet_output_writes_files_only(tmp_path, capsys):
    output = Output(tmp_path, quiet=True)
    output.writer("web")("line")
    output.close()
    assert capsys.readouterr().out == ""
    assert (tmp_path / "web.log").read_text() == "line\n"
