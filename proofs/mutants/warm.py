"""Runs of pytest, each in a fork of one process that has the packages loaded, but nothing of the product's.

Loading them is most of a mutant's few seconds. `Warm` is the side that asks, `main` the process that forks.
"""

from __future__ import annotations

import importlib
import json
import os
import select
import signal
import subprocess
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import IO, cast

import pytest

# What most tests import. A name that is gone costs time, and nothing else.
PACKAGES = (
    "celery.app.trace",
    "celery.worker.consumer",
    "celery.contrib.testing.app",
    "flask_smorest",
    "hypothesis",
    "kombu.transport.redis",
    "marshmallow",
    "phonenumbers",
    "prometheus_client",
    "psycopg.rows",
    "psycopg.types.json",
    "redis",
    "sqlalchemy.dialects.postgresql.psycopg",
    "yaml",
)
NO_END = -signal.SIGKILL


class Warm:
    """The process, until `close`; one run at a time."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        # By its path: as a module it would bring the product along, from another tree than the one under test.
        self._process = subprocess.Popen(
            [sys.executable, __file__], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._orders = cast("IO[str]", self._process.stdin)
        self._codes = cast("IO[str]", self._process.stdout)

    def pytest(self, words: Sequence[str], seconds: float) -> tuple[int, str]:
        """Run pytest in the folder; return its exit code, NO_END after so many seconds, and what it printed."""
        printed = self.folder / "printed.txt"
        order = {"folder": str(self.folder), "words": list(words), "printed": str(printed), "seconds": seconds}
        print(json.dumps(order), file=self._orders, flush=True)
        return int(self._codes.readline()), printed.read_text(errors="replace")

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def _run(order: dict[str, str | list[str]]) -> int:
    """Be the run: in the child."""
    os.setsid()
    os.chdir(str(order["folder"]))
    output = os.open(str(order["printed"]), os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for target, number in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(target, number)
    sys.path[0] = str(order["folder"])
    # A package that is loaded is not rewritten: only tests' own asserts are looked at here.
    code = pytest.main(["-W", "ignore::pytest.PytestAssertRewriteWarning", *order["words"]])
    sys.stdout.flush()
    sys.stderr.flush()
    return int(code)


def main() -> None:
    """Fork a run for each line of JSON; print its exit code."""
    for name in PACKAGES:
        try:
            importlib.import_module(name)
        except ImportError:
            continue
    for line in sys.stdin:
        order = json.loads(line)
        child = os.fork()
        if not child:
            code = 3  # pytest's "internal error"
            try:
                code = _run(order)
            except BaseException:  # noqa: BLE001 - the child ends here, whatever happened
                traceback.print_exc()
            os._exit(code)
        ended = os.pidfd_open(child)
        if not select.select([ended], [], [], order["seconds"])[0]:
            os.killpg(child, signal.SIGKILL)
        os.close(ended)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
