"""What would stop a start is said at once: by any Python, before a package is fetched or a page is built."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from types import SimpleNamespace

import pytest

from dev.run.lock import LauncherLock
from dev.run.plan import PlanError, read_plan
from dev.run.preflight import check_ports, check_start
from dev.servers.server_process import ROOT
from dev.servers.state_files import free_port


@pytest.fixture
def ports():
    return {name: str(free_port()) for name in ("PORT", "FLOWER_PORT", "SANDBOX_PORT")}


@pytest.fixture
def taken_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def plan_of(environ, tmp_path):
    return read_plan(environ, tmp_path / ".env")


def check(tmp_path, environ):
    """The check as `make run` begins with it, by a Python without any package."""
    command = [sys.executable, "-S", "-m", "dev.run", "--check", "--env-file", os.devnull]
    environ = {"DATA_DIR": str(tmp_path / "data"), **environ}
    return subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)


def test_every_port_that_cannot_be_used_is_named_with_the_variable_that_changes_it(tmp_path, ports, taken_port):
    given = {"PORT": str(taken_port), "FLOWER_PORT": ports["PORT"], "SANDBOX_PORT": ports["PORT"]}
    plan = plan_of(given | {"METRICS_PORT": str(taken_port)}, tmp_path)
    with pytest.raises(PlanError) as refusal:
        check_ports(plan)
    assert str(refusal.value).splitlines() == [
        f"PORT {taken_port} (the site) is given twice; set PORT=…",
        f"FLOWER_PORT {ports['PORT']} (Flower) is given twice; set FLOWER_PORT=…",
        f"SANDBOX_PORT {ports['PORT']} (the CRM sandbox) is given twice; set SANDBOX_PORT=…",
        f"METRICS_PORT {taken_port} (the metrics) is given twice; set METRICS_PORT=…",
    ]
    with pytest.raises(PlanError, match=f"^PORT {taken_port} .the site. is taken; set PORT=…$"):
        check_ports(plan_of(ports | {"PORT": str(taken_port)}, tmp_path))


def test_a_port_that_only_root_may_open_is_called_forbidden(tmp_path, ports, monkeypatch):
    def bind(_self, address):
        if address[1] == 80:
            raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", bind)
    with pytest.raises(PlanError, match=r"^PORT 80 .the site. is forbidden to this user; set PORT=…$"):
        check_ports(plan_of(ports | {"PORT": "80"}, tmp_path))


def test_it_needs_no_package_and_leaves_nothing_locked(tmp_path, ports):
    done = check(tmp_path, ports)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    with LauncherLock(tmp_path / "data"):
        pass


def test_one_sentence_and_no_traceback_for_a_port_a_setting_or_a_folder(tmp_path, ports, taken_port):
    for environ, sentence in (
        ({"PORT": str(taken_port)}, f"PORT {taken_port} (the site) is taken; set PORT=…"),
        ({"PORT": "web"}, "PORT must be a port number, from 1 to 65535"),
        ({"DATA_DIR": "/proc/x"}, "DATA_DIR /proc/x cannot be used: No such file or directory; set DATA_DIR=…"),
    ):
        done = check(tmp_path, ports | environ)
        assert (done.returncode, done.stdout, done.stderr) == (1, "", f"\n{sentence}\n\n")


def test_a_product_that_runs_here_is_named_before_its_ports(tmp_path, ports, taken_port):
    with LauncherLock(tmp_path / "data"):
        done = check(tmp_path, ports | {"PORT": str(taken_port)})
    assert done.returncode == 1
    assert f"The product already runs on {tmp_path / 'data'} (launcher: process {os.getpid()})." in done.stderr
    assert "taken" not in done.stderr


def test_ports_that_a_killed_launcher_left_behind_are_no_obstacle(tmp_path, ports, taken_port, monkeypatch):
    data = tmp_path / "data"
    data.mkdir()
    for name, value in (ports | {"PORT": str(taken_port), "DATA_DIR": str(data)}).items():
        monkeypatch.setenv(name, value)
    with pytest.raises(PlanError, match="is taken"):
        check_start(tmp_path / ".env")
    (data / "processes.json").write_text("{}")
    check_start(tmp_path / ".env")


def make_run(clone, environ):
    environ = {"PATH": os.environ["PATH"], "PYTHON": sys.executable, **environ}
    done = subprocess.run(["make", "run"], cwd=clone, env=environ, capture_output=True, text=True, check=False)
    made = {path.name for path in clone.iterdir()} - {"Makefile", "dev", "sandbox", ".data"}
    return SimpleNamespace(code=done.returncode, out=done.stdout, err=done.stderr, made=made)


def test_make_run_looks_at_ports_before_it_fetches_or_builds_anything(clone, ports, taken_port):
    done = make_run(clone, ports | {"PORT": str(taken_port)})
    assert done.code
    assert f"PORT {taken_port} (the site) is taken; set PORT=…" in done.err
    assert (done.out, done.made) == ("", set())


def test_make_run_leaves_the_pages_of_a_running_product_alone(clone, ports):
    with LauncherLock(clone / ".data"):
        done = make_run(clone, ports)
    assert done.code
    assert "The product already runs on" in done.err
    assert (done.out, done.made) == ("", set())


def test_make_run_names_a_python_that_is_too_old(clone, ports):
    done = make_run(clone, ports | {"PYTHON": "false"})
    assert done.code
    assert "Python 3.11 or newer is needed; 'false' is" in done.out
    assert done.made == set()
