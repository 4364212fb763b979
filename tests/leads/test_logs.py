"""The log's two forms: a line for people, and a JSON object; both name the trace of the request."""

import json
import logging
import re
import subprocess
import sys

import pytest

from leads.logs import TRACEPARENT, JsonLines, TextLines
from tests.support import samples


def record(**extra):
    made = logging.makeLogRecord({"name": "a.b", "levelname": "INFO", "msg": "lead %s stored", "args": ("1a2b",)})
    made.__dict__ |= extra
    return made


@pytest.fixture
def trace():
    before = TRACEPARENT.set(samples.TRACEPARENT)
    yield samples.TRACE
    TRACEPARENT.reset(before)


FAILED = (ValueError, ValueError("no"), None)


def test_a_text_line_has_its_time_in_utc():
    assert re.fullmatch(r"[\d-]{10}T[\d:]{8}\.\d{3}Z INFO a\.b: lead 1a2b stored", TextLines().format(record()))


def test_a_text_line_names_its_trace_before_that_of_the_stack(trace):
    first, *stack = TextLines().format(record(exc_info=FAILED)).splitlines()
    assert first.endswith(f"lead 1a2b stored (trace {trace})")
    assert stack[-1] == "ValueError: no"


def test_a_json_line_is_one_object_with_what_was_given(trace):
    line = JsonLines().format(record(row="1a2b", calls=[1, 2], exc_info=FAILED))
    assert "\n" not in line
    found = json.loads(line)
    assert re.fullmatch(r"[\d-]{10}T[\d:]{8}(\.\d+)?\+00:00", found.pop("time"))
    assert "ValueError: no" in found.pop("trace")
    assert found == {
        "level": "INFO",
        "logger": "a.b",
        "message": "lead 1a2b stored",
        "trace_id": trace,
        "row": "1a2b",
        "calls": [1, 2],
    }


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_process_logs_in_the_form_that_is_set(form):
    program = f"import logging; from leads.logs import configure_logs as c; c({form!r}); logging.info('hello')"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stderr.startswith("{") == (form == "json")
    assert "hello" in done.stderr
