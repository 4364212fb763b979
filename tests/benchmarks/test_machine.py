"""What a report says of the machine and its interpreters."""

from __future__ import annotations

import json
import platform
import sys
from pathlib import Path

import pytest

from benchmarks import machine as described
from benchmarks.machine import TOOLS, build, interpreter, machine
from benchmarks.pinning import cores, pin


@pytest.mark.parametrize(
    ("options", "made"),
    [
        ("'--enable-shared'", "built without PGO and LTO"),
        ("'--enable-optimizations' '--with-lto'", "PGO and LTO"),
        ("'--enable-optimizations'", "PGO"),
        ("'--enable-shared' '--prefix=/usr' '--with-dtrace'", "the distribution's build"),
    ],
)
def test_a_build_is_told_by_what_it_was_configured_with(options, made):
    assert build("3.11.7", options) == f"CPython 3.11.7 ({made})"


def test_an_interpreter_is_asked_itself():
    assert interpreter(sys.executable).startswith(f"CPython {platform.python_version()} (")


def test_the_machine_is_told_by_its_kind_and_never_by_a_path(monkeypatch):
    monkeypatch.setattr(described, "peers_python", lambda: sys.executable)
    text = machine()
    assert "cores (" in text
    assert "fastapi 0." in text
    assert "lighthouse 1" in text
    assert not [word for word in text.split() if word.startswith(("/", str(Path.home())))]


def test_the_tools_are_pinned_and_their_lock_names_no_host():
    pinned = json.loads(TOOLS.read_text())["dependencies"]
    lock = (TOOLS.parent / "package-lock.json").read_text()
    assert json.loads(lock)["packages"][""]["dependencies"] == pinned
    assert all(version[0].isdigit() for version in pinned.values())
    assert '"resolved"' not in lock


@pytest.mark.skipif(len(cores()) < 2, reason="needs a system that can pin, with two cores")
def test_a_process_is_pinned_to_one_core_and_its_neighbour_to_another():
    import os
    import subprocess

    allowed = []
    for place in (0, 1):
        with subprocess.Popen(["sleep", "30"]) as process:
            pin(process.pid, place)
            allowed.append(os.sched_getaffinity(process.pid))
            process.kill()
    assert [len(each) for each in allowed] == [1, 1]
    assert allowed[0] != allowed[1]


def test_what_has_ended_is_not_pinned():
    pin(None)
