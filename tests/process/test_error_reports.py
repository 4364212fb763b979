"""What Sentry gets of the site's and a worker's errors: where they happened, and nothing about a person."""

import gzip
import json
import subprocess
import sys

import brotli
import pytest
import requests

from tests.support.database import change
from tests.support.processes import WebProcess, WorkerProcess, wait_for
from tests.support.receiver import Receiver
from tests.support.samples import LEAD, PAYLOAD, record_lead
from tools.sandbox import credentials
from tools.servers.state_files import free_port, refusal
from tools.servers.waiting import wait_until

pytestmark = pytest.mark.process

# PostgreSQL's error for a row that it refuses quotes the row.
REFUSE = "ALTER TABLE {} ADD CONSTRAINT none CHECK (false) NOT VALID"
UNPACK = {"gzip": gzip.decompress, "br": brotli.decompress, None: bytes}


@pytest.fixture
def sentry():
    with Receiver() as receiver:
        receiver.status = 200
        yield receiver


@pytest.fixture
def settings(sentry, database_url, sandbox, valkey):
    stores = {"DATABASE_URL": database_url, "REDIS_URL": valkey.url, "FRONTEND_DIR": "no-such-build"}
    dsn = sentry.url.replace("//", "//key@").replace("/hook", "/1")
    return {**stores, **credentials.settings(sandbox.url), "SENTRY_DSN": dsn}


def events(sentry):
    """All that Sentry got, as text, and its events."""
    packed = [(request.headers.get("content-encoding"), request.body) for request in sentry.requests]
    text = "\n".join(UNPACK[coding](body).decode() for coding, body in packed)
    return text, [json.loads(line) for line in text.splitlines() if '"platform"' in line]


def test_an_error_of_the_site_is_reported_without_the_visitor(sentry, settings, engine, tmp_path):
    change(engine, REFUSE.format("leads"))
    headers = {"User-Agent": "Visitor/7.0", "X-Forwarded-For": "203.0.113.77"}
    with WebProcess(free_port(), settings, tmp_path / "web.log") as web:
        assert wait_until(lambda: refusal(web.port) is not None, 20)
        body = PAYLOAD | {"message": "My secret question", "userAgent": "Visitor/7.0"}
        answer = requests.post(f"http://127.0.0.1:{web.port}/api/leads?gclid=G7", json=body, headers=headers)
        assert answer.status_code == 500
        wait_for(lambda: events(sentry)[1], 10, "an event")
        web.stop_within(10)
    text, (event,) = events(sentry)
    assert (event["logger"], event["transaction"]) == ("api.errors", "leads.post_lead")
    assert event["logentry"]["params"][0] == "IntegrityError"
    assert event["tags"]["trace_id"] == answer.headers["X-Request-ID"]
    sent = {*body.values(), *headers.values(), "G7", "447911123456", "127.0.0.1"} - {"+44"}
    assert [value for value in sent if value in text.replace(settings["SENTRY_DSN"], "")] == []


def test_an_error_of_a_task_is_reported_without_its_words(sentry, settings, engine, tmp_path):
    record_lead(engine, LEAD)
    change(engine, REFUSE.format("deliveries"))
    with WorkerProcess(settings, tmp_path / "worker.log"):
        wait_for(lambda: events(sentry)[1], 30, "an event")
    text, (event, *_) = events(sentry)
    (error,) = [each for each in event["exception"]["values"] if each["type"] == "IntegrityError"]
    assert (event["transaction"], error.keys() & {"value", "stacktrace"}) == ("deliver", {"stacktrace"})
    assert [value for value in (*LEAD.values(), "Failing row", '"vars"') if len(value) > 3 and value in text] == []


def test_nothing_of_it_is_loaded_where_no_dsn_is_set():
    program = """
import sys, web.__main__
from leads.error_reports import report_errors
from leads.settings import read_settings
report_errors(read_settings({"DATABASE_URL": "postgresql://x"}))
sys.exit("sentry_sdk" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
