"""Flower as the Procfile starts it, on this test's own database."""

from __future__ import annotations

import base64
import http.client
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import pytest

from dev.run.plan import ROOT, read_procfile
from dev.servers.state_files import free_port
from dev.servers.waiting import wait_until

LOGIN = "operator:a long one"


class Flower:
    """A running Flower: its requests, with the login unless told otherwise."""

    def __init__(self, port):
        self.port = port

    def ask(self, path, *, login=LOGIN, form=None, headers=None):
        """The answer and its text."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        given = {"Authorization": f"Basic {base64.b64encode(login.encode()).decode()}"} if login else {}
        body = None if form is None else urlencode(form)
        if body is not None:
            given["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            connection.request("GET" if body is None else "POST", path, body, given | (headers or {}))
            answer = connection.getresponse()
            return answer, answer.read().decode()
        finally:
            connection.close()

    def is_ready(self):
        try:
            return self.ask("/healthcheck", login=None)[0].status == 200
        except OSError:
            return False


@pytest.fixture
def flower_environment(module_database_url, valkey):
    return os.environ | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "DATABASE_URL": module_database_url,
        "REDIS_URL": valkey.url,
        "FLOWER_PORT": str(free_port()),
        "FLOWER_BASIC_AUTH": LOGIN,
    }


@pytest.fixture
def start_flower():
    @contextmanager
    def start(variables, options=""):
        process = subprocess.Popen(["sh", "-c", read_procfile()["flower"] + options], cwd=ROOT, env=variables)
        try:
            flower = Flower(int(variables["FLOWER_PORT"]))
            assert wait_until(flower.is_ready, 60)
            yield flower
        finally:
            process.terminate()
            process.wait(20)

    return start
