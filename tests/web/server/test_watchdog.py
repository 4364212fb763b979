"""A process that answers nothing any more ends by itself; one that is only slow does not."""

from __future__ import annotations

import http.client
import sys
import threading
from contextlib import contextmanager

import pytest

from dev.servers.state_files import free_port
from dev.servers.waiting import wait_until
from proofs.harness.process import Program

pytestmark = pytest.mark.slow

PROGRAM = """
import ctypes, sys, threading
from leads.logs import configure_logs
from web.server.front import Front
from web.server.serve import serve

def answer(environ, start_response):
    path = environ["PATH_INFO"]
    if path == "/hang":
        threading.Event().wait()
    elif path == "/stop-the-interpreter":
        ctypes.PyDLL(None).sleep(60)  # keeps the interpreter's lock
    elif path == "/slow":
        threading.Event().wait(1.5)
    start_response("200 OK", [("Content-Length", "0")])
    return []

configure_logs()
serve(Front(answer, lambda _: False, threads=2, clinic_phone=""), "127.0.0.1", int(sys.argv[1]), check_seconds=0.5)
"""


@contextmanager
def serving(folder):
    port = free_port()
    program = Program("site", [sys.executable, "-c", PROGRAM, str(port)], {}, folder / "log")
    try:
        assert wait_until(lambda: ask(port, "/healthz") == 200, 20)
        yield program, port
    finally:
        program.kill()


def ended(program):
    assert wait_until(lambda: not program.alive(), 30)
    return program.exit_code


def ask(port, path, seconds=5):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    except OSError:
        return None
    finally:
        connection.close()


def start(port, path, seconds=60):
    thread = threading.Thread(target=ask, args=(port, path, seconds), daemon=True)
    thread.start()
    return thread


def test_a_process_whose_threads_all_hang_ends_with_one_line_that_says_why(tmp_path):
    with serving(tmp_path) as (process, port):
        for _ in range(2):
            start(port, "/hang")
        assert ended(process) == 70
        (line,) = (line for line in process.text.splitlines() if "CRITICAL" in line)
        assert "no answer to /healthz 3 times in a row: this process ends" in line


def test_a_process_whose_interpreter_hangs_ends_too(tmp_path):
    with serving(tmp_path) as (process, port):
        assert wait_until(lambda: ask(port, "/healthz") == 200, 5)
        threading.Event().wait(1)  # until the watchdog has begun its round
        start(port, "/stop-the-interpreter")
        assert ended(process) == 1
        assert "Timeout" in process.text


def test_a_process_that_is_late_with_everything_goes_on(tmp_path):
    with serving(tmp_path) as (process, port):
        crowd = [start(port, "/slow") for _ in range(8)]  # three to six seconds of work, twelve checks
        for thread in crowd:
            thread.join()
        assert process.alive()
        assert ask(port, "/healthz") == 200
