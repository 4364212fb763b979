"""Which processor core the site runs on."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from web.server.core import choose_core


@pytest.mark.parametrize(
    ("wanted", "cores", "is_limited", "core"),
    [
        ("auto", {0, 1}, False, 1),
        ("auto", {2, 5, 7}, False, 5),
        ("auto", {3}, False, None),
        ("auto", {0, 1}, True, None),
        ("off", {0, 1}, False, None),
        ("1", {0, 1}, True, 1),
        ("9", {0, 1}, False, None),
    ],
)
def test_the_core_is_one_of_several_unless_time_is_limited(wanted, cores, is_limited, core):
    assert choose_core(wanted, cores, is_limited=is_limited, pid=7) == core


def test_processes_side_by_side_have_different_cores():
    chosen = {choose_core("auto", {0, 1}, is_limited=False, pid=pid) for pid in (100, 101)}
    assert chosen == {0, 1}


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="Linux only")
def test_the_process_and_its_threads_run_there():
    core = min(os.sched_getaffinity(0))
    code = (
        "import os, threading; from web.server.core import pin_to_core; found = []\n"
        f"pin_to_core('{core}')\n"
        "thread = threading.Thread(target=lambda: found.append(os.sched_getaffinity(0)))\n"
        "thread.start(); thread.join(); print(found)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=30)
    assert told.stdout == f"[{{{core}}}]\n"
