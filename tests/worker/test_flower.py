"""Flower as the Procfile starts it: nothing without a login but the health check, and no frame may hold it."""

from __future__ import annotations

import base64
import http.client
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from dev.run.plan import ROOT, read_procfile
from dev.servers.state_files import free_port
from dev.servers.waiting import wait_until

pytestmark = pytest.mark.slow


def environment(valkey, **changes):
    fixed = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "DATABASE_URL": "postgresql://127.0.0.1:1/none",
        "REDIS_URL": valkey.url,
        "FLOWER_PORT": str(free_port()),
    }
    return os.environ | fixed | changes


@contextmanager
def flower(variables):
    process = subprocess.Popen(["sh", "-c", read_procfile()["flower"]], cwd=ROOT, env=variables)
    try:
        port = int(variables["FLOWER_PORT"])
        assert wait_until(lambda: answers(port), 60)
        yield port
    finally:
        process.terminate()
        process.wait(20)


def answers(port):
    try:
        return ask(port, "/healthcheck").status == 200
    except OSError:
        return False


def ask(port, path, login=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    headers = {"Authorization": f"Basic {base64.b64encode(login.encode()).decode()}"} if login else {}
    try:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        answer.read()
        return answer
    finally:
        connection.close()


def test_everything_but_the_health_check_needs_the_login(valkey, tmp_path):
    login = tmp_path / "login"
    login.write_text("operator:a long one\n")
    with flower(environment(valkey, FLOWER_BASIC_AUTH="", FLOWER_BASIC_AUTH_FILE=str(login))) as port:
        closed = ("/", "/workers", "/tasks", "/broker", "/metrics", "/api/workers", "/api/tasks")
        for given, expected in ((None, 401), ("operator:a wrong one", 401), (login.read_text().strip(), 200)):
            assert {path: ask(port, path, given).status for path in closed} == dict.fromkeys(closed, expected)
        answer = ask(port, "/workers", "operator:a long one")
        assert answer.getheader("X-Frame-Options") == "DENY"
        assert answer.getheader("Content-Security-Policy") == "frame-ancestors 'none'"
        assert answer.getheader("Server") is None


@pytest.mark.parametrize("login", ["", "operator", "operator:", ":password"])
def test_flower_does_not_start_without_a_login(valkey, login):
    variables = environment(valkey, FLOWER_BASIC_AUTH=login)
    command = ["sh", "-c", read_procfile()["flower"]]
    ended = subprocess.run(
        command, cwd=ROOT, env=variables, check=False, capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 1
    assert "FLOWER_BASIC_AUTH must be user:password" in ended.stderr
