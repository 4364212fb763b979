"""A worker whose tick hangs ends by itself, so that whatever runs it starts it again."""

from __future__ import annotations

import subprocess
import sys

import pytest

from dev.servers.server_process import ROOT

pytestmark = pytest.mark.slow

PROGRAM = """
import faulthandler, threading, types
from worker import tick

tick.HUNG_SECONDS = 0.5
stopping = threading.Event()
settings = types.SimpleNamespace(crm_tick_seconds=0.1, crm_call_seconds=0.1, crm_lease_seconds=0.4)
context = types.SimpleNamespace(settings=settings, stopping=stopping, messages=(), access=None)
ticker = tick.Ticker(None, context)
ticker.tick = {tick}
ticker.start()
print("ended after", threading.Event().wait(3))
stopping.set()
ticker._thread.join()
faulthandler.cancel_dump_traceback_later()  # as `join` does: ending the interpreter may take longer
"""


def run(tick):
    program = PROGRAM.format(tick=tick)
    return subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, check=False, capture_output=True, text=True, timeout=60
    )


def test_a_tick_that_hangs_ends_the_process_with_the_stacks():
    ended = run("threading.Event().wait")
    assert ended.returncode != 0
    assert "Timeout" in ended.stderr
    assert "in _run" in ended.stderr


def test_a_worker_that_ticks_lives():
    ended = run("lambda: None")
    assert (ended.returncode, ended.stdout.strip()) == (0, "ended after False")
