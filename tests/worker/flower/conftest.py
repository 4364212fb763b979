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

from dev.run.plan import read_procfile
from dev.servers.server_process import ROOT
from dev.servers.state_files import free_port
from dev.servers.waiting import wait_until
from leads.db import connect_engine
from leads.outbox.store import record_click
from leads.settings import read_settings
from tests.support.database import change
from tests.support.samples import CLICK, LEAD, record_lead

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


@pytest.fixture(scope="module")
def flower_environment(module_database_url, valkey):
    return os.environ | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "DATABASE_URL": module_database_url,
        "REDIS_URL": valkey.url,
        "FLOWER_BASIC_AUTH": LOGIN,
    }


@pytest.fixture(scope="module")
def start_flower():
    @contextmanager
    def start(variables, options=""):
        flower = Flower(free_port())
        environment = {**variables, "FLOWER_PORT": str(flower.port)}
        process = subprocess.Popen(["sh", "-c", read_procfile()["flower"] + options], cwd=ROOT, env=environment)
        try:
            assert wait_until(flower.is_ready, 60)
            yield flower
        finally:
            process.terminate()
            process.wait(20)

    return start


@pytest.fixture(scope="module")
def module_engine(module_database_url):
    engine = connect_engine(read_settings({"DATABASE_URL": module_database_url}).database_url, pool=4, name="test")
    yield engine
    engine.dispose()


@pytest.fixture(scope="module")
def rows(module_engine):
    """A retrying, a dead and a pending lead, a dead click, and a lead whose two messages are dead."""
    ids = {name: record_lead(module_engine, LEAD).id for name in ("retrying", "dead", "pending")}
    ids["click"] = record_click(module_engine, CLICK)
    failed = (
        "UPDATE deliveries SET status = :status, retry_count = 2, last_retry_at = now(), last_error = :error"
        " WHERE id = :id"
    )
    for name, status, error in (("retrying", "retrying", "RECORD_LOCKED: x"), ("dead", "dead", "INVALID_DATA: y")):
        change(module_engine, failed, status=status, error=error, id=ids[name])
    change(module_engine, failed, status="dead", error="MANDATORY_NOT_FOUND", id=ids["click"])
    ids["message"] = record_lead(module_engine, LEAD, owed={"zoho": 60.0, "visitor": 0.0, "staff-mail": 0.0}).id
    change(
        module_engine,
        "UPDATE deliveries SET status = 'dead', last_retry_at = now(), last_error = 'SMTP_550: recipient refused'"
        " WHERE id = :id AND destination <> 'zoho'",
        id=ids["message"],
    )
    change(
        module_engine,
        "UPDATE deliveries SET status = 'sent', sent_at = now() WHERE id = :id AND destination = 'zoho'",
        id=ids["message"],
    )
    return ids


@pytest.fixture(scope="module")
def flower(flower_environment, start_flower, rows):
    with start_flower(flower_environment) as flower:
        yield flower
