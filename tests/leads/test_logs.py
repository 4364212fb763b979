"""The log's two forms: a line for people, and a JSON object; both name the request that is being answered."""

from __future__ import annotations

import json
import logging
import re
import subprocess
import sys

import pytest

from leads.logs import REQUEST_ID, JsonLines, TextLines


def record(**extra):
    made = logging.makeLogRecord({"name": "a.b", "levelname": "INFO", "msg": "lead %s stored", "args": ("1a2b",)})
    made.__dict__ |= extra
    return made


@pytest.fixture
def request_id():
    before = REQUEST_ID.set("req-12345678")
    yield "req-12345678"
    REQUEST_ID.reset(before)


FAILED = (ValueError, ValueError("no"), None)


def test_a_text_line_has_its_time_in_utc():
    assert re.fullmatch(r"[\d-]{10}T[\d:]{8}\.\d{3}Z INFO a\.b: lead 1a2b stored", TextLines().format(record()))


def test_a_text_line_names_its_request_before_the_stack_trace(request_id):
    first, *trace = TextLines().format(record(exc_info=FAILED)).splitlines()
    assert first.endswith(f"lead 1a2b stored (request {request_id})")
    assert trace[-1] == "ValueError: no"


def test_a_json_line_is_one_object_with_what_was_given(request_id):
    line = JsonLines().format(record(row="1a2b", calls=[1, 2], exc_info=FAILED))
    assert "\n" not in line
    found = json.loads(line)
    assert re.fullmatch(r"[\d-]{10}T[\d:]{8}(\.\d+)?\+00:00", found.pop("time"))
    assert "ValueError: no" in found.pop("trace")
    assert found == {
        "level": "INFO",
        "logger": "a.b",
        "message": "lead 1a2b stored",
        "request_id": request_id,
        "row": "1a2b",
        "calls": [1, 2],
    }


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_process_logs_in_the_form_that_is_set(form):
    program = f"import logging; from leads.logs import configure_logs as c; c({form!r}); logging.info('hello')"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stderr.startswith("{") == (form == "json")
    assert "hello" in done.stderr
